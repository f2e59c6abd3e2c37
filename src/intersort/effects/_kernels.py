"""Compiled loops of the 1-Wasserstein distance on sorted columns.

A control column is its sorted values other than zero, a number of zeros between them (none for
dense data), and running sums of both. A position is a place on the quantile function times the
number of control values, so that the value of rank r fills the positions from r to r + 1.
"""

import math

import numpy as np

from .._numba import kernel

LARGEST = 1e300  # a sample this many powers of two beyond the control is cut here, not infinite


@kernel
def count_values(row):
    """Values before the missing ones, which stand last in a sorted row."""
    count = row.size
    while count > 0 and np.isnan(row[count - 1]):
        count -= 1
    return count


@kernel
def power_of_two(largest):
    """The power of two that brings `largest` to about one, so that squares stay finite."""
    if largest == 0.0:
        return 1.0
    exponent = math.frexp(largest)[1]
    return math.ldexp(1.0, -min(1000, max(-1000, exponent)))


@kernel
def mean_of(row, count, zeros, scale):
    """Mean of the scaled values and the zeros, summed with Neumaier's compensation."""
    total = 0.0
    lost = 0.0
    for index in range(count):
        value = row[index] * scale
        new = total + value
        if abs(total) >= abs(value):
            lost += (total - new) + value
        else:
            lost += (value - new) + total
        total = new
    return (total + lost) / (count + zeros)


@kernel
def centre_columns(columns, zeros, below, counts, scale, shift, sd):
    """Centre and scale sorted columns in place; fill what is needed to do it to a sample.

    below: values under the zeros (all values where there are no zeros); counts: values and zeros;
    the scaled and centred value is x · scale − shift; sd is that of the scaled values.
    """
    for column in range(columns.shape[0]):
        row = columns[column]
        count = count_values(row)
        counts[column] = count + zeros[column]
        below[column] = count
        scale[column] = 1.0
        shift[column] = 0.0
        sd[column] = 0.0
        if counts[column] == 0:
            continue
        if zeros[column] > 0:
            below[column] = np.searchsorted(row[:count], 0.0)
        lowest = row[0] if count > 0 else 0.0
        highest = row[count - 1] if count > 0 else 0.0
        if zeros[column] > 0:
            lowest = min(lowest, 0.0)
            highest = max(highest, 0.0)
        scale[column] = power_of_two(max(abs(lowest), abs(highest)))
        if lowest == highest:  # not a matter of rounding: every value is the same
            shift[column] = lowest * scale[column]
        else:
            shift[column] = mean_of(row, count, zeros[column], scale[column])
        squares = zeros[column] * shift[column] * shift[column]
        remainder = -zeros[column] * shift[column]
        for index in range(count):
            row[index] = row[index] * scale[column] - shift[column]
            squares += row[index] * row[index]
            remainder += row[index]
        remainder /= counts[column]
        if lowest < highest:
            sd[column] = math.sqrt(squares / counts[column] - remainder * remainder)


@kernel
def sum_columns(columns, below, zeros, counts, running):
    """Running sums of the centred values, the zeros left out, with Neumaier's compensation."""
    for column in range(columns.shape[0]):
        total = 0.0
        lost = 0.0
        running[column, 0] = 0.0
        for index in range(counts[column] - zeros[column]):
            value = columns[column, index]
            new = total + value
            if abs(total) >= abs(value):
                lost += (total - new) + value
            else:
                lost += (value - new) + total
            total = new
            running[column, index + 1] = total + lost


@kernel
def value_at(values, below, zeros, zero, rank):
    """The control value of that rank, the zeros counted."""
    if rank < below:
        return values[rank]
    if rank < below + zeros:
        return zero
    return values[rank - zeros]


@kernel
def sum_at(running, below, zeros, zero, rank):
    """Sum of the control values of smaller rank."""
    if rank <= below:
        return running[rank]
    if rank <= below + zeros:
        return running[below] + (rank - below) * zero
    return running[rank - zeros] + zeros * zero


@kernel
def sum_to(values, running, below, zeros, zero, count, position):
    """Area under the control quantile function up to a position."""
    rank = int(position)
    if rank >= count:
        return sum_at(running, below, zeros, zero, count)
    part = position - rank
    return sum_at(running, below, zeros, zero, rank) + part * value_at(
        values, below, zeros, zero, rank
    )


