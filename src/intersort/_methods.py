"""The names of the ways to an order, in one place that costs nothing to import."""

METHODS = ("default", "paper", "sort_ranking", "local_search", "exact")
