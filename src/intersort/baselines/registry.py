"""Rivals by name: each is a file of that name in this folder with one function `run`."""

from __future__ import annotations

import importlib
import inspect
from types import MappingProxyType
from typing import Any

from .._rng import RandomLike, make_rng
from .._validation import InputError, closest, shown
from ..data import InterventionalData, check_data
from .result import BaselineResult

EXTRA_OF = MappingProxyType(
    {
        "changes": None,
        "dcdi": "neural",
        "diffintersort": None,
        "ease": None,
        "gies": "baselines",
        "igsp": None,
        "intersort": None,
        "intersort_paper": None,
        "interventional_bic": None,
        "local_search": None,
        "mean_shift": None,
        "pacer": "neural",
        "pc": "baselines",
        "permscore": "baselines",
        "r2_sort": None,
        "random": None,
        "score_matching": None,
        "sort_ranking": None,
        "var_sort": None,
    }
)
"""The extra that each rival needs, or None."""


def available() -> list[str]:
    """Names that `run` takes, whether what they need is installed or not.

    >>> from intersort import baselines
    >>> baselines.available()[:4]
    ['changes', 'dcdi', 'diffintersort', 'ease']
    """
    return sorted(EXTRA_OF)


def run(
    name: str, data: InterventionalData, *, rng: RandomLike = None, **settings: Any
) -> BaselineResult:
    """Order the variables of a screen by a rival method.

    Parameters
    ----------
    name : str
        One of :func:`available`; ``help(intersort.baselines.<name>)`` says its reference, its
        settings and what it cannot take.
    data : InterventionalData
        Rows and what was done to them.
    rng : int, Generator or None
        Seed; None is 0.
    **settings
        Settings of that rival. Those that depend on the kind of data, such as `epsilon`, have no
        default and are asked for.

    Returns
    -------
    BaselineResult

    Examples
    --------
    >>> from intersort import InterventionalData, baselines, simulate
    >>> chain = simulate.random_population([[0, 1], [0, 0]], "linear", noise="gaussian")
    >>> data = InterventionalData.from_arrays(*chain.screen(500, 50, [0, 1]), control=-1)
    >>> baselines.run("sort_ranking", data, epsilon=0.3).orders
    array([[0, 1]])
    """
    check_data(data, "baselines.run")
    if name not in EXTRA_OF:
        raise InputError(
            f"There is no rival {shown(name)}{closest(str(name), available()) or '.'} "
            f"Choose one of {', '.join(available())}."
        )
    function = importlib.import_module(f"{__package__}.{name}").run
    _check_settings(name, function, settings)
    result: BaselineResult = function(data, rng=make_rng(rng), **settings)
    return result


def _check_settings(name: str, function: Any, settings: dict[str, Any]) -> None:
    """Every setting is known and every one without a default is given."""
    known = {
        key: parameter
        for key, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and key != "rng"
    }
    for key in settings:
        if key not in known:
            takes = f"It takes {', '.join(known)}." if known else "It takes none."
            raise InputError(f"{name} has no setting {key!r}{closest(key, list(known))}. {takes}")
    missing = [key for key, p in known.items() if p.default is p.empty and key not in settings]
    if missing:
        raise InputError(
            f"{name} needs {' and '.join(missing)}, which depends on the kind of data and is not "
            f"guessed: run({name!r}, data, {missing[0]}=…)."
        )
