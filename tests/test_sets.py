"""Sets of spaces: operators and loops mean the same compiled, in Python, and for Python's own sets."""

import numba
import numpy as np
import pytest

from smallcity_env.library import kernels
from smallcity_env.rules.spaces import (
    EVERYWHERE,
    NOWHERE,
    Spaces,
    at,
    each,
    fits,
    nonempty,
    of,
    touching,
    under,
)
from smallcity_env.rules.tables import SPACES, shapes

HALF = SPACES // 2
kernels.prepare()


def spaces(members: set[int]) -> Spaces:
    words = [sum(1 << space for space in members if space < HALF)]
    words.append(sum(1 << (space - HALF) for space in members if space >= HALF))
    return Spaces(*map(np.uint64, words))


@numba.njit
def combined(a, b):
    c, d, e = a, a, a
    c &= b
    d |= b
    e -= b
    return (a & b, a | b, a - b), (c, d, e)


@numba.njit
def walked(a, order):
    n = 0
    for space in each(a):
        order[n] = space
        n += 1
    return n


def in_python(a, b):
    return (a & b, a | b, a - b)


@pytest.mark.parametrize("seed", range(20))
def test_operators_are_those_of_sets(seed: int) -> None:
    chance = np.random.default_rng(seed)
    one, other = (set(np.flatnonzero(chance.random(SPACES) < 0.3).tolist()) for _ in range(2))
    expected = tuple(map(spaces, (one & other, one | other, one - other)))
    assert combined(spaces(one), spaces(other)) == (expected, expected)
    assert in_python(spaces(one), spaces(other)) == expected


@pytest.mark.parametrize("members", [set(), {0}, {99}, {49, 50}, set(range(100)), {3, 47, 51, 98}])
def test_a_loop_goes_in_reading_order(members: set[int]) -> None:
    for a in (spaces(members), np.array(spaces(members), np.uint64)):  # a set, and the field of a record
        order = np.zeros(SPACES, np.int64)
        assert order[: walked(a, order)].tolist() == sorted(members)


def test_an_empty_set_is_true_so_emptiness_has_a_name() -> None:
    assert NOWHERE and EVERYWHERE
    assert not nonempty(NOWHERE) and nonempty(at(3))


@pytest.mark.parametrize("way", range(len(shapes.WAYS)))
def test_tiles_lie_on_the_spaces_of_their_drawing(way: int) -> None:
    """A set of anchors at a time, across the middle of the map too."""
    offsets = shapes.OFFSET[way, : shapes.LENGTH[way]].tolist()
    possible = list(each(of(shapes.ANCHORS[way])))
    chance = np.random.default_rng(way)
    for share in (0.05, 0.5, 1.0):
        anchors = {anchor for anchor in possible if chance.random() < share}
        lain = {anchor: {anchor + offset for offset in offsets} for anchor in possible}
        assert under(way, spaces(anchors)) == spaces({s for anchor in anchors for s in lain[anchor]})
        floor = {space for space in range(SPACES) if chance.random() < (1 + share) / 2}
        assert fits(way, spaces(floor)) == spaces({anchor for anchor in possible if lain[anchor] <= floor})
        touched = {anchor for anchor in possible if lain[anchor] & anchors}
        assert touching(way, spaces(anchors)) & of(shapes.ANCHORS[way]) == spaces(touched)
