"""Compiled inner loops of the certificate.

A pair i < j of n variables has the number i (2n − i − 1) / 2 + j − i − 1, and s of a pair is +1
where i precedes j, −1 where j precedes i. Of a triple i < j < k the numbers of its pairs ij, jk
and ik stand in a row of `rows`: every order has −1 ≤ s_ij + s_jk − s_ik ≤ 1.
"""

from __future__ import annotations

import numpy as np

from ..._numba import kernel

# --- triples ------------------------------------------------------------------------------------


@kernel
def _pair(n, i, j):
    return i * (2 * n - i - 1) // 2 + j - i - 1


@kernel
def write_rows(n, codes, rows):
    """Decode triples (i n + j) n + k into the numbers of their pairs."""
    for t in range(codes.size):
        k = codes[t] % n
        j = codes[t] // n % n
        i = codes[t] // (n * n)
        rows[t, 0] = _pair(n, i, j)
        rows[t, 1] = _pair(n, j, k)
        rows[t, 2] = _pair(n, i, k)


@kernel
def _violation(s, weight, share, p, q, r):
    """How far the triple's sum leaves [−1, 1], times the least weight of its pairs plus a share."""
    total = abs(s[p] + s[q] - s[r]) - 1.0
    return total * (share + min(weight[p], weight[q], weight[r]))


@kernel
def find_violated(n, s, weight, share, least, histogram, codes):
    """Write the codes of triples violated by more than `least`, as many as fit; their number.

    With `codes` empty they are counted by size instead: bin b of the histogram holds violations
    in least · 2^[b / 8, (b + 1) / 8).
    """
    found = 0
    for i in range(n):
        for j in range(i + 1, n):
            p = _pair(n, i, j)
            q = _pair(n, j, j + 1)
            r = _pair(n, i, j + 1)
            for k in range(j + 1, n):
                if abs(s[p] + s[q] - s[r]) > 1.0:
                    size = _violation(s, weight, share, p, q, r)
                    if size > least and codes.size == 0:
                        histogram[min(int(8.0 * np.log2(size / least)), histogram.size - 1)] += 1
                    elif size > least and found < codes.size:
                        codes[found] = (i * n + j) * n + k
                        found += 1
                q += 1
                r += 1
    return found


# --- the relaxation -----------------------------------------------------------------------------


@kernel
def fold(rows, y, cut_start, cut_pair, cut_coefficient, z, folded):
    """Add up, for every pair, what the duals of triples and cuts take from its weight."""
    folded[:] = 0.0
    for t in range(y.size):
        if y[t] != 0.0:
            folded[rows[t, 0]] += y[t]
            folded[rows[t, 1]] += y[t]
            folded[rows[t, 2]] -= y[t]
    for c in range(z.size):
        if z[c] > 0.0:
            for e in range(cut_start[c], cut_start[c + 1]):
                folded[cut_pair[e]] += cut_coefficient[e] * z[c]


@kernel
def iterate(
    b,
    low,
    high,
    rows,
    cut_start,
    cut_pair,
    cut_coefficient,
    cut_limit,
    steps,
    s,
    y,
    z,
    folded,
    ahead,
    s_sum,
    y_sum,
    z_sum,
):
    """Primal-dual steps (Chambolle and Pock): max b·s against the duals, sums for the average.

    `steps` is (number, primal step, dual step). The dual of a triple may have either sign, its
    cost is its absolute value; the dual of a cut is not negative, and costs the cut's limit.
    """
    primal_step = steps[1]
    dual_step = steps[2]
    for _ in range(int(steps[0])):
        for p in range(b.size):
            value = s[p] + primal_step * (b[p] - folded[p])
            value = min(max(value, low[p]), high[p])
            ahead[p] = 2.0 * value - s[p]
            s[p] = value
            s_sum[p] += value
            folded[p] = 0.0
        for t in range(y.size):
            value = y[t] + dual_step * (ahead[rows[t, 0]] + ahead[rows[t, 1]] - ahead[rows[t, 2]])
            value = max(value - dual_step, 0.0) + min(value + dual_step, 0.0)
            y[t] = value
            if value != 0.0:
                y_sum[t] += value
                folded[rows[t, 0]] += value
                folded[rows[t, 1]] += value
                folded[rows[t, 2]] -= value
        for c in range(z.size):
            value = -cut_limit[c]
            for e in range(cut_start[c], cut_start[c + 1]):
                value += cut_coefficient[e] * ahead[cut_pair[e]]
            value = z[c] + dual_step * value
            if value <= 0.0:
                z[c] = 0.0
                continue
            z[c] = value
            z_sum[c] += value
            for e in range(cut_start[c], cut_start[c + 1]):
                folded[cut_pair[e]] += cut_coefficient[e] * value


