"""Compiled search over orders by local scores: grow–shrink regressions and insertion moves.

`RowSets` holds sums of squares and products, one matrix for each set of rows; no row is touched.
Each variable has a slot in `Fits` with the path that growing took from its predecessors: the
regressors in the order in which they came, the Cholesky factor of their products, and what each
took off the residual sum of squares. Two more slots are for trying.

A predecessor that is not on the path can go and nothing changes; one that comes changes nothing
where it is never the best step, which the factor tells without a look at the other predecessors
(`_enters`). So a move changes few local scores, and only these are computed. Growing and `_enters`
do the same arithmetic in the same order: the shortcut is exact, to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._numba import kernel


class RowSets(NamedTuple):
    """What is known of the rows, and the prices of a parent that follow from their number."""

    products: np.ndarray
    """(m, d, d): centred sums of products over the rows of each set."""
    set_of: np.ndarray
    """(d,): the set of rows in which a variable's own mechanism was at work."""
    n_rows: np.ndarray
    """(d,): how many these are."""
    price: np.ndarray
    """(d,): what a parent costs, in nats."""
    grow_share: np.ndarray
    """(d,): share of the residual sum of squares that a parent must take off to be worth it."""
    shrink_share: np.ndarray
    """(d,): share by which the residual may rise for a parent to go."""
    most_parents: np.ndarray
    """(d,): how many regressors the rows bear."""


class Fits(NamedTuple):
    """The regression of each variable on its predecessors, and two slots for trying."""

    size: np.ndarray
    """(d + 2,): length of the path."""
    path: np.ndarray
    """(d + 2, K): regressors in the order in which growing took them."""
    taken: np.ndarray
    """(d + 2, K): what each took off the residual sum of squares."""
    factor: np.ndarray
    """(d + 2, K, K): Cholesky factor of their products."""
    loading: np.ndarray
    """(d + 2, K): the child's products with the orthogonalised regressors, scaled."""
    residual: np.ndarray
    """(d + 2,): residual sum of squares after growing."""
    value: np.ndarray
    """(d + 2,): local score after shrinking, in nats; less is better."""
    kept: np.ndarray
    """(d + 2, K): 1 where a regressor outlived shrinking."""


class Work(NamedTuple):
    """Room for one regression and one look at all places of a variable."""

    candidates: np.ndarray
    variance: np.ndarray
    covariance: np.ndarray
    loadings: np.ndarray
    factor: np.ndarray
    inverse: np.ndarray
    fit: np.ndarray
    member: np.ndarray
    gains: np.ndarray


COLLINEAR = 1e-9
"""A candidate of which the chosen regressors leave less than this share is no candidate."""
PERFECT = 1e-12
"""Residuals are held to be no smaller than this share of the child's variance."""


# --- one regression -----------------------------------------------------------------------------


@kernel
def _grow(rows, fits, work, slot, child, n_candidates):
    """Take the best candidate, again and again, while it is worth its price."""
    products = rows.products[rows.set_of[child]]
    candidates, variance, covariance = work.candidates, work.variance, work.covariance
    path, factor = fits.path[slot], fits.factor[slot]
    total = products[child, child]
    residual = total
    for position in range(n_candidates):
        c = candidates[position]
        variance[position] = products[c, c]
        covariance[position] = products[c, child]
    fits.size[slot] = 0
    size = fits.size[slot]
    while size < rows.most_parents[child] and residual > PERFECT * total:
        best, best_taken = _best_step(products, candidates, variance, covariance, n_candidates)
        if best < 0 or best_taken <= rows.grow_share[child] * residual:
            break
        path[size] = candidates[best]
        fits.taken[slot, size] = best_taken
        pivot = np.sqrt(variance[best])
        fits.loading[slot, size] = covariance[best] / pivot
        for t in range(size):
            factor[size, t] = work.loadings[t, best]
        factor[size, size] = pivot
        residual -= best_taken
        _orthogonalise(products, work, size, best, pivot, fits.loading[slot, size], n_candidates)
        size += 1
    fits.size[slot] = size
    fits.residual[slot] = residual


@kernel
def _best_step(products, candidates, variance, covariance, n_candidates):
    """The candidate that takes most off the residual; of equals the lowest column."""
    best, best_taken = -1, 0.0
    for position in range(n_candidates):
        c = candidates[position]
        if variance[position] > COLLINEAR * products[c, c]:
            taken = covariance[position] * covariance[position] / variance[position]
            if taken > best_taken or (taken == best_taken and best >= 0 and c < candidates[best]):
                best, best_taken = position, taken
    return best, best_taken


