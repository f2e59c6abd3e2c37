"""Rows of measurements, each labelled with the variable that was intervened on."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._columns import RawTable
from ._labels import CONTROL_ROW, MatchedLabels, list_counts, match_labels
from ._typing import IntArray, Table
from ._validation import InputError, check_names, shown
from ._values import (
    as_read_only,
    check_finite,
    check_shape,
    is_sparse,
    name_columns,
    read_values,
    warn_of_meaning,
)
from ._warnings import UnusedRowsWarning

if TYPE_CHECKING:
    from .summary import DataSummary


@dataclass(frozen=True, eq=False, repr=False)
class InterventionalData:
    """Rows of measurements, each labelled with what was done to it.

    Built and validated by `from_arrays`, `from_frame`, `from_anndata` and `read_table`;
    everything after them trusts what is here.

    Parameters
    ----------
    values : array or CSR or CSC matrix of shape (n_samples, d)
        Float32 or float64. NaN is a missing value, there only with ``missing="omit"``.
        Sparse: sorted, without duplicates; explicit zeros and NaN may be stored.
    targets : integer array of shape (n_samples,)
        Column that was intervened on in that row; −1 is a control row, −2 a row that is not used.
    names : tuple of str
        Names of the d variables, all different.
    unused : tuple of (label, number of rows)
        Labels that match no column, the most frequent first; their rows are not used.
    control : tuple of str
        Labels of the control rows.
    control_is_variable : tuple of str
        Control labels that are names of variables too.
    left_out : tuple of (column, reason)
        Columns of a file or frame that are no variables.
    source : str
        Where the data came from, for a person to read.

    Examples
    --------
    >>> import intersort
    >>> X = [[0.1, 0.2], [0.3, 0.1], [5.2, 4.9], [5.1, 5.3]]
    >>> y = ["control", "control", "rain", "rain"]
    >>> intersort.InterventionalData.from_arrays(X, y, names=["rain", "wet"])
    InterventionalData: 4 rows × 2 variables (dense), 2 controls, 1 variable intervened on
    """

    values: Table
    targets: IntArray
    names: tuple[str, ...]
    unused: tuple[tuple[str, int], ...] = ()
    control: tuple[str, ...] = ("control",)
    control_is_variable: tuple[str, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        n_rows, width = self.values.shape
        if np.shape(self.targets) != (n_rows,) or len(self.names) != width:
            raise InputError(
                f"values of shape {self.values.shape} need {n_rows} targets and {width} names; "
                f"got {np.size(self.targets)} and {len(self.names)}."
            )
        check_names(self.names, width)

    @property
    def intervened(self) -> IntArray:
        """Sorted columns that have rows with an intervention."""
        return np.unique(self.targets[self.targets >= 0])

    def __repr__(self) -> str:
        n_rows, width = self.values.shape
        n_targets = self.intervened.size
        kind = "sparse" if is_sparse(self.values) else "dense"
        unused = sum(count for _, count in self.unused)
        rest = f", {unused:,} row{'' if unused == 1 else 's'} not used" if unused else ""
        return (
            f"InterventionalData: {n_rows:,} rows × {width:,} variables ({kind}), "
            f"{int(np.sum(self.targets == CONTROL_ROW)):,} controls, "
            f"{n_targets:,} variable{'' if n_targets == 1 else 's'} intervened on{rest}"
        )

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        y: Any,
        names: Sequence[Any] | None = None,
        control: Any = "control",
        *,
        missing: str = "refuse",
    ) -> InterventionalData:
        """Take a table of numbers and one label per row.

        Float arrays are shared, never copied whole; sparse matrices stay sparse.

        Parameters
        ----------
        X : array or SciPy sparse matrix of shape (n_samples, d)
            The measurements. A frame gives its column names; one of sparse columns stays sparse.
        y : array of shape (n_samples,)
            The variable that was intervened on in each row: its name, or its position (integers,
            with −1 for control).
        names : sequence of str, optional
            Names of the columns; x0, x1, … by default.
        control : label or list of labels, default="control"
            The label of the rows without intervention; ``""`` where it is blank. With integer
            labels the default means −1, and an integer takes its place.
        missing : {"refuse", "omit"}, default="refuse"
            Whether NaN is an error, or is left out of each comparison.

        Returns
        -------
        InterventionalData

        Examples
        --------
        >>> import numpy as np
        >>> import intersort
        >>> X = np.array([[0.1, 0.2], [0.3, 0.1], [5.2, 4.9], [0.1, 5.3]])
        >>> data = intersort.InterventionalData.from_arrays(X, [-1, -1, 0, 1])
        >>> data.names, data.targets
        (('x0', 'x1'), array([-1, -1,  0,  1]))
        """
        from ._frames import keep_sparse

        if names is None and hasattr(X, "columns"):
            names = list(X.columns)
        table = RawTable(keep_sparse(X), y, None if names is None else tuple(names), ())
        return build(cls, table, control=control, missing=missing, source="arrays")

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        targets: Any,
        control: Any = "control",
        ignore: Any = (),
        *,
        missing: str = "refuse",
    ) -> InterventionalData:
        """Take a pandas or polars frame, one of whose columns holds the labels.

        Parameters
        ----------
        frame : pandas.DataFrame or polars.DataFrame
            One row per sample. Every column but the labels is a variable, unless it is ignored;
            a first column without a name is a row index and left out.
        targets : str
            Name of the column of labels. Integers in it are positions among the columns taken.
        control : label or list of labels, default="control"
            The label of the rows without intervention; ``""`` where it is blank.
        ignore : str or list of str, default=()
            Columns that are no variables.
        missing : {"refuse", "omit"}, default="refuse"
            Whether a missing value is an error, or is left out of each comparison.

        Returns
        -------
        InterventionalData

        Examples
        --------
        >>> import pandas
        >>> import intersort
        >>> frame = pandas.DataFrame(
        ...     {"rain": [0.1, 0.3, 5.2], "wet": [0.2, 0.1, 4.9], "did": ["-", "-", "rain"]}
        ... )
        >>> data = intersort.InterventionalData.from_frame(frame, "did", control="-")
        >>> data.names, data.targets
        (('rain', 'wet'), array([-1, -1,  0]))
        """
        from ._frames import read_frame

        table = read_frame(frame, targets, ignore)
        return build(cls, table, control=control, missing=missing, source="frame")

    @classmethod
    def from_anndata(
        cls,
        adata: Any,
        target_key: str,
        control: Any = "control",
        layer: str | None = None,
        *,
        missing: str = "refuse",
    ) -> InterventionalData:
        """Take an AnnData object, one of whose columns of `obs` holds the labels.

        Parameters
        ----------
        adata : anndata.AnnData
            Cells × genes, dense or sparse; sparse stays sparse.
        target_key : str
            Column of ``adata.obs`` with the gene perturbed in each cell.
        control : label or list of labels, default="control"
            The label of the control cells.
        layer : str, optional
            Layer to take; ``adata.X`` by default.
        missing : {"refuse", "omit"}, default="refuse"
            Whether a missing value is an error, or is left out of each comparison.

        Returns
        -------
        InterventionalData

        Examples
        --------
        >>> import anndata, numpy, pandas
        >>> import intersort
        >>> adata = anndata.AnnData(
        ...     numpy.array([[0.1, 0.2], [0.3, 0.1], [5.2, 4.9]]),
        ...     obs=pandas.DataFrame({"guide": ["NT", "NT", "JAK2"]}, index=["a", "b", "c"]),
        ...     var=pandas.DataFrame(index=["JAK2", "STAT1"]),
        ... )
        >>> intersort.InterventionalData.from_anndata(adata, "guide", control="NT")
        InterventionalData: 3 rows × 2 variables (dense), 2 controls, 1 variable intervened on
        """
        from ._h5ad import read_anndata

        table = read_anndata(adata, target_key, layer)
        return build(cls, table, control=control, missing=missing, source="AnnData")

    def summary(self) -> DataSummary:
        """What to check before trusting any result, above all whether do(i) moved i itself.

        Returns
        -------
        DataSummary
            Its text is for a person; ``to_dict()`` is for a machine.

        Examples
        --------
        >>> import intersort
        >>> X = [[0.1, 0.2], [0.3, 0.1], [5.2, 4.9], [5.1, 5.3]]
        >>> y = ["control", "control", "rain", "rain"]
        >>> data = intersort.InterventionalData.from_arrays(X, y, names=["rain", "wet"])
        >>> print(data.summary().on_target[0])
        rain: 2 rows, mean +49.5 control sd, spread × 0.5; moved
        """
        from .summary import summarize

        return summarize(self)


def check_data(data: Any, function: str) -> None:
    """Refuse a bare array or frame where `function` needs rows with their labels."""
    if not isinstance(data, InterventionalData):
        raise InputError(
            f"{function} needs InterventionalData, not {shown(type(data).__name__)}; make it with "
            "InterventionalData.from_arrays(X, y), from_frame, from_anndata or read_table."
        )


def build(
    kind: type[InterventionalData], table: RawTable, *, control: Any, missing: str, source: str
) -> InterventionalData:
    """Validate what any constructor has read: the one place where that is done."""
    names = table.names
    values = read_values(table.values, lambda j: str(names[j]) if names else f"x{j}")
    check_shape(values)
    taken = name_columns(names, values.shape[1])
    matched = match_labels(table.labels, names, control, values.shape)
    check_finite(values, taken, missing)
    _warn_of_unused(matched)
    warn_of_meaning(values, taken, np.unique(matched.targets[matched.targets >= 0]))
    return kind(
        values=values,
        targets=as_read_only(matched.targets),
        names=taken,
        unused=matched.unused,
        control=matched.control,
        control_is_variable=matched.control_is_variable,
        left_out=table.left_out,
        source=source,
    )


def _warn_of_unused(matched: MatchedLabels) -> None:
    """Say which rows are not used: they are never joined to the controls."""
    if matched.unused:
        count = sum(rows for _, rows in matched.unused)
        warnings.warn(
            f"{count:,} of {matched.targets.size:,} rows are not used: their label is neither a "
            f"column nor the control. Labels: {list_counts(matched.unused)}.",
            UnusedRowsWarning,
            stacklevel=4,
        )