# --- orders and fixed pairs -----------------------------------------------------------------------


@kernel
def close_fixed(n, low, high, ahead):
    """Fix what fixed pairs imply; False if they contradict each other.

    `ahead` is n × n working space.
    """
    ahead[:] = False
    for i in range(n):
        for j in range(i + 1, n):
            p = _pair(n, i, j)
            if low[p] > high[p]:
                return False
            ahead[i, j] = low[p] == 1.0
            ahead[j, i] = high[p] == -1.0
    for k in range(n):
        for i in range(n):
            if ahead[i, k]:
                for j in range(n):
                    if ahead[k, j]:
                        ahead[i, j] = True
    for i in range(n):
        if ahead[i, i]:
            return False
        for j in range(i + 1, n):
            p = _pair(n, i, j)
            if ahead[i, j]:
                low[p] = 1.0
                high[p] = 1.0
            elif ahead[j, i]:
                low[p] = -1.0
                high[p] = -1.0
    return True


@kernel
def improve_order(net, forced, order, margin):
    """Put every variable at its best place until no move gains more than the margin."""
    n = order.size
    moved = True
    while moved:
        moved = False
        for v in range(n):
            place = 0
            while order[place] != v:
                place += 1
            best = margin
            target = place
            gain = 0.0
            for q in range(place - 1, -1, -1):
                if forced[order[q], v]:
                    break
                gain += net[v, order[q]]
                if gain > best:
                    best = gain
                    target = q
            gain = 0.0
            for q in range(place + 1, n):
                if forced[v, order[q]]:
                    break
                gain -= net[v, order[q]]
                if gain > best:
                    best = gain
                    target = q
            if target == place:
                continue
            moved = True
            step = 1 if target > place else -1
            for q in range(place, target, step):
                order[q] = order[q + step]
            order[target] = v


# --- odd cycles of triples (zero-half cuts) -----------------------------------------------------


@kernel
def link_pairs(n, s, longest, start, links, lengths):
    """Link pairs that share a tight triple, the third pair being near one of its bounds.

    A link has the slack of the triple plus that of the bound for its length, and is odd where
    their right-hand sides add up to an odd number. With `links` empty, only counts are added
    to `start`. A row of `links`: (other pair, odd, triple, 6 · side + 3 · bound + third pair).
    """
    fill = links.shape[0] > 0
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                ij, jk, ik = _pair(n, i, j), _pair(n, j, k), _pair(n, i, k)
                total = s[ij] + s[jk] - s[ik]
                for side in range(2):
                    slack = max(0.0, 0.5 * (1.0 - total if side == 0 else 1.0 + total))
                    if slack >= longest:
                        continue
                    for third in range(3):
                        other, one, two = ij, jk, ik
                        if third == 1:
                            other, one = jk, ij
                        elif third == 2:
                            other, two = ik, ij
                        for bound in range(2):
                            near = 0.5 * (1.0 - s[other] if bound == 0 else 1.0 + s[other])
                            if slack + near >= longest:
                                continue
                            if not fill:
                                start[one] += 1
                                start[two] += 1
                                continue
                            for _ in range(2):
                                e = start[one]
                                start[one] += 1
                                links[e, 0] = two
                                links[e, 1] = 1 if side != bound else 0
                                links[e, 2] = (i * n + j) * n + k
                                links[e, 3] = 6 * side + 3 * bound + third
                                lengths[e] = slack + max(near, 0.0) + 1e-9
                                one, two = two, one


