"""Warnings a user can filter, each named after its consequence."""


class IntersortWarning(UserWarning):
    """Base class of every warning of this package."""


class ConstantControlWarning(IntersortWarning):
    """A column is constant in the control rows, so distances there use another scale."""


class RawCountsWarning(IntersortWarning):
    """The values look like raw counts: sequencing depth would pass for an effect."""


class MetadataColumnWarning(IntersortWarning):
    """A column looks like metadata, and would be ranked as if it were a variable."""


class WeakBonusWarning(IntersortWarning):
    """c·d < ε (d − 2): the best order may give up a pair above ε that it could honour."""


class UnusedRowsWarning(IntersortWarning):
    """Some rows carry a label that matches no column, and are not used."""
