"""Compiled inner loops of the searches over orders.

Weights come as the |I| × d block of an `OrderScore`, with `row_of[v]` the row of variable v in it
or −1. `_net(…, v, u)` is what an order gains by putting v before u instead of behind it.
`required[v, u]` says that v must precede u; it is 0 × 0 where nothing is known.
"""

from __future__ import annotations

import numpy as np

from .._numba import kernel

# --- local search -------------------------------------------------------------------------------


@kernel
def _net(weights, row_of, v, u):
    gain = 0.0
    if row_of[v] >= 0:
        gain += weights[row_of[v], u]
    if row_of[u] >= 0:
        gain -= weights[row_of[u], v]
    return gain


@kernel
def _window(required, order, i):
    """First and last place that position i may take without breaking what is required."""
    low, high = 0, order.size - 1
    if required.size == 0:
        return low, high
    v = order[i]
    low = high = i
    while low > 0 and not required[order[low - 1], v]:
        low -= 1
    while high < order.size - 1 and not required[v, order[high + 1]]:
        high += 1
    return low, high


@kernel
def _sweep(weights, row_of, required, order, i, threshold):
    """First place where position i gains more than the threshold, or −1, by running sums."""
    low, high = _window(required, order, i)
    v = order[i]
    target = -1
    gain = 0.0
    for place in range(i - 1, low - 1, -1):
        gain += _net(weights, row_of, v, order[place])
        if gain > threshold:
            target = place
    if target >= 0:
        return target
    gain = 0.0
    for place in range(i + 1, high + 1):
        gain -= _net(weights, row_of, v, order[place])
        if gain > threshold:
            return place
    return -1


@kernel
def _shift(order, i, j):
    """Take position i out and put it in at j."""
    v = order[i]
    if i < j:
        for place in range(i, j):
            order[place] = order[place + 1]
    else:
        for place in range(i, j, -1):
            order[place] = order[place - 1]
    order[j] = v


@kernel
def _fill_gains(weights, row_of, order, i, gains):
    """Write what the variable at position i gains at every place, by running sums."""
    v = order[i]
    gains[i] = 0.0
    for place in range(i - 1, -1, -1):
        gains[place] = gains[place + 1] + _net(weights, row_of, v, order[place])
    for place in range(i + 1, order.size):
        gains[place] = gains[place - 1] - _net(weights, row_of, v, order[place])


@kernel
def _add(gains, first, end, change, margin):
    """Add to the gains of some places; True if one of them now improves."""
    improves = False
    for place in range(first, end):
        gains[place] += change
        improves |= gains[place] > margin
    return improves


@kernel
def _pull(gains, first, end, change, margin):
    """The same where each place first takes over the gain of the next one."""
    improves = False
    for place in range(first, end):
        gains[place] = gains[place + 1] + change
        improves |= gains[place] > margin
    return improves


@kernel
def _push(gains, first, end, change, margin):
    """The same where each place first takes over the gain of the one before."""
    improves = False
    for place in range(end - 1, first - 1, -1):
        gains[place] = gains[place - 1] + change
        improves |= gains[place] > margin
    return improves


@kernel
def _follow(gains, net, place, i, j, margin):
    """Correct the gains of the variable now at `place` for the move of another from i to j.

    A variable outside the stretch from i to j passes the moved one later or earlier than before,
    which concerns the places within; one inside now has it on its other side, which concerns the
    places outside. Within, all others have stepped aside by one place. `net` is what standing
    before the moved one gains.
    """
    size = gains.size
    if i < j:
        if place < i:
            return _pull(gains, i, j, net, margin)
        if place > j:
            return _pull(gains, i + 1, j + 1, net, margin)
        improves = _add(gains, 0, i, -net, margin) | _pull(gains, i, j, 0.0, margin)
        return improves | _add(gains, j, size, -net, margin)
    if place < j:
        return _push(gains, j, i, -net, margin)
    if place > i:
        return _push(gains, j + 1, i + 1, -net, margin)
    improves = _add(gains, i + 1, size, net, margin) | _push(gains, j + 1, i + 1, 0.0, margin)
    return improves | _add(gains, 0, j + 1, net, margin)


@kernel
def improve(weights, row_of, required, order, gains, may_improve, margin, moves):
    """Accept the first improving move, start again, until none is left or `moves` is full.

    `gains[v]` holds what v gains at every place, and is corrected after each move, so that only
    variables that `may_improve` are looked at again: the accepted moves are those of a full scan.
    At the first call all may, and the gains need no values yet. What a move makes legal lies
    within its stretch, where gains are looked at again anyway.
    """
    n_moves = 0
    i = 0
    while i < order.size and n_moves < moves.shape[0]:
        v = order[i]
        if not may_improve[v]:
            i += 1
            continue
        _fill_gains(weights, row_of, order, i, gains[v])  # afresh: no rounding piles up
        j, last = _window(required, order, i)
        while j <= last and gains[v, j] <= margin:
            j += 1
        if j > last:
            may_improve[v] = False
            i += 1
            continue
        _shift(order, i, j)
        for place in range(order.size):
            other = order[place]
            if place != j:
                net = _net(weights, row_of, other, v)
                if _follow(gains[other], net, place, i, j, margin):
                    may_improve[other] = True
        moves[n_moves, 0] = i
        moves[n_moves, 1] = j
        n_moves += 1
        i = 0
    return n_moves


@kernel
def _gain(weights, row_of, order, i, j):
    gain = 0.0
    for place in range(min(i, j), max(i, j) + 1):
        if place != i:
            gain += _net(weights, row_of, order[i], order[place])
    return gain if j < i else -gain


