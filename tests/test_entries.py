"""What an entry reads of the arrays it is called with: those it was compiled for, and no others."""

import sys
from typing import Any

import numpy as np
import pytest
from numba.core.errors import NumbaError

from smallcity_env.rules._jit import JIT, code_of, entry

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python takes any array")
NUMBERS, FLAGS = np.arange(6), np.ones((2, 3), np.bool_)


@entry
def total(numbers: Any, flags: Any) -> Any:
    numbers[0] = 7
    return numbers.sum() + flags.sum()


def read_only(array: Any) -> Any:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


WRONG = {
    "another sign": NUMBERS.astype(np.uint64), "another width": NUMBERS.astype(np.int32),
    "floats": NUMBERS.astype(np.float64), "big-endian": NUMBERS.astype(">i8"),
    "objects": NUMBERS.astype(object), "strided": NUMBERS[::2], "read-only": read_only(NUMBERS),
    "not aligned": np.zeros(49, np.int8)[1:].view(np.int64), "no dimension": np.array(3),
    "a table": NUMBERS.reshape(2, 3), "many dimensions": NUMBERS.reshape((*[1] * 31, 6)),
    "records": np.zeros(6, [("a", np.int64)]), "a list": [1, 2], "a number": 3, "nothing": None,
}  # fmt: skip


def test_an_entry_takes_arrays_without_counting_them() -> None:
    numbers, flags = NUMBERS.copy(), FLAGS.copy()
    before = sys.getrefcount(numbers)
    assert total(numbers, flags) == code_of(total)(numbers, flags) == 7 + 1 + 2 + 3 + 4 + 5 + 6
    assert numbers[0] == 7 and sys.getrefcount(numbers) == before


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_an_entry_refuses_arrays_it_was_not_compiled_for(wrong: Any) -> None:
    total(NUMBERS.copy(), FLAGS)
    with pytest.raises(TypeError, match="not an array of the type"):
        code_of(total)(wrong, FLAGS)
    with pytest.raises(TypeError, match="not an array of the type"):
        code_of(total)(NUMBERS.copy(), wrong)


def test_an_entry_returns_no_array() -> None:
    @entry
    def half(numbers: Any) -> Any:
        return numbers[:3]

    with pytest.raises((TypeError, NumbaError), match="an entry returns no arrays"):
        half(NUMBERS)
