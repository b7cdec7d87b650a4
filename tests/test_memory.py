"""Vectors: what rules write, count and choose many at a time is the same on every processor and in Python."""

import pytest
from numba.core.registry import cpu_target

from smallcity_env.rules._cache import levels

from .interpreter import PLAIN, run_python

SCRIPT = """
import numpy as np
from smallcity_env.rules._flags import NONE, nth, number, read, with_spaces, write as write_mask
from smallcity_env.rules._jit import entry
from smallcity_env.rules._memory import add_code, new_codes, write_codes, write_set
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.observe import ALL_BITS, ALL_THINGS

VALUE, HALF = np.float32(0.3), 50

@entry
def write(numbers, planes, codes, whole, sets, legal, answers):
    write_set(numbers, 1, sets[0], VALUE)
    write_set(planes, 1, sets[1], 1)
    each_space = new_codes()
    for k in range(len(sets)):
        add_code(each_space, sets[k], 1 << k)
    write_codes(codes, 1, each_space, whole)
    flags = read(legal[0])
    answers[0] = number(flags)
    for n in range(answers[0] + 1):
        answers[n + 1] = nth(flags, n)
    write_mask(legal[1], flags)
    write_mask(legal[2], with_spaces(NONE, sets[0]))
    write_mask(legal[3], with_spaces(flags, sets[0]))

chance = np.random.default_rng(0)
spaces = np.arange(2 * HALF)
for first, whole in [(0, ALL_THINGS), (0, ALL_BITS), (100, ALL_BITS), (200, ALL_BITS)]:
    each_code = (first + spaces) % (int(whole) + 1)
    bits = (each_code >> np.arange(8)[:, None] & 1).astype(np.uint64).reshape(8, 2, HALF)
    sets = (bits << np.arange(HALF, dtype=np.uint64)).sum(axis=2)
    legal, answers = chance.random((4, ACTIONS)) < first / 200, np.zeros(ACTIONS + 2, np.int64)
    numbers, planes, codes = (np.full(103, 9, kind) for kind in (np.float32, np.uint8, np.float32))
    write(numbers, planes, codes, whole, sets, legal, answers)
    assert (numbers[1:101] == np.where(each_code & 1, VALUE, 0)).all()
    assert (planes[1:101] == (each_code >> 1 & 1)).all()
    assert (codes[1:101] == each_code.astype(np.float32) / whole).all()
    assert all((out[[0, 101, 102]] == 9).all() for out in (numbers, planes, codes))
    assert answers[1 : answers[0] + 2].tolist() == [*np.flatnonzero(legal[0]), -1]
    marked = np.arange(ACTIONS) < 2 * HALF
    marked[marked] = each_code & 1
    assert (legal[1:] == [legal[0], marked, legal[0] | marked]).all()
"""


@pytest.mark.parametrize("processor", ["generic", *levels(cpu_target.target_context.codegen())])
def test_vectors_are_right_on_every_processor(processor: str) -> None:
    run_python("-c", SCRIPT, env={"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""})


def test_vectors_are_right_in_python() -> None:
    run_python("-c", SCRIPT, env=PLAIN)