@kernel
def _orthogonalise(products, work, size, best, pivot, loading, n_candidates):
    """Take the chosen regressor out of all candidates; itself it leaves without variance."""
    column, row = work.candidates[best], work.loadings[size]
    for position in range(n_candidates):
        row[position] = products[column, work.candidates[position]]
    for t in range(size):
        earlier = work.loadings[t]
        weight = earlier[best]
        for position in range(n_candidates):
            row[position] -= weight * earlier[position]
    for position in range(n_candidates):
        row[position] /= pivot
        work.variance[position] -= row[position] * row[position]
        work.covariance[position] -= row[position] * loading
    work.variance[best] = -1.0


@kernel
def _enters(rows, fits, work, slot, child, new):
    """Whether growing would take another turn if `new` were among the candidates."""
    products = rows.products[rows.set_of[child]]
    own, variance, covariance = products[new, new], products[new, new], products[new, child]
    size, row = fits.size[slot], work.fit
    for m in range(size + 1):
        if variance <= COLLINEAR * own:
            return False
        taken = covariance * covariance / variance
        if m == size:
            break
        least = fits.taken[slot, m]
        if taken > least or (taken == least and new < fits.path[slot, m]):
            return True
        value = products[fits.path[slot, m], new]
        for t in range(m):
            value -= fits.factor[slot, m, t] * row[t]
        row[m] = value / fits.factor[slot, m, m]
        variance -= row[m] * row[m]
        covariance -= row[m] * fits.loading[slot, m]
    residual = fits.residual[slot]
    can_grow = size < rows.most_parents[child] and residual > PERFECT * products[child, child]
    return can_grow and taken > rows.grow_share[child] * residual


@kernel
def _shrink(rows, fits, work, slot, child):
    """Let regressors go, the least needed first, while that pays; write the local score."""
    size = fits.size[slot]
    factor, fit, member = work.factor, work.fit, work.member
    for m in range(size):
        fit[m] = fits.loading[slot, m]
        member[m] = m
        fits.kept[slot, m] = 1
        for t in range(m + 1):
            factor[m, t] = fits.factor[slot, m, t]
    residual = fits.residual[slot]
    while size > 1:  # all that shrinking gains comes on top of growing: the last one pays
        least, rise = _least_needed(factor, fit, work.inverse, size)
        if rise >= rows.shrink_share[child] * residual:
            break
        fits.kept[slot, member[least]] = 0
        residual += _drop_row(factor, fit, member, least, size)
        size -= 1
    total = rows.products[rows.set_of[child], child, child]
    if total <= 0.0:
        fits.value[slot] = 0.0
    else:
        variance = max(residual, PERFECT * total) / rows.n_rows[child]
        fits.value[slot] = 0.5 * rows.n_rows[child] * np.log(variance) + rows.price[child] * size


@kernel
def _least_needed(factor, fit, inverse, size):
    """The regressor without which the residual rises least, and by how much it rises.

    With A = L Lᵀ the products and L⁻¹ in `inverse`, the rise is β² / (A⁻¹)ᵢᵢ.
    """
    least, least_rise = -1, np.inf
    for i in range(size):
        inverse[i, i] = 1.0 / factor[i, i]
        for m in range(i + 1, size):
            value = 0.0
            for t in range(i, m):
                value -= factor[m, t] * inverse[t, i]
            inverse[m, i] = value / factor[m, m]
        coefficient, diagonal = 0.0, 0.0
        for m in range(i, size):
            coefficient += inverse[m, i] * fit[m]
            diagonal += inverse[m, i] * inverse[m, i]
        rise = coefficient * coefficient / diagonal
        if rise < least_rise:
            least, least_rise = i, rise
    return least, least_rise


@kernel
def _drop_row(factor, fit, member, i, size):
    """Take a regressor out of the factor by rotations; what the residual rises by is returned."""
    for m in range(i, size - 1):
        member[m] = member[m + 1]
        for t in range(m + 2):
            factor[m, t] = factor[m + 1, t]
    for m in range(i, size - 1):
        length = np.sqrt(factor[m, m] * factor[m, m] + factor[m, m + 1] * factor[m, m + 1])
        cosine, sine = factor[m, m] / length, factor[m, m + 1] / length
        for row in range(m, size - 1):
            left, right = factor[row, m], factor[row, m + 1]
            factor[row, m] = cosine * left + sine * right
            factor[row, m + 1] = cosine * right - sine * left
        left, right = fit[m], fit[m + 1]
        fit[m] = cosine * left + sine * right
        fit[m + 1] = cosine * right - sine * left
    return fit[size - 1] * fit[size - 1]


