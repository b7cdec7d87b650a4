"""What an entry takes and returns: compiled and in plain Python the same, and nothing it was not made for."""

import gc
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from smallcity_env.library import CallError, group, reads, writes

from .toys import TOY, Pair, change, mark, total, toys

NUMBERS, FLAGS = np.arange(3), np.ones((2, 3), np.bool_)


def arguments() -> tuple[Any, ...]:
    games = np.zeros(3, TOY)
    games["weight"] = [1, 2, 3]
    pair = Pair(np.arange(4.0), np.ones((4, 2), np.float32))
    return games, np.array([7, 1, 2**63], np.uint64), 3, 0.25, pair


def contents(given: tuple[Any, ...]) -> list[bytes]:
    return [array.tobytes() for array in (*given[:2], *given[-1])]


def test_compiled_code_does_what_python_does() -> None:
    compiled, plain = arguments(), arguments()
    assert change(*compiled) == change.python(*plain) == 5
    assert contents(compiled) == contents(plain) != contents(arguments())


def test_a_bound_call_sees_what_the_arrays_hold_then() -> None:
    numbers = NUMBERS.copy()
    go = total.bind(numbers, FLAGS)
    assert go() == 6
    numbers[0] = 10
    assert go() == 26


def test_a_bound_call_keeps_its_arrays() -> None:
    go = total.bind(np.array([1, 2, 3]), np.ones((2, 3), np.bool_))
    gc.collect()
    noise = [np.full(3, 99) for _ in range(100)]
    assert go() == 12 and len(noise) == 100


def test_an_entry_that_returns_nothing_returns_0() -> None:
    numbers = NUMBERS.copy()
    assert not mark(numbers, 1) and numbers.tolist() == [0, 7, 2]


def test_no_reference_is_counted() -> None:
    numbers = NUMBERS.copy()
    before = sys.getrefcount(numbers)
    total(numbers, FLAGS)
    assert sys.getrefcount(numbers) == before


def read_only(array: Any) -> Any:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


WRONG = {
    "another sign": NUMBERS.astype(np.uint64), "another width": NUMBERS.astype(np.int32),
    "floats": NUMBERS.astype(np.float64), "big-endian": NUMBERS.astype(">i8"),
    "objects": NUMBERS.astype(object), "strided": np.arange(6)[::2],
    "not aligned": np.zeros(25, np.int8)[1:].view(np.int64), "no dimension": np.array(3),
    "a table": NUMBERS.reshape(1, 3), "many dimensions": NUMBERS.reshape((*[1] * 31, 3)),
    "records": np.zeros(3, [("a", np.int64)]), "too few": NUMBERS[:2], "too many": np.arange(4),
    "a list": [1, 2, 3], "a number": 3, "nothing": None,
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_an_entry_refuses_arrays_it_was_not_made_for(wrong: Any) -> None:
    with pytest.raises(CallError, match=r"flags must be|numbers must be an array of int64"):
        total(wrong, FLAGS)
    with pytest.raises(CallError, match=r"flags must be an array of bool"):
        total(NUMBERS, wrong)


def test_an_entry_reads_what_is_read_only_and_does_not_write_to_it() -> None:
    assert total(read_only(NUMBERS), FLAGS) == 6
    with pytest.raises(CallError, match=r"numbers must be .* writable, not int64 .* read-only"):
        mark(read_only(NUMBERS), 0)


@pytest.mark.parametrize("wrong", [1.5, True, "1", None])
def test_an_entry_refuses_other_things_than_whole_numbers(wrong: Any) -> None:
    with pytest.raises(CallError, match="at must be a whole number"):
        mark(NUMBERS.copy(), wrong)


def test_an_entry_refuses_another_tuple_and_another_number_of_arguments() -> None:
    *others, pair = arguments()
    with pytest.raises(CallError, match="pair must be a Pair"):
        change(*others, tuple(pair))
    with pytest.raises(CallError, match="total takes numbers, flags"):
        total(NUMBERS)


def test_the_declaration_of_an_entry_has_its_arguments() -> None:
    with pytest.raises(TypeError, match="wrong takes a, b, not b, a"):

        @toys.entry(b=reads("i8", "n"), a=reads("i8", "n"))
        def wrong(a: Any, b: Any) -> None:
            pass

    with pytest.raises(TypeError, match="Pair has the fields x, y, not x"):
        group(Pair, x=writes("i8", "n"))


def test_a_large_call_lets_other_threads_run() -> None:
    numbers, flags = np.ones(50_000_000, np.int64), np.ones((2, 50_000_000), np.bool_)
    go, ticks = total.bind(numbers, flags), 0
    running = threading.Thread(target=go)
    running.start()
    while running.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 2
