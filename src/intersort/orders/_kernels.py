"""Compiled inner loops of the searches over orders.

Weights come as the |I| × d block of an `OrderScore`, with `row_of[v]` the row of variable v in it
or −1. `_net(…, v, u)` is what an order gains by putting v before u instead of behind it.
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
def _sweep(weights, row_of, order, i, threshold):
    """Try to put position i elsewhere, from the first place to the last, by running sums.

    Returns the first place whose gain exceeds the threshold, or −1, and the largest gain seen
    (of all places, if none was good enough; staying gains 0).
    """
    v = order[i]
    largest = 0.0
    target = -1
    gain = 0.0
    for place in range(i - 1, -1, -1):
        gain += _net(weights, row_of, v, order[place])
        largest = max(largest, gain)
        if gain > threshold:
            target = place
    if target >= 0:
        return target, largest
    gain = 0.0
    for place in range(i + 1, order.size):
        gain -= _net(weights, row_of, v, order[place])
        largest = max(largest, gain)
        if gain > threshold:
            return place, largest
    return -1, largest


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
def _loosen(weights, row_of, order, i, j, slack, largest_gain):
    """Correct the bound on every variable's best gain for the move of one from i to j.

    All that changed for another variable is on which side, or how far, the moved one stands: the
    gain of a place is what it was, or that plus or minus the pair's net weight.
    """
    moved = order[j]
    first, last = min(i, j), max(i, j)
    for place in range(order.size):
        v = order[place]
        if v == moved:
            largest_gain[v] = np.inf
            continue
        change = _net(weights, row_of, moved, v)
        if (i < j) != (first <= place <= last):
            change = -change
        if change > 0.0:
            largest_gain[v] += change
        largest_gain[v] += slack


@kernel
def improve(weights, row_of, order, largest_gain, margin, moves):
    """Accept the first improving move, start again, until none is left or `moves` is full.

    `largest_gain[v]` bounds what moving v can gain, so that a variable whose bound does not
    exceed the margin is passed over: the accepted moves are those of a full scan. The bounds are
    kept for the next call; at the first they are infinite.
    """
    n_moves = 0
    slack = 1e-3 * margin  # more than rounding adds to a bound at one move
    i = 0
    while i < order.size and n_moves < moves.shape[0]:
        v = order[i]
        if largest_gain[v] <= margin:
            i += 1
            continue
        j, largest = _sweep(weights, row_of, order, i, margin)
        if j < 0:
            largest_gain[v] = largest
            i += 1
            continue
        _shift(order, i, j)
        _loosen(weights, row_of, order, i, j, slack, largest_gain)
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
def improve_deep(weights, row_of, orders, gains, margin, moves):
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
                j, _ = _sweep(weights, row_of, orders[last], i, margin - gains[last])
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

    `reach[v]` holds, one bit a variable, what can be reached from v, v itself included.
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
