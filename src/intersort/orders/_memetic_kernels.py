"""Compiled inner loops of the memetic search over orders.

`net[v, u]` is what an order gains by putting v before u instead of behind it. It holds whole
numbers so small that every sum of them is exact: no comparison depends on the order of summation,
and a descent cannot go in circles. A last row of zeros stands for nobody, and its number fills
up the orders to a multiple of eight places; columns are filled up with zeros likewise.

All insertions of all variables are looked at together. Where `running[u]` is the sum of `net[v, u]`
over the v that stand in the first k places, u gains ``running[u]`` more in the gap after place k
than at the very front. So one pass over the rows of `net` in the order of the places, adding each
to `running`, tells every variable's best gap; both the sum and the maximum are vector
instructions, which running sums for one variable after another are not.

Work is counted in places looked at one by one; eight looked at together count as one.
"""

# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from .._numba import kernel

# --- random numbers -----------------------------------------------------------------------------


@kernel
def below(state, end):
    """A whole number from 0 to end − 1, by Marsaglia's xorshift."""
    bits = state[0]
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    state[0] = bits
    return np.int64(((bits >> np.uint64(32)) * np.uint64(end)) >> np.uint64(32))


@kernel
def shuffle(order, n_variables, state):
    """Put 0 … n − 1 in random order."""
    for place in range(n_variables):
        order[place] = place
    for place in range(n_variables - 1, 0, -1):
        other = below(state, place + 1)
        order[place], order[other] = order[other], order[place]


# --- local search -------------------------------------------------------------------------------


@kernel
def sum_at_own_places(net, order, running, own, first, last):
    """Complete the sums of the variables at places first … last − 1, within these places."""
    for place in range(first, last):
        u = order[place]
        total = running[u]
        for earlier in range(first, place):
            total += net[order[earlier], u]
        own[u] = total


@kernel
def screen(net, order, n_variables, sums, near):
    """Find what each variable could gain at most, and eight places where it would.

    `sums` holds the running sums, their maxima, and the sums at the variables' own places; the
    gap of a maximum lies behind one of the places near[u] … near[u] + 7, or in front of them.
    """
    running, most, own = sums[0], sums[1], sums[2]
    running[:] = 0.0
    most[:] = 0.0
    near[:] = 0
    for first in range(0, n_variables, 8):
        sum_at_own_places(net, order, running, own, first, min(first + 8, n_variables))
        row0, row1 = net[order[first]], net[order[first + 1]]
        row2, row3 = net[order[first + 2]], net[order[first + 3]]
        row4, row5 = net[order[first + 4]], net[order[first + 5]]
        row6, row7 = net[order[first + 6]], net[order[first + 7]]
        for u in range(running.size):
            total = running[u] + row0[u]
            largest = total
            total += row1[u]
            largest = max(largest, total)
            total += row2[u]
            largest = max(largest, total)
            total += row3[u]
            largest = max(largest, total)
            total += row4[u]
            largest = max(largest, total)
            total += row5[u]
            largest = max(largest, total)
            total += row6[u]
            largest = max(largest, total)
            total += row7[u]
            largest = max(largest, total)
            running[u] = total
            better = largest > most[u]
            most[u] = largest if better else most[u]
            near[u] = first if better else near[u]


@kernel
def insert(row, order, place, low, high, margin):
    """Move the variable at `place` to its best place among low … high; give what it gains.

    `row[u]` is what it gains by standing before u. It stays where no place gains more than the
    margin.
    """
    variable = order[place]
    best, target = margin, place
    gain = 0.0
    for other in range(place - 1, low - 1, -1):
        gain += row[order[other]]
        if gain > best:
            best, target = gain, other
    gain = 0.0
    for other in range(place + 1, high + 1):
        gain -= row[order[other]]
        if gain > best:
            best, target = gain, other
    if target == place:
        return 0.0
    for other in range(place, target, -1):
        order[other] = order[other - 1]
    for other in range(place, target):
        order[other] = order[other + 1]
    order[target] = variable
    return best


@kernel
def legal_range(before, order, place, n_variables):
    """The first and last place that the variable at `place` may move to."""
    variable = order[place]
    low, high = place, place
    while low > 0 and not before[order[low - 1], variable]:
        low -= 1
    while high < n_variables - 1 and not before[variable, order[high + 1]]:
        high += 1
    return low, high


@kernel
def find(order, guess, n_variables, variable):
    """The place of a variable that stands not far from the guess."""
    low, high = guess, guess + 1
    while True:
        if low >= 0:
            if order[low] == variable:
                return low
            low -= 1
        if high < n_variables:
            if order[high] == variable:
                return high
            high += 1


@kernel
def choose(order, n_variables, sums, promising):
    """List the place and the variable of all that could gain; give their number."""
    most, own = sums[1], sums[2]
    n_promising = 0
    for place in range(n_variables):
        u = order[place]
        if most[u] > own[u]:
            promising[0, n_promising] = place
            promising[1, n_promising] = u
            n_promising += 1
    return n_promising