@kernel
def area_between(values, running, below, zeros, zero, count, sample, start, stop, sums):
    """Area between one sample and the control quantile function from start to stop.

    The sample is compared with the two ends first; only where it lies between them is the
    crossing searched for, in the n / m ranks of its own interval.
    """
    signed = sample * (stop - start) - (sums[1] - sums[0])
    low = min(int(start), count - 1)
    high = min(math.ceil(stop), count) - 1
    if sample >= value_at(values, below, zeros, zero, high):
        return signed
    if sample <= value_at(values, below, zeros, zero, low):
        return -signed
    while low < high:  # the first rank whose value is not below the sample
        middle = (low + high) // 2
        if value_at(values, below, zeros, zero, middle) < sample:
            low = middle + 1
        else:
            high = middle
    crossing = sum_at(running, below, zeros, zero, low)
    return sample * (2.0 * low - start - stop) - (2.0 * crossing - sums[0] - sums[1])


@kernel
def place_row(values, running, below, zeros, count, scale, shift, row, row_zeros):
    """1-Wasserstein distance in scaled units of one sorted sample; −1 where it has no value."""
    n_other = count_values(row)
    n_sample = n_other + row_zeros
    if n_sample == 0 or count == 0:
        return -1.0
    zero = -shift
    waiting = row_zeros
    index = 0
    rank = 0
    start = 0.0
    sum_start = 0.0
    area = 0.0
    while rank < n_sample:
        if waiting > 0 and (index == n_other or row[index] > 0.0):
            sample = zero
            rank += waiting
            waiting = 0
        else:
            sample = min(LARGEST, max(-LARGEST, row[index] * scale - shift))
            index += 1
            rank += 1
        stop = rank * float(count) / n_sample
        sum_stop = sum_to(values, running, below, zeros, zero, count, stop)
        area += (
            area_between(
                values,
                running,
                below,
                zeros,
                zero,
                count,
                sample,
                start,
                stop,
                (sum_start, sum_stop),
            )
            / count
        )
        start = stop
        sum_start = sum_stop
    return max(area, 0.0)


@kernel
def place_samples(
    columns, running, below, zeros, counts, scale, shift, samples, sample_zeros, distances
):
    """Distances of sorted samples, one row a column and target, from their control column."""
    n_columns, n_targets = distances.shape
    for column in range(n_columns):
        for target in range(n_targets):
            row = column * n_targets + target
            distances[column, target] = place_row(
                columns[column],
                running[column],
                below[column],
                zeros[column],
                counts[column],
                scale[column],
                shift[column],
                samples[row],
                sample_zeros[column, target],
            )


@kernel
def place_draws(columns, running, below, zeros, counts, shift, draws, distances):
    """Distances of draws from the control itself; a draw is a row of sorted numbers in [0, 1)."""
    n_draws, n_sample = draws.shape
    for column in range(columns.shape[0]):
        values = columns[column]
        count = counts[column]
        zero = -shift[column]
        for draw in range(n_draws):
            start = 0.0
            sum_start = 0.0
            area = 0.0
            for rank in range(n_sample if count > 0 else 0):
                drawn = min(int(draws[draw, rank] * count), count - 1)
                sample = value_at(values, below[column], zeros[column], zero, drawn)
                stop = (rank + 1) * float(count) / n_sample
                sum_stop = sum_to(
                    values, running[column], below[column], zeros[column], zero, count, stop
                )
                area += area_between(
                    values, running[column], below[column], zeros[column], zero, count,
                    sample, start, stop, (sum_start, sum_stop),
                ) / count  # fmt: skip
                start = stop
                sum_start = sum_stop
            distances[column, draw] = max(area, 0.0)


@kernel
def group_entries(indptr, entry_groups, entries, offsets, grouped):
    """Sort the stored entries of sparse columns by group; group −1 is left out.

    offsets[column, group] is where that group's entries begin; the last one is where they end.
    """
    n_groups = offsets.shape[1] - 1
    for column in range(offsets.shape[0]):
        start = indptr[column]
        stop = indptr[column + 1]
        for group in range(n_groups + 1):
            offsets[column, group] = 0
        for index in range(start, stop):
            if entry_groups[index] >= 0 and entries[index] != 0.0:
                offsets[column, entry_groups[index] + 1] += 1
        offsets[column, 0] = start
        for group in range(n_groups):
            offsets[column, group + 1] += offsets[column, group]
        for index in range(start, stop):
            group = entry_groups[index]
            if group >= 0 and entries[index] != 0.0:
                grouped[offsets[column, group]] = entries[index]
                offsets[column, group] += 1
        for group in range(n_groups, 0, -1):
            offsets[column, group] = offsets[column, group - 1]
        offsets[column, 0] = start


@kernel
def spread_entries(offsets, grouped, groups, samples):
    """Write the entries of some groups into the rows of a block that is filled with NaN."""
    n_groups = groups.size
    for column in range(offsets.shape[0]):
        for place in range(n_groups):
            start = offsets[column, groups[place]]
            for index in range(start, offsets[column, groups[place] + 1]):
                samples[column * n_groups + place, index - start] = grouped[index]
