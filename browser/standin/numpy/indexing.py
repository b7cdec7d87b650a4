"""Parts of arrays: views, and elements that arrays of indices choose."""

import operator

from .arrays import BOOL, INT, asarray, made_of, ndarray
from .layout import broadcast_shape, offsets


def indexed(array_, index):
    """A view; or the addresses of the blocks that arrays choose, the shape of all, their size."""
    index = list(index) if isinstance(index, tuple) else [index]
    index = [asarray(i) if isinstance(i, list | tuple | range) else i for i in index]
    used = sum(i.ndim if _is_mask(i) else i is not None for i in index if i is not ...)
    if not any(i is ... for i in index):
        index.append(...)
    at, axis = array_._at, 0
    shape, strides, chosen = [], [], []  # chosen: (place in the shape, the indices, the stride)
    for i in index:
        if i is ...:
            more = array_.ndim - used
            shape += array_.shape[axis : axis + more]
            strides += array_.strides[axis : axis + more]
            axis += more
        elif i is None:
            shape.append(1)
            strides.append(0)
        elif isinstance(i, slice):
            first, last, step = i.indices(array_.shape[axis])
            shape.append(len(range(first, last, step)))
            at += first * array_.strides[axis] if shape[-1] else 0
            strides.append(step * array_.strides[axis])
            axis += 1
        elif isinstance(i, ndarray) and (i.shape or _is_mask(i)):
            for part in i.nonzero() if i.dtype is BOOL else [i]:
                chosen.append((len(shape), _checked(part, array_.shape[axis]), array_.strides[axis]))
                axis += 1
        else:
            n, length = operator.index(i), array_.shape[axis]
            if not -length <= n < length:
                raise IndexError(f"index {n} is out of bounds for axis {axis} with size {length}")
            at += (n % length) * array_.strides[axis]
            axis += 1
    if not chosen:
        return array_._view(at, shape, strides), None, None, array_.dtype.itemsize
    return None, *_chosen(at, shape, strides, chosen, array_.dtype.itemsize)


def _is_mask(i):
    return isinstance(i, ndarray) and i.dtype is BOOL


def _checked(part, length):
    """Indices counted from the start; refuses others."""
    values = part.values()
    if values and not -length <= min(values) <= max(values) < length:
        raise IndexError(f"an index is out of bounds for an axis with size {length}")
    return made_of([n % length for n in values], part.shape, INT)


def _chosen(at, shape, strides, chosen, size):
    """The addresses of chosen elements, or blocks of them, the shape they have, and the size of a block."""
    both = broadcast_shape(*(part.shape for _, part, _ in chosen))
    columns = [[n * step for n in part.broadcast(both).values()] for _, part, step in chosen]
    places = [sum(column) for column in zip(*columns, strict=True)]
    together = len({place for place, _, _ in chosen}) == 1
    cut = chosen[0][0] if together else 0
    whole = *shape[:cut], *both, *shape[cut:]
    while len(shape) > cut and strides[-1] == size:  # neighbours in memory: one block
        size *= shape.pop()
        strides.pop()
    before = offsets(at, shape[:cut], strides[:cut])
    after = offsets(0, shape[cut:], strides[cut:])
    return [a + b + c for a in before for b in places for c in after], whole, size
