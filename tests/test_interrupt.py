"""Ctrl-C and SIGTERM: wherever they strike, a command ends by them and not by what they caused."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from smallcity_agents.cluster import Threads
from smallcity_env import cli, files
from smallcity_env.commands import numbers
from smallcity_env.interrupt import Interrupt, Terminated

from .signals import signal_in

BOTH = pytest.mark.parametrize(
    ("how", "expected", "code"), [(signal.SIGINT, KeyboardInterrupt, 130), (signal.SIGTERM, Terminated, 143)]
)


@pytest.fixture(autouse=True)
def handlers_are_as_before() -> Iterator[None]:
    before = [signal.getsignal(how) for how in (signal.SIGINT, signal.SIGTERM)]
    yield
    assert [signal.getsignal(how) for how in (signal.SIGINT, signal.SIGTERM)] == before


def lose(how: signal.Signals) -> None:
    """Receive a signal, and raise another exception instead of its own."""
    try:
        signal.raise_signal(how)
    except KeyboardInterrupt:
        raise ValueError("something is open") from None


@BOTH
def test_a_signal_is_raised_at_once(how: signal.Signals, expected: type[BaseException], code: int) -> None:
    with pytest.raises(expected) as caught, Interrupt():
        signal.raise_signal(how)
        pytest.fail("it should have been raised")
    assert caught.type is expected


@BOTH
def test_what_a_signal_causes_is_replaced_by_it(
    how: signal.Signals, expected: type[BaseException], code: int
) -> None:
    with pytest.raises(expected) as caught, Interrupt():
        lose(how)
    assert caught.type is expected


def test_a_signal_in_the_middle_of_a_zip_file_is_not_lost() -> None:
    with pytest.raises(Terminated), Interrupt(), signal_in("zipfile.ZipFile._open_to_write"):
        files.packed({"a": np.zeros(3)})


def test_without_a_signal_exceptions_are_what_they_are() -> None:
    with pytest.raises(ZeroDivisionError), Interrupt():
        print(1 / 0)


def test_a_swallowed_signal_is_found_by_the_next_check() -> None:
    with pytest.raises(Terminated), Interrupt() as interrupt:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        interrupt.check()


def test_a_second_signal_goes_to_the_context_around() -> None:
    with pytest.raises(Terminated), Interrupt() as outer:
        with pytest.raises(KeyboardInterrupt), Interrupt():
            signal.raise_signal(signal.SIGINT)
        assert not outer.requested
        signal.raise_signal(signal.SIGTERM)


def test_outside_the_main_thread_nothing_happens() -> None:
    seen: list[int] = []

    def work() -> None:
        with Interrupt() as interrupt:
            seen.append(interrupt.requested)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [0]


@BOTH
def test_a_command_ends_by_its_signal_whatever_it_raises(
    how: signal.Signals, expected: type[BaseException], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbers, "run", lambda args: lose(how))
    assert cli.main(["numbers"]) == code


def wait(event: threading.Event, item: int) -> int:
    """Work on an item; odd ones wait."""
    if item % 2:
        event.wait()
    return item * item


def test_threads_work_on_all_items_and_can_be_left_alone() -> None:
    event = threading.Event()
    event.set()
    executor = Threads(3)
    assert executor.gather(wait, event, list(range(20))) == [n * n for n in range(20)]
    event.clear()
    executor.submit(wait, event, 1)
    executor.close()  # waits for nothing
    event.set()


def test_a_stopped_dataset_leaves_no_part(tmp_path: Path) -> None:
    words = ["dataset", "first", "random", "--games", "2", "--out", str(tmp_path / "set")]
    with signal_in("zipfile.ZipFile._open_to_write"):
        assert cli.main(words) == 143
    assert not list((tmp_path / "set").glob("*shard*"))
    assert cli.main(words) == 0
    assert len(list((tmp_path / "set").glob("shard-*.npz"))) == 1


ENDING = """
import atexit, sys
from smallcity_env import cli

class Kept:
    def __del__(self):
        print("tidied up", flush=True)

kept = Kept()
atexit.register(print, "at exit")
cli.main = lambda: print("said") or {code}
sys.exit(cli.command())
"""


@pytest.mark.parametrize("code", [0, 2, 130, 143])
def test_a_stopped_or_refused_command_ends_without_tidying_up(code: int) -> None:
    call = [sys.executable, "-c", ENDING.format(code=code)]
    ended = subprocess.run(call, stdout=subprocess.PIPE, text=True)
    assert ended.returncode == code
    assert ended.stdout.split("\n") == ["said", "at exit", *(["tidied up"] if code == 0 else []), ""]


STARTING = """
import signal, sys
import smallcity_script

def strike(event, args):
    if event == "import" and args[0] == name:
        signal.raise_signal(signal.SIGINT)

name = sys.argv.pop(1)
sys.addaudithook(strike)
sys.exit(smallcity_script.command())
"""


@pytest.mark.parametrize("name", ["smallcity_env", "argparse", "numpy", "smallcity_env.rules.numbers.kinds"])
def test_ctrl_c_during_the_imports_ends_the_script_without_a_traceback(name: str) -> None:
    call = [sys.executable, "-c", STARTING, name, "numbers"]
    ended = subprocess.run(call, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr.strip()) == (130, "", "")
