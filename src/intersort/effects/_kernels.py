"""Compiled loops of the 1-Wasserstein distance on sorted columns.

A control column is its sorted values other than zero, a number of zeros between them (none for
dense data), and running sums of both. A position is a place on the quantile function times the
number of control values, so that the value of rank r fills the positions from r to r + 1.
"""

import math

import numpy as np

from .._numba import kernel

LARGEST = 1e290  # beside a scaled sample beyond this, the control's values (about one) vanish


@kernel
def sort_rows(bits, keys, others, tallies):
    """Sort rows of float64, seen as int64, in place: radix sort by digits of 11 bits.

    keys, others (uint64, a row long) and tallies (6 × 2048) are scratch. Flipping bits turns the
    order of floats into that of unsigned integers; NaN, whose sign bit must be unset, comes last.
    Three digits, from the highest bit that varies, leave most rows nearly in order: insertions do
    the rest, or all six digits where these are too many.
    """
    sign = np.int64(-0x8000000000000000)
    for row in range(bits.shape[0]):
        common = ~np.uint64(0)
        any_of = np.uint64(0)
        for index in range(keys.size):
            value = bits[row, index]
            key = np.uint64(value ^ ((value >> 63) | sign))
            keys[index] = key
            common &= key
            any_of |= key
        low = np.uint64(0)
        while (common ^ any_of) >> low >= np.uint64(1) << np.uint64(33):
            low += np.uint64(1)
        done = sort_by_digits(keys, others, low, 3, tallies)
        if not settle(done):
            done = sort_by_digits(keys, others, np.uint64(0), 6, tallies)
        for index in range(keys.size):
            value = np.int64(done[index])
            bits[row, index] = value ^ (~(value >> 63) | sign)


@kernel
def sort_by_digits(keys, others, low, n_digits, tallies):
    """Sort keys by digits of 11 bits from bit `low` on; returns the array that holds the result."""
    digit = np.uint64(2047)
    tallies[:n_digits] = 0
    for index in range(keys.size):
        key = keys[index] >> low
        for place in range(n_digits):
            tallies[place, (key >> np.uint64(11 * place)) & digit] += 1
    taken = keys
    given = others
    for place in range(n_digits):
        tally = tallies[place]
        shift = low + np.uint64(11 * place)
        if tally[(taken[0] >> shift) & digit] == keys.size:
            continue  # this digit is the same everywhere
        below = 0
        for value in range(2048):
            count = tally[value]
            tally[value] = below
            below += count
        for index in range(keys.size):
            key = taken[index]
            value = (key >> shift) & digit
            given[tally[value]] = key
            tally[value] += 1
        taken, given = given, taken
    return taken


@kernel
def settle(keys):
    """Insert keys that are nearly in order where they belong; False if that takes too long."""
    steps = 0
    for index in range(1, keys.size):
        key = keys[index]
        place = index
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            place -= 1
        keys[place] = key
        steps += index - place
        if steps > keys.size:
            return False
    return True


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
def mean_size(row, n_other, n_sample):
    """Mean absolute value, zeros counted: the distance of a sample far beyond the control."""
    mean = 0.0
    for index in range(n_other):
        mean += abs(row[index]) / n_sample
    return mean


@kernel
def first_not_below(values, below, zeros, zero, low, high, sample):
    """The first rank from low to high whose control value is not below the sample."""
    while low < high:
        middle = (low + high) >> 1
        if value_at(values, below, zeros, zero, middle) < sample:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def place_row(values, running, below, zeros, count, scale, shift, zero, row, row_zeros):
    """1-Wasserstein distance in scaled units of one sorted sample; −1 where it has no value.

    Each sample owns as many positions as any other. It is compared with the control values at
    both ends of them; only where it lies between is the crossing searched for, in these ranks.
    (A helper for the whole inner part would read better; it made the loop three times slower.)
    """
    n_other = count_values(row)
    n_sample = n_other + row_zeros
    if n_sample == 0 or count == 0:
        return -1.0
    if n_other > 0 and max(-row[0], row[n_other - 1]) * scale > LARGEST:
        return scale * mean_size(row, n_other, n_sample)
    waiting = row_zeros
    step = count / float(n_sample)
    index = rank = low = 0
    area = start = sum_start = 0.0
    first = value_at(values, below, zeros, zero, 0)
    while rank < n_sample:
        if waiting > 0 and (index == n_other or row[index] > 0.0):
            sample = zero
            rank += waiting
            waiting = 0
        else:
            sample = row[index] * scale - shift
            index += 1
            rank += 1
        stop = rank * step if rank < n_sample else float(count)
        high = min(int(stop), count - 1)
        last = value_at(values, below, zeros, zero, high)
        sum_stop = sum_at(running, below, zeros, zero, high) + (stop - high) * last
        signed = sample * (stop - start) - (sum_stop - sum_start)
        if sample >= last:
            area += signed
        elif sample <= first:
            area -= signed
        else:
            crossing = first_not_below(values, below, zeros, zero, low, high, sample)
            under = sum_at(running, below, zeros, zero, crossing)
            area += sample * (2.0 * crossing - start - stop) - (2.0 * under - sum_start - sum_stop)
        start = stop
        low = high
        first = last
        sum_start = sum_stop
    return max(area, 0.0) / count


@kernel
def place_samples(
    columns, running, below, zeros, counts, scale, shift, samples, sample_zeros, distances
):
    """Distances of sorted samples, one row a column and target, from their control column."""
    n_columns, n_targets = distances.shape
    for column in range(n_columns):
        for target in range(n_targets):
            distances[column, target] = place_row(
                columns[column],
                running[column],
                below[column],
                zeros[column],
                counts[column],
                scale[column],
                shift[column],
                -shift[column],
                samples[column * n_targets + target],
                sample_zeros[column, target],
            )


@kernel
def place_draws(columns, running, below, zeros, counts, shift, draws, drawn, distances):
    """Distances of draws from the control; a draw is a row of sorted numbers in [0, 1).

    `drawn` is scratch for one draw.
    """
    for column in range(columns.shape[0]):
        values = columns[column]
        count = counts[column]
        zero = -shift[column]
        for draw in range(draws.shape[0]):
            if count > 0:
                for rank in range(drawn.size):
                    place = min(int(draws[draw, rank] * count), count - 1)
                    drawn[rank] = value_at(values, below[column], zeros[column], zero, place)
            distances[column, draw] = place_row(
                values,
                running[column],
                below[column],
                zeros[column],
                count,
                1.0,
                0.0,
                zero,
                drawn,
                0,
            )


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