@kernel
def descend(net, before, order, sums, marks):
    """Insert variables where they gain most, until none gains; give the score and the work.

    The score of an order is the sum of `net` over all pairs of which the first comes first.
    """
    n_variables = net.shape[0] - 1
    near, promising = marks[0], marks[1:3]
    work = 0
    gained = 1.0
    while gained > 0.0:
        screen(net, order, n_variables, sums, near)
        work += n_variables * (net.shape[1] // 8)
        gained = 0.0
        for k in range(choose(order, n_variables, sums, promising)):
            u = promising[1, k]
            place = find(order, promising[0, k], n_variables, u)
            if before.size == 0:  # the best gap is near the screened one, though others moved
                low = min(place, near[u])
                high = max(place, min(near[u] + 8, n_variables - 1))
            else:
                low, high = legal_range(before, order, place, n_variables)
            gained += insert(net[u], order, place, low, high, 0.0)
            work += high - low + 1
    score = 0.0
    for u in range(n_variables):
        score += sums[2, u]
    return score, work


@kernel
def settle(weights, row_of, before, order, row, turns, progress, margin, budget):
    """Give variable after variable its best place in an order too long for a net of its own.

    `weights` is the |I| × d block of an `OrderScore`, with `row_of[v]` the row of v in it or −1.
    `progress` holds the next turn and the turns since the last gain: with d of these no single
    insertion gains more than the margin. Gives the gain and the work.
    """
    n_variables = order.size
    gained, work = 0.0, 0
    while work < budget and progress[1] < n_variables:
        variable = turns[progress[0]]
        progress[0] = (progress[0] + 1) % n_variables
        progress[1] += 1
        for u in range(n_variables):
            row[u] = weights[row_of[variable], u] if row_of[variable] >= 0 else 0.0
        for u in range(n_variables):
            if row_of[u] >= 0:
                row[u] -= weights[row_of[u], variable]
        place = 0
        while order[place] != variable:
            place += 1
        low, high = 0, n_variables - 1
        if before.size > 0:
            low, high = legal_range(before, order, place, n_variables)
        gain = insert(row, order, place, low, high, margin)
        work += 2 * n_variables
        if gain > 0.0:
            gained += gain
            progress[1] = 0
    return gained, work


# --- a population -------------------------------------------------------------------------------


@kernel
def write_rank(order, n_variables, rank):
    """Invert an order."""
    for place in range(n_variables):
        rank[order[place]] = place


@kernel
def cross(first, second, rank, child, n_variables, state):
    """Cycle crossover: every variable stands where one of its parents has it.

    `rank` is that of the first parent. Following the places whose variables the parents exchange
    closes cycles, and each cycle comes from one parent, either as likely.
    """
    child[:n_variables] = -1
    for start in range(n_variables):
        if child[start] >= 0:
            continue
        parent = first if below(state, 2) == 0 else second
        place = start
        while child[place] < 0:
            child[place] = parent[place]
            place = rank[second[place]]


@kernel
def repair(before, order, n_variables):
    """Move variables forward, no more than needed, until all required pairs are honoured.

    The next place goes to the first variable for which no one behind it must come earlier.
    """
    for place in range(n_variables):
        free = place - 1
        is_free = False
        while not is_free:
            free += 1
            is_free = True
            for other in range(place, n_variables):
                if before[order[other], order[free]]:
                    is_free = False
                    break
        variable = order[free]
        for other in range(free, place, -1):
            order[other] = order[other - 1]
        order[place] = variable


@kernel
def distance(rank, other):
    """Spearman's footrule: by how many places the variables are apart, summed."""
    total = 0
    for u in range(rank.size):
        total += abs(rank[u] - other[u])
    return total


@kernel
def draw_member(before, order, n_variables, state):
    """Put a random order that honours the required pairs."""
    shuffle(order, n_variables, state)
    if before.size > 0:
        repair(before, order, n_variables)


@kernel
def descend_members(net, before, orders, ranks, scores, sums, marks, state, first, last):
    """Descend from members first … last − 1, drawn at random if they have no score; the work."""
    n_variables = net.shape[0] - 1
    total = 0
    for member in range(first, last):
        if member > 0 and scores[member] == -np.inf:
            draw_member(before, orders[member], n_variables, state)
        scores[member], work = descend(net, before, orders[member], sums, marks)
        write_rank(orders[member], n_variables, ranks[member])
        total += work
    return total


@kernel
def seat(ranks, scores, radius):
    """Whom the child, last in the list, would replace, or −1 for nobody.

    A child no further than the radius from a member competes with the closest one, another with
    the worst, so that members keep their distance as long as the radius asks for it. Equal scores
    are taken for the same order.
    """
    size = scores.size - 1
    worst, closest, least = 0, -1, radius
    for member in range(size):
        if scores[member] == scores[size]:
            return -1
        if scores[member] < scores[worst]:
            worst = member
        apart = distance(ranks[member], ranks[size])
        if apart <= least:
            closest, least = member, apart
    rival = worst if closest < 0 else closest
    return rival if scores[size] > scores[rival] else -1


@kernel
def evolve(net, before, orders, ranks, scores, sums, marks, state, radius, budget):
    """Cross two members, descend from the child and let it compete, until the budget is spent.

    The last of `orders`, `ranks` and `scores` is the child's. Gives the work done.
    """
    n_variables, size = net.shape[0] - 1, scores.size - 1
    child = orders[size]
    total = 0
    while total < budget:
        first = below(state, size)
        second = below(state, size - 1)
        second += second >= first
        cross(orders[first], orders[second], ranks[first], child, n_variables, state)
        if before.size > 0:
            repair(before, child, n_variables)
        scores[size], work = descend(net, before, child, sums, marks)
        write_rank(child, n_variables, ranks[size])
        total += work + (8 + size // 8) * n_variables
        rival = seat(ranks, scores, radius)
        if rival >= 0:
            orders[rival] = child
            ranks[rival] = ranks[size]
            scores[rival] = scores[size]
    return total
