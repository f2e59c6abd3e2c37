"""What the user already knows about the order: pairs, tiers, who comes first and who last."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from .._typing import BoolArray, IntArray
from .._validation import InputError, closest, shown

Variable: TypeAlias = str | int
"""A variable by its name or by the position of its column."""

_Arc: TypeAlias = tuple[int, str]
"""Where an arc leads, and which of the four statements it comes from."""


@dataclass(frozen=True)
class Knowledge:
    """Precedences that every order has to honour.

    Variables are given by name or by column position. Lists may be empty, pairs may be repeated,
    and whatever follows from two statements holds as well.

    Parameters
    ----------
    before : list of pairs
        ``(a, b)``: a precedes b.
    tiers : list of lists
        Every variable of an earlier tier precedes every one of a later tier. Variables of one
        tier are in any order among themselves, and those in no tier are free.
    first, last : lists
        These precede, or follow, all other variables, in any order among themselves.

    Raises
    ------
    InputError
        Here for what is no list of variables; where it is used, for names that no variable has
        and for statements that contradict each other, with the shortest cycle spelled out.

    Examples
    --------
    >>> import intersort
    >>> weights = [[0, 0, 0], [3, 0, 0], [2, 1, 0]]
    >>> intersort.exact_order(weights).order
    array([2, 1, 0])
    >>> known = intersort.Knowledge(before=[("x0", "x1")])
    >>> intersort.exact_order(weights, knowledge=known)
    ExactOrder x2 → x0 → x1
      score 3, proven optimal, the only one, found by exact_order
    """

    before: Sequence[tuple[Variable, Variable]] = ()
    tiers: Sequence[Sequence[Variable]] = ()
    first: Sequence[Variable] = ()
    last: Sequence[Variable] = ()

    def __post_init__(self) -> None:
        pairs = tuple(_read_variables(pair, "before") for pair in _read_list(self.before, "before"))
        for pair in pairs:
            if len(pair) != 2:
                raise InputError(
                    f"Each entry of before must be a pair (a, b), a before b; got {shown(pair)}."
                )
        tiers = tuple(_read_variables(tier, "tiers") for tier in _read_list(self.tiers, "tiers"))
        object.__setattr__(self, "before", pairs)
        object.__setattr__(self, "tiers", tiers)
        object.__setattr__(self, "first", _read_variables(self.first, "first"))
        object.__setattr__(self, "last", _read_variables(self.last, "last"))


def required_pairs(knowledge: Knowledge | None, names: Sequence[str]) -> BoolArray | None:
    """Which variables must precede which, with all that follows; None where nothing is known.

    Returns
    -------
    Boolean array of shape (d, d), or None
        Entry (a, b) says that a must precede b.

    Examples
    --------
    >>> from intersort.orders.knowledge import Knowledge, required_pairs
    >>> known = Knowledge(before=[("a", "b"), ("b", "c")])
    >>> required_pairs(known, ["a", "b", "c"]).astype(int)
    array([[0, 1, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """
    if knowledge is None:
        return None
    if not isinstance(knowledge, Knowledge):
        raise InputError(
            f"knowledge must be a Knowledge, not {type(knowledge).__name__}; make one with "
            "Knowledge(before=[(a, b)], tiers=[[…], […]], first=[…], last=[…]), or read a file "
            "with read_knowledge(path)."
        )
    arcs = _draw_arcs(knowledge, names)
    sequence = _sort_nodes(arcs)
    if len(sequence) < len(arcs):
        raise _contradiction(_shortest_cycle(arcs, set(sequence), len(names)), names)
    reach = np.zeros((len(arcs), len(names)), dtype=np.bool_)
    for node in reversed(sequence):
        for other, _ in arcs[node]:
            reach[node] |= reach[other]
            if other < len(names):
                reach[node, other] = True
    required = reach[: len(names)]
    return required if required.any() else None


def check_obeys(order: IntArray, required: BoolArray | None, names: Sequence[str]) -> None:
    """Refuse an initial order that breaks what is required."""
    if required is None:
        return
    reordered = required[np.ix_(order, order)]
    later, earlier = np.nonzero(np.tril(reordered))
    if later.size:
        a, b = names[order[later[0]]], names[order[earlier[0]]]
        more = f", and so are {later.size - 1} more pairs" if later.size > 1 else ""
        raise InputError(
            f"The initial order breaks what is known: {shown(a)} must precede {shown(b)} and is "
            f"behind it{more}. Start from an order that honours the knowledge, or from none."
        )


# --- reading ------------------------------------------------------------------------------------


_CONTENT = {"before": "pairs (a, b)", "tiers": "lists of names or column positions"}


def make_obedient(order: IntArray, knowledge: Knowledge | None, names: Sequence[str]) -> IntArray:
    """Move variables back in an order, as little as it takes to honour the knowledge.

    >>> make_obedient(np.array([2, 1, 0]), Knowledge(before=[(0, 2)]), ("a", "b", "c"))
    array([1, 0, 2])
    """
    required = required_pairs(knowledge, names)
    if required is None:
        return order
    n_missing = required.sum(axis=0)
    obedient = np.empty_like(order)
    waiting = [int(variable) for variable in order]
    for place in range(order.size):
        variable = next(variable for variable in waiting if n_missing[variable] == 0)
        waiting.remove(variable)
        n_missing -= required[variable]
        obedient[place] = variable
    return obedient


def _read_list(values: Any, what: str) -> list[Any]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(
            f"{what} must be a list of {_CONTENT.get(what, 'names or column positions')}; "
            f"got {shown(values)}."
        )
    # a set of text iterates in another sequence in every process
    return sorted(values, key=repr) if isinstance(values, set | frozenset) else list(values)


def _read_variables(values: Any, what: str) -> tuple[Variable, ...]:
    return tuple(_read_variable(value, what) for value in _read_list(values, what))


def _read_variable(value: Any, what: str) -> Variable:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_):
        return int(value)
    raise InputError(
        f"{what} must hold names (text) or column positions (whole numbers); got {shown(value)}."
    )


def _find(variable: Variable, names: Sequence[str], columns: Mapping[str, int]) -> int:
    """The column of a variable. Text is a name first, and a position if no name is a number."""
    if isinstance(variable, str):
        if variable in columns:
            return columns[variable]
        are_numbers = any(_is_whole(name) for name in names)
        if are_numbers or not _is_whole(variable):
            raise InputError(
                f"The knowledge names {shown(variable)}, which no variable is called"
                f"{closest(variable, names) or '.'} Take a name of a variable or its column "
                "position, counted from 0."
            )
        variable = int(variable)
    if not 0 <= variable < len(names):
        raise InputError(
            f"The knowledge names column {variable}, and columns run from 0 to {len(names) - 1}. "
            "Take a name of a variable or its column position."
        )
    if columns.get(str(variable), variable) != variable:
        raise InputError(
            f"Is {variable} in the knowledge the column position or the variable called "
            f"{shown(str(variable))}? Give its name as text."
        )
    return variable


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


# --- what follows -------------------------------------------------------------------------------


def _draw_arcs(knowledge: Knowledge, names: Sequence[str]) -> list[list[_Arc]]:
    """A graph of the variables and of one further node for each set that follows another.

    The further nodes stand between two sets, so that tiers of a thousand variables need two
    thousand arcs and no million.
    """
    columns = {name: column for column, name in enumerate(names)}

    def find(variables: Sequence[Variable]) -> list[int]:
        return [_find(variable, names, columns) for variable in variables]

    arcs: list[list[_Arc]] = [[] for _ in names]

    def put_between(sources: Iterable[int], followers: Iterable[int], statement: str) -> int:
        arcs.append([(follower, statement) for follower in followers])
        for source in sources:
            arcs[source].append((len(arcs) - 1, statement))
        return len(arcs) - 1

    for a, b in dict.fromkeys(tuple(find(pair)) for pair in knowledge.before):
        arcs[a].append((b, "before"))
    tiers = [list(dict.fromkeys(find(tier))) for tier in knowledge.tiers]
    _check_tiers(tiers, names)
    for number, tier in enumerate(tiers[:-1]):
        node = put_between(tier, tiers[number + 1], "tiers")
        if number:
            arcs[node - 1].append((node, "tiers"))
    first, last = set(find(knowledge.first)), set(find(knowledge.last))
    others = range(len(names))
    if first:
        put_between(sorted(first), [v for v in others if v not in first], "first")
    if last:
        put_between([v for v in others if v not in last], sorted(last), "last")
    return arcs


def _check_tiers(tiers: list[list[int]], names: Sequence[str]) -> None:
    tier_of: dict[int, int] = {}
    for number, tier in enumerate(tiers, start=1):
        for variable in tier:
            if variable in tier_of:
                raise InputError(
                    f"{shown(names[variable])} stands in tiers {tier_of[variable]} and {number}; "
                    "a variable can be in one tier or in none."
                )
            tier_of[variable] = number


def _sort_nodes(arcs: list[list[_Arc]]) -> list[int]:
    """Nodes, each after all that lead to it; those on or behind a cycle are missing."""
    n_waiting = [0] * len(arcs)
    for leads_to in arcs:
        for other, _ in leads_to:
            n_waiting[other] += 1
    sequence = [node for node, n in enumerate(n_waiting) if n == 0]
    for node in sequence:  # grows while it is read
        for other, _ in arcs[node]:
            n_waiting[other] -= 1
            if n_waiting[other] == 0:
                sequence.append(other)
    return sequence


def _shortest_cycle(
    arcs: list[list[_Arc]], done: set[int], n_variables: int
) -> list[tuple[int, str]]:
    """The variables of a shortest cycle, each with the statement that leads to the next one."""
    best: list[tuple[int, str]] = []
    for start in range(n_variables):
        if start not in done:
            found = _cycle_through(start, arcs, n_variables, len(best) or n_variables + 1)
            best = found or best
        if len(best) == 1:
            break
    return best


def _cycle_through(
    start: int, arcs: list[list[_Arc]], n_variables: int, shorter_than: int
) -> list[tuple[int, str]]:
    """A shortest cycle through a variable, if shorter; further nodes are passed for nothing."""
    came_from: dict[int, tuple[int, str]] = {}
    queue = deque([(0, start)])
    while queue:
        steps, node = queue.popleft()
        steps += node < n_variables
        if steps >= shorter_than:
            continue
        for other, statement in arcs[node]:
            if other == start:
                came_from[start] = (node, statement)
                return _walk_back(start, came_from, n_variables)
            if other in came_from:
                continue
            came_from[other] = (node, statement)
            # those that cost no step are visited at once, so that distances never fall
            (queue.append if other < n_variables else queue.appendleft)((steps, other))
    return []


def _walk_back(
    start: int, came_from: Mapping[int, tuple[int, str]], n_variables: int
) -> list[tuple[int, str]]:
    cycle: list[tuple[int, str]] = []
    node = start
    while not cycle or node != start:
        node, statement = came_from[node]
        if node < n_variables:
            cycle.append((node, statement))
    return cycle[::-1]


def _contradiction(cycle: list[tuple[int, str]], names: Sequence[str]) -> InputError:
    steps = [
        f"{shown(names[a])} before {shown(names[b])} ({statement})"
        for (a, statement), (b, _) in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    ]
    return InputError(
        f"The knowledge contradicts itself: {', '.join(steps)}. Take one of these out."
    )
