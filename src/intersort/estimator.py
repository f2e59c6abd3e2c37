"""The whole way from rows to an order behind scikit-learn's `fit(X, y)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from ._methods import METHODS
from ._rng import make_rng
from ._typing import ArrayLike, FloatArray, Table
from ._validation import InputError, closest, shown
from .data import InterventionalData
from .effects.effects import Effects
from .effects.measure import measure_effects
from .effects.null import null_threshold
from .effects.registry import name_of
from .orders.causal_order import CausalOrder
from .orders.exact import exact_order
from .orders.find import check_limits, find_order
from .orders.knowledge import Knowledge, make_obedient
from .orders.local_search import check_depth, local_search
from .orders.sort_ranking import sort_ranking
from .scores.paper import OrderScore, check_c, check_epsilon, score_orders

PAPER_EPSILON = 0.3
TIES_UP_TO = 300
"""Beyond, finding out what the score leaves undecided takes longer than finding the order."""


class Intersort(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Find the causal order of variables from rows labelled with what was done to them.

    Each intervention's rows are compared with the control rows, variable by variable; the order
    that best puts causes before what they move is searched for.

    Parameters
    ----------
    method : {"default", "paper", "sort_ranking", "local_search", "exact"}
        ``"default"`` is the best we know with nothing to choose: for now the paper's score with
        the threshold taken from the data, and :func:`find_order`. ``"paper"`` is the paper to
        the letter: SORTRANKING, then local search. ``"sort_ranking"`` and ``"local_search"``
        (from a random order) are its two halves, ``"exact"`` is the proven optimum up to 20
        variables.
    epsilon : float, array of shape (|I|, d), or None
        Distance above which an intervention counts as having moved a variable, in control
        standard deviations. None takes 0.3 for ``"paper"`` and the data's own
        :func:`null_threshold` for all others.
    c : float
        Weight of the score's bonus for every honoured effect. ``"default"``, and every other
        method but ``"paper"`` where `epsilon` is None, takes the largest epsilon where that is
        more: where every path shows, no effect is then given up that could be honoured.
    depth : int
        Number of moves that one step of the local search may combine.
    distance : str or callable
        How far a distribution has moved, see :func:`measure_effects`.
    control : str, int, or a list of them
        The label or labels of control rows in `y`.
    missing : {"refuse", "omit"}
        Whether missing values are refused, or left out pair by pair.
    knowledge : Knowledge or None
        Precedences that the order must honour.
    time_limit : float or None
        Seconds for ``"default"`` to search and bound; without it a fixed amount of work is done.
    effort : {"low", "normal", "high"}
        How much work that is, of search and certificate, and up to 300 variables of finding out
        which pairs the score leaves undecided (``result_.ties``).
    certify : bool
        Whether ``"default"`` looks for a bound on the score of any order.
    n_jobs : int or None
        Number of threads; None is one, −1 all. The result is the same for any number.
    random_state : int, RandomState, Generator or None
        Seed of everything random; None is 0.

    Attributes
    ----------
    order_ : array of shape (d,)
        Columns of the variables, causes first.
    rank_ : array of shape (d,)
        Position of each variable in the order.
    score_ : float
        The score of the order.
    epsilon_ : float or array of shape (|I|, d)
        The threshold that was used.
    c_ : float
        The weight of the bonus that was used.
    effects_ : Effects
        How far each intervention moved each variable.
    result_ : CausalOrder
        The order with its names, score and bound.
    n_features_in_ : int
        The number d of variables.
    feature_names_in_ : array of shape (d,)
        Their names, where `X` was a data frame.

    Notes
    -----
    An order is always a permutation of all variables, also of those about which the data say
    nothing. Feedback cannot be shown by any order, and selection on the outcome or confounders
    that change between experiments break the comparison with the controls.

    References
    ----------
    Chevalley, Schwab, Mehrjou (2025). Deriving causal order from single-variable interventions.
    ICLR.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from intersort import Intersort
    >>> rng = np.random.default_rng(0)
    >>> label = np.repeat(["control", "A", "B"], 200)
    >>> a = np.where(label == "A", 4.0, rng.normal(size=600))
    >>> b = np.where(label == "B", 4.0, a + rng.normal(size=600))
    >>> Intersort().fit(pd.DataFrame({"B": b, "A": a}), label).result_.ordered_names
    ('A', 'B')
    """

    def __init__(
        self,
        method: str = "default",
        epsilon: ArrayLike | None = None,
        c: float = 0.5,
        depth: int = 1,
        distance: str | Callable[[FloatArray, FloatArray], float] = "wasserstein",
        control: Any = "control",
        missing: str = "refuse",
        n_jobs: int | None = None,
        random_state: Any = 0,
        knowledge: Knowledge | None = None,
        time_limit: float | None = None,
        effort: str = "normal",
        certify: bool = True,
    ) -> None:
        self.method = method
        self.epsilon = epsilon
        self.c = c
        self.depth = depth
        self.distance = distance
        self.control = control
        self.missing = missing
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.knowledge = knowledge
        self.time_limit = time_limit
        self.effort = effort
        self.certify = certify

    @classmethod
    def paper(
        cls, epsilon: float = 0.3, c: float = 0.5, depth: int = 1, control: Any = "control"
    ) -> Intersort:
        """Make an estimator that is the paper to the letter.

        >>> from intersort import Intersort
        >>> Intersort.paper(epsilon=0.5).method
        'paper'
        """
        return cls(method="paper", epsilon=epsilon, c=c, depth=depth, control=control)

    def fit(self, X: Table, y: Sequence[Any] | np.ndarray) -> Intersort:
        """Find the order from rows `X` and, per row, the label of what was done in `y`.

        Parameters
        ----------
        X : array, data frame, or SciPy CSR or CSC matrix of shape (n, d)
            One column a variable.
        y : array of shape (n,)
            The name or position of the variable that was intervened on, or the control label.
        """
        self._check_settings()
        if y is None:
            raise ValueError(
                "This Intersort estimator requires y to be passed, but the target y is None: "
                "give, for every row, the variable that was intervened on."
            )
        columns = getattr(X, "columns", None)
        table = validate_data(
            self,
            X,
            accept_sparse=("csr", "csc"),
            dtype=(np.float64, np.float32),
            ensure_all_finite="allow-nan" if self.missing == "omit" else True,
            ensure_min_features=2,
            ensure_min_samples=2,
        )
        names = None if columns is None else list(columns)
        data = InterventionalData.from_arrays(
            table, y, names=names, control=self.control, missing=self.missing
        )
        return self._measure(data)

    def fit_data(self, data: InterventionalData) -> Intersort:
        """Find the order from data that were read already, as by :func:`read_table`."""
        self._check_settings()
        self._forget_columns()
        return self._measure(data)

    def _forget_columns(self) -> None:
        """Drop the column names of an earlier data frame."""
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _measure(self, data: InterventionalData) -> Intersort:
        """Measure effects, and search with the threshold that the settings ask for."""
        effects = measure_effects(data, self.distance, n_jobs=self.n_jobs)
        epsilon = self.epsilon
        if epsilon is None and self.method != "paper":
            epsilon = null_threshold(data, effects, rng=make_rng(self.random_state))
        return self._search(effects, epsilon)

    def fit_effects(self, effects: Effects) -> Intersort:
        """Find the order from distances alone; without rows `epsilon` has to be given.

        >>> import intersort
        >>> effects = intersort.Effects.from_matrix([[0, 2.0], [0.1, 0]])
        >>> intersort.Intersort(epsilon=0.3).fit_effects(effects).order_
        array([0, 1])
        """
        self._check_settings()
        self._forget_columns()
        if self.method == "paper" and effects.measured_by != "wasserstein":
            raise InputError(
                f"The paper's method is defined with the Wasserstein distance; these effects hold "
                f"{shown(name_of(effects.measured_by))}. Measure again, or take another method."
            )
        if self.epsilon is None and self.method != "paper":
            raise InputError(
                "From distances alone no threshold can be computed, because the control rows "
                "are not there. Give epsilon, in control standard deviations (the paper takes "
                "0.3), or start from the rows."
            )
        return self._search(effects, self.epsilon)

    def _search(self, effects: Effects, epsilon: ArrayLike | None) -> Intersort:
        """Score orders by the effects, and search."""
        self.effects_ = effects
        self.epsilon_ = PAPER_EPSILON if epsilon is None else epsilon
        check_epsilon(self.epsilon_, effects.distance.shape)
        self.c_ = check_c(self.c)
        from_data = self.epsilon is None and self.method != "paper"
        if self.method == "default" or from_data:
            self.c_ = max(self.c_, float(np.max(self.epsilon_, initial=0.0)))
        result = self._find_order(effects)
        self.result_ = result
        self.order_, self.rank_, self.score_ = result.order, result.rank, result.score
        self.n_features_in_ = len(effects.names)
        return self

    def _find_order(self, effects: Effects) -> CausalOrder:
        known = self.knowledge
        if self.method == "sort_ranking":
            return sort_ranking(effects, self.epsilon_, self.c_, knowledge=known)
        score = score_orders(effects, self.epsilon_, self.c_)
        if self.method == "default":
            return self._find_best(score)
        if self.method == "exact":
            return exact_order(score, knowledge=known)
        if self.method == "local_search":
            random = make_rng(self.random_state).permutation(score.n_variables)
            start = make_obedient(random, known, score.names)
        else:
            start = sort_ranking(effects, self.epsilon_, self.c_, knowledge=known).order
        return local_search(score, start, self.depth, knowledge=known)

    def _find_best(self, score: OrderScore) -> CausalOrder:
        return find_order(
            score,
            knowledge=self.knowledge,
            time_limit=self.time_limit,
            effort=self.effort,
            certify=self.certify,
            ties=score.n_variables <= TIES_UP_TO,
            n_jobs=self.n_jobs,
            rng=make_rng(self.random_state),
        )

    def _check_settings(self) -> None:
        """Refuse settings that contradict each other before anything is computed."""
        if self.method not in METHODS:
            raise InputError(
                f"method must be one of {', '.join(METHODS)}; got {shown(self.method)}"
                f"{closest(str(self.method), METHODS)}"
            )
        check_limits(self.time_limit, self.effort)
        check_depth(self.depth)
        if self.method == "paper" and self.distance != "wasserstein":
            raise InputError(
                f"The paper's method is defined with the Wasserstein distance; got "
                f"{shown(self.distance)}. Take another method for another distance."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing == "omit"
        tags.target_tags.required = True
        tags.target_tags.one_d_labels = True
        tags.no_validation = False
        return tags