@kernel
def _next_move(moves, level, size):
    """Step to the next (i, j), j ≠ i, j fastest; False after the last."""
    moves[level, 1] += 1
    if moves[level, 1] == moves[level, 0]:
        moves[level, 1] += 1
    if moves[level, 1] >= size:
        moves[level, 0] += 1
        moves[level, 1] = 1 if moves[level, 0] == 0 else 0
    return moves[level, 0] < size


@kernel
def improve_deep(weights, row_of, required, orders, gains, margin, moves):
    """Find the first run of `depth` moves that improves `orders[0]`; True if there is one.

    `orders[k]` is the order after the first k moves and `gains[k]` what these gained: the last
    move is found by running sums, those before it are tried one by one, the first slowest.
    """
    depth, size = orders.shape
    last = depth - 1
    gains[0] = 0.0
    level = 0
    moves[0, 0] = 0
    moves[0, 1] = -1
    while level >= 0:
        if level == last:
            for i in range(size):
                j = _sweep(weights, row_of, required, orders[last], i, margin - gains[last])
                if j >= 0:
                    _shift(orders[last], i, j)
                    moves[last, 0] = i
                    moves[last, 1] = j
                    return True
            level -= 1
            continue
        if not _next_move(moves, level, size):
            level -= 1
            continue
        i, j = moves[level, 0], moves[level, 1]
        low, high = _window(required, orders[level], i)
        if j < low or j > high:
            continue
        gains[level + 1] = gains[level] + _gain(weights, row_of, orders[level], i, j)
        orders[level + 1] = orders[level]
        _shift(orders[level + 1], i, j)
        level += 1
        moves[level, 0] = 0
        moves[level, 1] = -1
    return False


# --- SORTRANKING --------------------------------------------------------------------------------


@kernel
def _has(reach, v, u):
    return (reach[v, u >> 6] >> np.uint64(u & 63)) & np.uint64(1) == np.uint64(1)


@kernel
def add_edges(sources, children, reach, accepted):
    """Add edges one after another, each unless it would close a cycle.

    `reach[v]` holds, one bit a variable, what can be reached from v, v itself included; it comes
    with what must follow v.
    """
    n_variables, n_words = reach.shape
    for v in range(n_variables):
        reach[v, v >> 6] |= np.uint64(1) << np.uint64(v & 63)
    for edge in range(sources.size):
        source, child = sources[edge], children[edge]
        if _has(reach, child, source):
            accepted[edge] = False
            continue
        accepted[edge] = True
        if _has(reach, source, child):
            continue
        for ancestor in range(n_variables):
            if _has(reach, ancestor, source) and not _has(reach, ancestor, child):
                for word in range(n_words):
                    reach[ancestor, word] |= reach[child, word]


@kernel
def sort_topologically(starts, children, n_parents, order):
    """Order the variables by generations; each one's children stand in `children`.

    The first generation is in column order; a child joins the queue with its last parent.
    """
    end = 0
    for v in range(n_parents.size):
        if n_parents[v] == 0:
            order[end] = v
            end += 1
    place = 0
    while place < end:
        v = order[place]
        for edge in range(starts[v], starts[v + 1]):
            child = children[edge]
            n_parents[child] -= 1
            if n_parents[child] == 0:
                order[end] = child
                end += 1
        place += 1


# --- exact order --------------------------------------------------------------------------------


@kernel
def sum_subsets(weights, sums):
    """`sums[subset, v]` is the sum of the rows in `subset` (one bit a row) of column v."""
    n_rows, n_columns = weights.shape
    for row in range(n_rows):
        half = 1 << row
        for subset in range(half):
            for v in range(n_columns):
                sums[half + subset, v] = sums[subset, v] + weights[row, v]


@kernel
def _values_of_last(low, high, values, subset, candidates):
    """Value of the best order of `subset` that ends in v, for each v in it; the best of them.

    What v gains as the last one is a sum over the subset, looked up in two halves.
    """
    n_low = low.shape[0] - 1
    low_part, high_part = subset & n_low, subset // (n_low + 1)
    best = -np.inf
    for v in range(low.shape[1]):
        bit = 1 << v
        if subset & bit:
            candidates[v] = values[subset ^ bit] + (low[low_part, v] + high[high_part, v])
            best = max(best, candidates[v])
    return best


@kernel
def solve_subsets(low, high, tolerance, values, counts, candidates):
    """Fill the value of the best order of every subset and the number of orders tied with it."""
    values[0] = 0.0
    counts[0] = 1
    for subset in range(1, values.size):
        best = _values_of_last(low, high, values, subset, candidates)
        n_tied = 0
        for v in range(low.shape[1]):
            bit = 1 << v
            if subset & bit and candidates[v] >= best - tolerance:
                n_tied += counts[subset ^ bit]
        values[subset] = best
        counts[subset] = n_tied


@kernel
def unrank_orders(low, high, tolerance, values, counts, numbers, candidates, orders):
    """Write the order that has each number 0 … n − 1 in the list of all that were counted."""
    n_variables = low.shape[1]
    for sample in range(numbers.size):
        number = numbers[sample]
        subset = values.size - 1
        for place in range(n_variables - 1, -1, -1):
            best = _values_of_last(low, high, values, subset, candidates)
            for v in range(n_variables):
                bit = 1 << v
                if subset & bit and candidates[v] >= best - tolerance:
                    if number < counts[subset ^ bit]:
                        orders[sample, place] = v
                        subset ^= bit
                        break
                    number -= counts[subset ^ bit]


@kernel
def best_order(low, high, values, candidates, order):
    """Write an order of the best value; among equals the highest column comes last."""
    subset = values.size - 1
    for place in range(order.size - 1, -1, -1):
        best = _values_of_last(low, high, values, subset, candidates)
        for v in range(order.size - 1, -1, -1):
            if subset & (1 << v) and candidates[v] == best:
                order[place] = v
                subset ^= 1 << v
                break