@kernel
def _regress(rows, fits, work, slot, child, order, end, without, extra):
    """Fit `child` on what stands before place `end`, less one variable and with another.

    The child itself stands for no variable in both: it never is a candidate.
    """
    n_candidates = 0
    for place in range(end):
        if order[place] != without and order[place] != child:
            work.candidates[n_candidates] = order[place]
            n_candidates += 1
    if extra != child:
        work.candidates[n_candidates] = extra
        n_candidates += 1
    _grow(rows, fits, work, slot, child, n_candidates)
    _shrink(rows, fits, work, slot, child)


@kernel
def _is_on_path(fits, slot, variable):
    for m in range(fits.size[slot]):  # noqa: SIM110  Numba takes no generators
        if fits.path[slot, m] == variable:
            return True
    return False


# --- search -------------------------------------------------------------------------------------


@kernel
def _copy_fit(fits, source, slot):
    size = fits.size[source]
    fits.size[slot] = size
    fits.residual[slot] = fits.residual[source]
    fits.value[slot] = fits.value[source]
    for m in range(size):
        fits.path[slot, m] = fits.path[source, m]
        fits.taken[slot, m] = fits.taken[source, m]
        fits.loading[slot, m] = fits.loading[source, m]
        fits.kept[slot, m] = fits.kept[source, m]
        for t in range(m + 1):
            fits.factor[slot, m, t] = fits.factor[source, m, t]


@kernel
def _fill_gains(rows, fits, work, order, i):
    """Write into `gains` by how much the score falls if position i moves to each place.

    Passing one variable after the other changes two local scores a step: that of the variable
    that moves (kept in the first slot for trying) and that of the one that it passes.
    """
    v, gains = order[i], work.gains
    moving, trial = order.size, order.size + 1
    gains[i] = 0.0
    _copy_fit(fits, v, moving)
    for place in range(i - 1, -1, -1):
        u = order[place]
        gains[place] = gains[place + 1]
        if _is_on_path(fits, moving, u):
            gains[place] += fits.value[moving]
            _regress(rows, fits, work, moving, v, order, place, v, v)
            gains[place] -= fits.value[moving]
        if _enters(rows, fits, work, u, u, v):
            _regress(rows, fits, work, trial, u, order, place, u, v)
            gains[place] += fits.value[u] - fits.value[trial]
    _copy_fit(fits, v, moving)
    for place in range(i + 1, order.size):
        u = order[place]
        gains[place] = gains[place - 1]
        if _enters(rows, fits, work, moving, v, u):
            gains[place] += fits.value[moving]
            _regress(rows, fits, work, moving, v, order, place + 1, v, v)
            gains[place] -= fits.value[moving]
        if _is_on_path(fits, u, v):
            _regress(rows, fits, work, trial, u, order, place, v, u)
            gains[place] += fits.value[u] - fits.value[trial]


@kernel
def _move(rows, fits, work, order, i, j):
    """Take position i out, put it in at j, and fit again whatever that changes."""
    v = order[i]
    step = 1 if i < j else -1
    for place in range(i, j, step):
        order[place] = order[place + step]
    order[j] = v
    for place in range(i, j, step):
        u = order[place]
        changes = _is_on_path(fits, u, v) if i < j else _enters(rows, fits, work, u, u, v)
        if changes:
            _regress(rows, fits, work, u, u, order, place, u, u)
    _regress(rows, fits, work, v, v, order, j, v, v)


@kernel
def fit_order(rows, fits, work, order):
    """Fit every variable on all that stand before it."""
    for place in range(order.size):
        u = order[place]
        _regress(rows, fits, work, u, u, order, place, u, u)


@kernel
def descend(rows, fits, work, order, turns, margin):
    """Move one variable after the other to its best place until none gains above the margin."""
    fit_order(rows, fits, work, order)
    n_still = 0
    turn = 0
    while n_still < order.size:
        v = turns[turn % order.size]
        turn += 1
        n_still += 1
        i = 0
        while order[i] != v:
            i += 1
        _fill_gains(rows, fits, work, order, i)
        best = i
        for place in range(order.size):
            if work.gains[place] > work.gains[best] + margin:
                best = place
        if best != i:
            _move(rows, fits, work, order, i, best)
            n_still = 0
