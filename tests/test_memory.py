"""Vectors: what rules write, count and choose many at a time is the same on every processor and in Python."""

import pytest
from numba.core.registry import cpu_target

from smallcity_env.rules._cache import levels

from .interpreter import PLAIN, run_python

SCRIPT = """
import numpy as np
from smallcity_env.rules._flags import NONE, nth, number, read, with_spaces, write as write_mask
from smallcity_env.rules._jit import entry
from smallcity_env.rules._memory import LANES, VECTOR, add_code, add_row, new_codes, sets_of, write_codes
from smallcity_env.rules._memory import write_set, write_words
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.observe import ALL_BITS, ALL_THINGS

VALUE, HALF = np.float32(0.3), 50
new_sets = sets_of(3)

@entry
def write(numbers, planes, codes, whole, sets, legal, answers):
    write_set(numbers, 1, sets[0], VALUE)
    scratch = new_sets()
    scratch[2] = sets[1]
    write_set(planes, 1, scratch[0], 1)
    write_set(planes, 1, scratch[2], 1)
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

@entry
def write_rows(codes, amounts, rows, whole):
    some, others = new_codes(), new_codes()
    for k in range(len(rows)):
        add_row(some, others, rows[k], 2 * k, k + 1)
    write_codes(codes, 1, some, whole)
    write_codes(amounts, 1, others, whole)

@entry
def write_run(numbers, words, scales):
    write_words(numbers, 2, words, 1, scales)

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

rows = chance.integers(0, 3, (4, 2 * VECTOR + 6)).astype(np.uint8)
for whole in range(1, 256):  # every code there is, divided by every whole
    rows[0] = np.arange(whole, whole + rows.shape[1]) % 247
    codes, amounts = np.full(102, 9, np.float32), np.full(102, 9, np.float32)
    write_rows(codes, amounts, rows, np.float32(whole))
    added = np.stack([rows[k, 2 * k : 2 * k + 100] for k in range(4)])
    assert (codes[1:101] == added.sum(axis=0).astype(np.float32) / np.float32(whole)).all()
    marks = ((added > 0) * np.arange(1, 5)[:, None]).sum(axis=0)
    assert (amounts[1:101] == marks.astype(np.float32) / np.float32(whole)).all()
    assert (codes[[0, 101]] == 9).all() and (amounts[[0, 101]] == 9).all()

numbers, words = np.full(LANES + 3, 9, np.float32), np.arange(-8, LANES, dtype=np.int16)
scales = np.where(np.arange(LANES + 3) % 3, np.float32(0.1), np.float32(0))
write_run(numbers, words, scales)
expected = words[1 : LANES + 1] * scales[2 : LANES + 2]
assert (numbers[2 : LANES + 2] == expected).all() and not np.signbit(numbers[numbers == 0]).any()
assert (numbers[[0, 1, -1]] == 9).all()
"""


@pytest.mark.parametrize("processor", ["generic", *levels(cpu_target.target_context.codegen())])
def test_vectors_are_right_on_every_processor(processor: str) -> None:
    run_python("-c", SCRIPT, env={"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""})


def test_vectors_are_right_in_python() -> None:
    run_python("-c", SCRIPT, env=PLAIN)
