"""Where elements lie, shapes, and sums."""


def offsets(at, shape, strides):
    """The address of every element, in C order."""
    places = [at]
    for length, step in zip(shape, strides, strict=True):
        if step:
            places = [place + by for place in places for by in range(0, length * step, step)]
        else:
            places = [place for place in places for _ in range(length)]
    return places


def c_strides(shape, size):
    """The distances between neighbours along each axis, in C order."""
    strides = []
    for length in reversed(shape):
        strides.append(size)
        size *= length
    return tuple(reversed(strides))


def broadcast_shape(*shapes):
    """The shape that these have together."""
    most = max(map(len, shapes))
    columns = zip(*(((1,) * (most - len(shape)) + tuple(shape)) for shape in shapes), strict=True)
    return tuple(_one_length(column) for column in columns)


def _one_length(column):
    lengths = {length for length in column if length != 1}
    if len(lengths) > 1:
        raise ValueError(f"operands could not be broadcast together: {sorted(lengths)}")
    return lengths.pop() if lengths else 1


def total(row):
    """The sum of floats in the order numpy adds them up: in eight lanes, halves of long rows first."""
    if len(row) < 8:
        return sum_in_order(row)
    if len(row) <= 128:
        lanes = list(row[:8])
        whole = len(row) - len(row) % 8
        for n in range(8, whole):
            lanes[n % 8] += row[n]
        a, b, c, d, e, f, g, h = lanes
        return sum_in_order(row[whole:], ((a + b) + (c + d)) + ((e + f) + (g + h)))
    half = len(row) // 2
    half -= half % 8
    return total(row[:half]) + total(row[half:])


def sum_in_order(row, start=0.0):
    """The sum from left to right; Python's own compensates for rounding."""
    for value in row:
        start += value
    return start
