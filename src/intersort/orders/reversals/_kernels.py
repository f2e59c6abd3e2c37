"""Compiled inner loops of the costs of reversal, and of drawing among orders that are tied.

`net[a, b]` is what an order gains by a before b over b before a; `required[a, b]` says that a must
precede b, and is 0 × 0 where nothing is known.
"""

from __future__ import annotations

import numpy as np

from ..._numba import kernel

# --- exactly --------------------------------------------------------------------------------------


@kernel
def best_by_first(low, high, values, members, best):
    """Fill the value of the best order that has a before b, for every pair.

    An order with a before b has a first part that holds a and not b, so it is enough to look at
    every subset S as a first part: value(S) + value(rest) + what S gains before the rest. What v
    gains before the rest is a sum over it, looked up in two halves.
    """
    d = best.shape[0]
    n_low = low.shape[0]
    everything = values.size - 1
    for subset in range(1, everything):
        rest = everything ^ subset
        total = values[subset] + values[rest]
        n_inside, n_outside = 0, d
        for v in range(d):
            if subset >> v & 1:
                members[n_inside] = v
                n_inside += 1
                total += low[rest & (n_low - 1), v] + high[rest // n_low, v]
            else:
                n_outside -= 1
                members[n_outside] = v
        for first in range(n_inside):
            row = best[members[first]]
            for second in range(n_inside, d):
                row[members[second]] = max(row[members[second]], total)


# --- at least -------------------------------------------------------------------------------------


@kernel
def add_detours(losses, total):
    """To what reversing each pair loses itself, add what it loses by each third variable.

    With b before a, every k breaks a → k or k → b, and no loss is counted for two k.
    """
    n = losses.shape[0]
    for a in range(n):
        for k in range(n):
            loss = losses[a, k]
            if loss > 0.0 and k != a:
                for b in range(n):
                    total[a, b] += min(loss, losses[k, b])


@kernel
def widen(costs):
    """Close costs: with c before a, either a → b or b → c is reversed, for every b."""
    n = costs.shape[0]
    for k in range(n):
        for a in range(n):
            cost = costs[a, k]
            if cost > 0.0 and a != k:
                for b in range(n):
                    costs[a, b] = max(costs[a, b], min(cost, costs[k, b]))
                costs[a, a] = 0.0


# --- at most --------------------------------------------------------------------------------------


@kernel
def _is_required(required, v, u):
    return required.size > 0 and required[v, u]


@kernel
def _shift(order, i, j):
    """Take position i out and put it in at j."""
    v = order[i]
    step = 1 if i < j else -1
    for place in range(i, j, step):
        order[place] = order[place + step]
    order[j] = v


@kernel
def _best_place(net, required, order, i, first, second, margin):
    """The legal place where position i gains most, itself if nowhere more than the margin.

    `first` has to stay before `second`.
    """
    v = order[i]
    target, best, gain = i, margin, 0.0
    for place in range(i - 1, -1, -1):
        u = order[place]
        if _is_required(required, u, v) or (v == second and u == first):
            break
        gain += net[v, u]
        if gain > best:
            target, best = place, gain
    gain = 0.0
    for place in range(i + 1, order.size):
        u = order[place]
        if _is_required(required, v, u) or (v == first and u == second):
            break
        gain -= net[v, u]
        if gain > best:
            target, best = place, gain
    return target


@kernel
def descend(net, required, order, first, second, margin):
    """Put each variable at its best legal place until none gains; returns the passes made."""
    n_passes = 0
    improved = True
    while improved:
        improved = False
        n_passes += 1
        for i in range(order.size):
            j = _best_place(net, required, order, i, first, second, margin)
            if j != i:
                _shift(order, i, j)
                improved = True
    return n_passes


@kernel
def cost_of(net, rank, order):
    """What an order loses against the one with this rank: a sum over the pairs that differ."""
    lost = 0.0
    for later in range(order.size):
        v = order[later]
        for place in range(later):
            if rank[order[place]] > rank[v]:
                lost += net[v, order[place]]
    return lost


@kernel
def note_order(order, cost, costs):
    """Of every pair that this order has reversed, the cost is at most that of the order."""
    for later in range(order.size):
        v = order[later]
        for place in range(later):
            costs[v, order[place]] = min(costs[v, order[place]], cost)


@kernel
def _split(net, required, order, i, j, with_second, margin, moves, found):
    """Put position j before position i, and what stands between them on one side or the other.

    Either all that has to precede the second goes along with it, or all that has to follow the
    first goes along with that one.
    """
    a, b = order[i], order[j]
    for place in range(i, j + 1):
        moves[place] = place == (j if with_second else i)
    for step in range(1, j - i):
        x = j - step if with_second else i + step
        v = order[x]
        if _is_required(required, a, v) if with_second else _is_required(required, v, b):
            continue
        for place in range(i, j + 1):
            u = order[place]
            early, late = (v, u) if with_second else (u, v)
            if moves[place] and (net[early, late] > margin or _is_required(required, early, late)):
                moves[x] = True
                break
    found[:] = order
    place = i
    for goes in (True, False):
        for x in range(i, j + 1):
            if moves[x] == (goes == with_second):
                found[place] = order[x]
                place += 1


@kernel
def reverse_pair(net, required, order, rank, a, b, margin, moves, found, costs):
    """Look for two good orders with b before a, and fill what they cost; returns the work."""
    work = 0
    for with_second in range(2):
        trial = found[with_second]
        _split(net, required, order, rank[a], rank[b], with_second == 1, margin, moves, trial)
        work += order.size**2 * (3 + 2 * descend(net, required, trial, b, a, margin))
        costs[with_second] = cost_of(net, rank, trial)
    return work


@kernel
def insert_pairs(net, required, order, costs):
    """What it costs to move one variable past another and on to the best place behind it."""
    size = order.size
    gains = np.empty(size)
    for i in range(size):
        v = order[i]
        first, gain = i, 0.0
        for place in range(i - 1, -1, -1):
            if _is_required(required, order[place], v):
                break
            gain += net[v, order[place]]
            gains[place] = gain
            first = place
        best = -np.inf
        for place in range(first, i):
            best = max(best, gains[place])
            costs[order[place], v] = min(costs[order[place], v], max(-best, 0.0))
        last, gain = i, 0.0
        for place in range(i + 1, size):
            if _is_required(required, v, order[place]):
                break
            gain -= net[v, order[place]]
            gains[place] = gain
            last = place
        best = -np.inf
        for place in range(last, i, -1):
            best = max(best, gains[place])
            costs[v, order[place]] = min(costs[v, order[place]], max(-best, 0.0))


# --- drawing --------------------------------------------------------------------------------------


@kernel
def walk(net, required, order, deficit, most, variables, draws, gains):
    """Take variables out one by one and put each in at a place drawn from all that are tied.

    The order stays within `most` of the best one, from which it is now `deficit` away; every place
    that is legal and keeps to that is as likely as any other, so that in the long run all orders
    that can be reached are. Returns the deficit.
    """
    for step in range(variables.size):
        v = variables[step]
        i = 0
        while order[i] != v:
            i += 1
        gains[i] = 0.0
        low = high = i
        while low > 0 and not _is_required(required, order[low - 1], v):
            gains[low - 1] = gains[low] + net[v, order[low - 1]]
            low -= 1
        while high < order.size - 1 and not _is_required(required, v, order[high + 1]):
            gains[high + 1] = gains[high] - net[v, order[high + 1]]
            high += 1
        n_tied = 0
        for place in range(low, high + 1):
            n_tied += deficit - gains[place] <= most
        if n_tied == 0:
            continue
        number = min(int(draws[step] * n_tied), n_tied - 1)
        for place in range(low, high + 1):
            if deficit - gains[place] <= most:
                if number == 0:
                    deficit -= gains[place]
                    _shift(order, i, place)
                    break
                number -= 1
    return deficit