@kernel
def _push(heap, states, size, key, state):
    """Put a state into the heap; returns the new size."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if heap[above] <= key:
            break
        heap[place] = heap[above]
        states[place] = states[above]
        place = above
    heap[place] = key
    states[place] = state
    return size + 1


@kernel
def _pop(heap, states, size):
    """Take the first state off the heap; returns the new size."""
    size -= 1
    key = heap[size]
    state = states[size]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        if below + 1 < size and heap[below + 1] < heap[below]:
            below += 1
        if heap[below] >= key:
            break
        heap[place] = heap[below]
        states[place] = states[below]
        place = below
    heap[place] = key
    states[place] = state
    return size


@kernel
def find_odd_cycle(root, limit, start, links, lengths, distance, entered, seen, heap, states):
    """Find the shortest odd closed walk through a pair; returns (where its halves meet, n seen).

    A state is 2 · pair + parity of the walk from the root; the walk's halves reach the meeting
    pair with different parities. −1 if none is shorter than the limit. `distance` must be
    infinite on entry; the first `n seen` of `seen` are the states to reset.
    """
    best = limit
    meeting = -1
    distance[2 * root] = 0.0
    entered[2 * root] = -1
    seen[0] = 2 * root
    n_seen = 1
    size = _push(heap, states, 0, 0.0, 2 * root)
    while size > 0:
        so_far = heap[0]
        state = states[0]
        size = _pop(heap, states, size)
        if so_far > distance[state]:
            continue
        if 2.0 * so_far >= best:
            break
        if distance[state ^ 1] <= so_far and so_far + distance[state ^ 1] < best:
            best = so_far + distance[state ^ 1]
            meeting = state >> 1
        for e in range(start[state >> 1], start[(state >> 1) + 1]):
            reached = 2 * links[e, 0] + ((state & 1) ^ links[e, 1])
            length = so_far + lengths[e]
            if 2.0 * length < best and length < distance[reached] and size < heap.size:
                if np.isinf(distance[reached]):
                    seen[n_seen] = reached
                    n_seen += 1
                distance[reached] = length
                entered[reached] = e
                size = _push(heap, states, size, length, reached)
    return meeting, n_seen


# --- packing ------------------------------------------------------------------------------------


@kernel
def pack_circles(n, left, least, ends):
    """Take circles of three of at least this weight, their first variable between the ends.

    `left` holds what is left of each pair's net weight, in single precision; returns what is
    taken in all. What single precision cannot subtract exactly it leaves smaller.
    """
    taken = 0.0
    shrink = np.float32(1.0 - 2.0**-22)
    for i in range(ends[0], ends[1]):
        for j in range(i + 1, n):
            p = _pair(n, i, j)
            turn = np.float32(1.0 if left[p] > 0.0 else -1.0)
            weight = turn * left[p]
            q = _pair(n, j, j + 1)
            r = _pair(n, i, j + 1)
            for _ in range(j + 1, n):
                if weight < least:
                    break
                onward, back = turn * left[q], -turn * left[r]
                if onward >= least and back >= least:
                    part = min(weight, onward, back)
                    if part < np.inf:
                        weight = (weight - part) * shrink
                        left[q] = turn * (onward - part) * shrink
                        left[r] = -turn * (back - part) * shrink
                        taken += part
                q += 1
                r += 1
            left[p] = turn * weight
    return taken


@kernel
def pack_rows(rows, left, least, y):
    """Take circles of three of at least this weight among the rows, into their duals."""
    for t in range(y.size):
        first, second, third = left[rows[t, 0]], left[rows[t, 1]], -left[rows[t, 2]]
        turn = 1.0 if first > 0.0 else -1.0
        part = min(turn * first, turn * second, turn * third)
        if part >= least:
            y[t] += turn * part
            left[rows[t, 0]] -= turn * part
            left[rows[t, 1]] -= turn * part
            left[rows[t, 2]] += turn * part
