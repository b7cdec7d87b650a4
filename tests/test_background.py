"""The first minute of a checkout: plain Python while another process compiles, then compiled code."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from filelock import FileLock

from smallcity_env import Config, background, batch, compiled, smallcity_v0
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules import _cache, engine, numbers, rng
from smallcity_env.rules._jit import JIT
from smallcity_env.rules.layout import Form

from .interpreter import PLAIN, run_python

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

CONFIG = Config(players=3, modules=("godzillas", "doctors"))
PATIENCE = 300  # seconds, on a busy machine
Said = pytest.CaptureFixture[str]


def until(condition: Callable[[], Any]) -> None:
    """Wait for another process."""
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends, "nothing happens"
        time.sleep(0.01)


class Minute:
    """A process that does not find the rules compiled; another one compiles them until `finish`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        compiled.entry_code()
        self.code = next(path for path in _cache.EntryCache.used if path.name.startswith("engine.run"))
        self.folder = folder
        self.compiling = background.Compiling(folder / self.code.name)
        monkeypatch.setenv("COMPILED", str(self.code))
        monkeypatch.setattr(background, "WARM", "tests.slow_compile")
        monkeypatch.setattr(background, "LOOK_EVERY", -1)
        self._patch = monkeypatch

    def begin(self) -> None:
        """Forget what is compiled."""
        self._patch.setattr(compiled, "code", compiled._dispatched)
        self._patch.setattr(compiled, "_compiling", self.compiling)

    @property
    def is_plain(self) -> bool:
        return compiled.code is compiled._dispatched

    def finish(self) -> None:
        """End the compiling, and wait until the other process has ended."""
        (self.folder / "finish").touch()
        until(lambda: not self.compiling.goes_on())


@pytest.fixture
def minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Minute]:
    _cache.say_once.cache_clear()
    minute = Minute(tmp_path / "cache", monkeypatch)
    yield minute
    if process := minute.compiling._process:
        os.kill(process, signal.SIGKILL)
        until(lambda: not minute.compiling._is_running())


def digest(*arrays: Any) -> list[bytes]:
    return [array.tobytes() for array in arrays]


def hexadecimal(written: list[list[bytes]]) -> str:
    return b"".join(b"".join(parts) for parts in written).hex()


def played(n: int, steps: int, after: dict[int, Callable[[], Any]] | None = None) -> list[list[bytes]]:
    """Games of random answers: everything that is written at every step; `after` is called between steps."""
    legal, streams, seen = batch.new_masks(n), rng.streams(range(n)), batch.new_observations(n)
    states = batch.new(n, CONFIG, range(n), legal)
    written = [digest(states, legal)]
    for step in range(steps):
        forced = batch.step(states, batch.pick(legal, streams), legal, seen)
        written.append(digest(states, legal, streams, forced, seen.vector))
        (after or {}).get(step, int)()
    return written


def test_a_game_handed_over_to_compiled_code_is_the_same_game(minute: Minute) -> None:
    expected, plain = played(2, 60), []

    def hand_over() -> None:
        plain.append(minute.is_plain)
        minute.finish()

    minute.begin()
    assert played(2, 60, {30: hand_over}) == expected
    assert plain == [True] and not minute.is_plain


def test_it_says_once_what_happens(minute: Minute, capsys: Said) -> None:
    minute.begin()
    played(1, 3)
    minute.finish()
    played(1, 3)
    assert capsys.readouterr().err == f"smallcity: {background.SAID}\n"


def reports() -> list[list[bytes]]:
    """What every other command writes, for a few positions."""
    states = batch.new(3, CONFIG, range(3), legal := batch.new_masks(3))
    streams, told = rng.streams(range(3)), []
    for _ in range(12):
        batch.step(states, batch.pick(legal, streams), legal)
        answered, forked = batch.clone(states), batch.fork(states, [0, 1, 2], [5, 6, 7])
        batch.answer(answered, batch.pick(legal, streams.copy()), legal)
        halves = batch.clone(states)
        batch.carry_out(halves, legal.argmax(axis=1))
        batch.run_on(halves)
        batch.validate(states)
        told.append(digest(answered, forked, halves, *batch.scores(states), batch.visible_scores(states)))
        told.append(digest(batch.why_not(states), batch.observe(states, [2, 1, 0]), batch.masks(states)))
    for form in Form:
        batch.observe(states, [2, 1, 0], seen := batch.new_observations(3, form, CONFIG.players))
        told.append(digest(seen.vector, seen.planes))
    return told


def test_every_command_does_the_same(minute: Minute) -> None:
    expected = reports()
    minute.begin()
    assert reports() == expected
    assert minute.is_plain


def test_arguments_are_converted_or_refused_as_usual(minute: Minute) -> None:
    minute.begin()
    states = batch.new(2, CONFIG, [1, 2])
    wide = np.zeros((2, 2 * batch.ACTIONS), np.bool_)
    batch.masks(states, wide[:, ::2])
    assert (wide[:, ::2] == batch.masks(states)).all()
    states.flags.writeable = False
    assert batch.scores(states)[0].shape == (2, 4)
    with pytest.raises(batch.ArgumentError):
        batch.observe(states, [0, 3])
    with pytest.raises(batch.IllegalAction):
        batch.step(batch.clone(states), [-5, -5], batch.masks(states))
    assert minute.is_plain


def steps_of(env: Any, steps: int, half: Callable[[], Any] = int) -> list[list[bytes]]:
    """Everything an environment shows when the first legal action is taken."""
    env.reset(seed=3)
    shown = []
    for step in range(steps):
        seen, reward, *_ = env.last()
        shown.append(digest(seen["observation"], seen["action_mask"], np.array(reward)))
        env.step(int(seen["action_mask"].argmax()))
        if step == steps // 2:
            half()
    return shown


def test_env_is_handed_over_too(minute: Minute) -> None:
    expected = steps_of(smallcity_v0.env(), 30)
    minute.begin()
    assert steps_of(smallcity_v0.env(), 30, minute.finish) == expected
    assert not minute.is_plain


def rows_of(env: SmallCityVec, steps: int, half: Callable[[], Any] = int) -> list[list[bytes]]:
    """The same for a vector environment."""
    env.reset(seed=3)
    shown = []
    for step in range(steps):
        seen, rewards, *_ = env.step(env.action_masks().argmax(axis=1))
        shown.append(digest(seen, env.action_masks(), rewards))
        if step == steps // 2:
            half()
    return shown


def test_a_small_vector_is_handed_over_too(minute: Minute) -> None:
    expected = rows_of(SmallCityVec(2), 20)
    minute.begin()
    assert rows_of(SmallCityVec(2), 20, minute.finish) == expected
    assert not minute.is_plain


LONG_CALLS = {
    "many games": lambda states: batch.new(background.FEW + 1, CONFIG, range(background.FEW + 1)),
    "many masks": lambda states: batch.pick(batch.new_masks(background.FEW + 1), rng.streams(range(5))),
    "a rollout": lambda states: batch.rollout(states, [1]),
    "random play": lambda states: batch.play_on(states, [0], rng.streams([1]), batch.masks(states)),
}


@pytest.mark.parametrize("long", LONG_CALLS)
def test_what_takes_long_waits_for_compiled_code(long: str, minute: Minute) -> None:
    states = batch.new(1, CONFIG, [1])
    minute.begin()
    LONG_CALLS[long](states)
    assert not minute.is_plain


def test_where_nothing_is_quick_no_process_is_started(minute: Minute) -> None:
    minute.begin()
    SmallCityVec(background.FEW + 1)
    assert not minute.compiling._process and not minute.folder.exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_if_the_other_process_is_killed_this_one_compiles(minute: Minute, number: int) -> None:
    expected = played(1, 8)
    minute.begin()
    played(1, 2)
    os.kill(minute.compiling._process, number)
    until(lambda: not minute.compiling.goes_on())
    assert played(1, 8) == expected
    assert not minute.is_plain
    assert not [*minute.folder.glob("*.code"), *minute.folder.glob("*.tmp")]


def test_if_the_other_process_fails_this_one_compiles(
    minute: Minute, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "WARM", "tests.no_such_module")
    minute.begin()
    played(1, 1)
    until(lambda: not minute.compiling.goes_on())
    played(1, 1)
    assert not minute.is_plain


def test_if_no_process_can_be_started_this_one_compiles(
    minute: Minute, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(minute.folder / "python"))
    minute.begin()
    played(1, 1)
    assert not minute.is_plain


def test_if_the_folder_cannot_be_made_this_process_compiles(minute: Minute) -> None:
    minute.folder.write_text("a file in place of the folder")
    minute.begin()
    played(1, 1)
    assert not minute.is_plain
    minute.folder.unlink()


def test_a_process_that_finds_another_compiling_starts_none(minute: Minute) -> None:
    minute.folder.mkdir()
    with FileLock((minute.folder / minute.code.name).with_suffix(".lock")):
        minute.begin()
        played(1, 2)
        assert minute.is_plain and not minute.compiling._process
    played(1, 1)
    assert not minute.is_plain


def test_an_interrupted_call_changes_nothing(minute: Minute, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_command: int, states: Any, _actions: Any, _streams: Any, legal: Any, *_: Any) -> int:
        states.view(np.uint8)[:] = 1
        legal[:] = False
        raise KeyboardInterrupt

    minute.begin()
    states = batch.new(1, CONFIG, [1], legal := batch.new_masks(1))
    before = digest(states, legal)
    monkeypatch.setattr(background, "uncompiled", lambda: interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.step(states, legal.argmax(axis=1), legal)
    assert digest(states, legal) == before


IMPOSSIBLE: dict[str, Callable[[pytest.MonkeyPatch], Any]] = {
    "switched off": lambda patch: patch.setenv(background.VARIABLE, "0"),
    "bounds-checked": lambda patch: patch.setattr(numba.config, "BOUNDSCHECK", 1),
    "Windows": lambda patch: patch.delattr(os, "posix_spawn"),
    "embedded": lambda patch: patch.setattr(sys, "executable", "/usr/bin/editor"),
    "without a name": lambda patch: patch.setattr(sys, "executable", None),
    "without a cache": lambda patch: patch.setattr(background, "missing", lambda *_: None),
}


@pytest.mark.parametrize("why", IMPOSSIBLE)
def test_where_it_is_impossible_this_process_compiles(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(background.VARIABLE)
    monkeypatch.setattr(background, "missing", lambda *_: Path("some.code"))
    assert background.compiling(compiled.NOTHING)
    IMPOSSIBLE[why](monkeypatch)
    assert background.compiling(compiled.NOTHING) is None


def test_the_tests_themselves_compile_in_their_process() -> None:
    assert os.environ[background.VARIABLE] == "0"


START = """
import sys
from smallcity_env import background, compiled
from smallcity_env.rules._cache import EntryCache
from tests.test_background import hexadecimal, played, until
background.WARM = "tests.slow_compile"

def hand_over():
    print("plain" if compiled.code is compiled._dispatched else "compiled")
    folder = compiled._compiling._path.parent
    until(lambda: (folder / "begun").exists())
    (folder / "finish").touch()
    until(lambda: not compiled._compiling.goes_on())

written = played(1, 12, {6: hand_over})
print("plain" if compiled.code is compiled._dispatched else "compiled", EntryCache.used[-1])
print(hexadecimal(written))
"""


def test_a_first_start_with_an_empty_cache(minute: Minute, tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "home"), background.VARIABLE: "1"}
    first, second, third = run_python("-c", START, env=environment).splitlines()
    (kept,) = (tmp_path / "home").rglob("*.code")
    assert (first, second) == ("plain", f"compiled {kept}")
    assert third == hexadecimal(played(1, 12))


PLAYED = """
from tests.test_background import hexadecimal, played
print(hexadecimal(played(1, 40)))
"""
LOCKED = f"""
from filelock import FileLock
from smallcity_env import compiled
path = compiled._compiled_elsewhere()._path
path.parent.mkdir(parents=True)
with FileLock(path.with_suffix(".lock")):
    {PLAYED.strip().replace(chr(10), "; ")}
"""


def test_numbers_of_ones_own_are_in_force_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("[money]\nstart = [9, 9, 9, 9]\n")
    own = {numbers.VARIABLE: str(tmp_path / "own.toml"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    meanwhile = run_python("-c", LOCKED, env=own | {background.VARIABLE: "1"})
    assert meanwhile == run_python("-c", PLAYED, env=own | PLAIN)
    assert meanwhile.strip() != hexadecimal(played(1, 40))


def warm(folder: Path) -> "subprocess.Popen[bytes]":
    """The process that compiles, with a cache in a folder."""
    call = [sys.executable, "-m", "smallcity_env.warm", str(folder)]
    environment = {"XDG_CACHE_HOME": str(folder.parents[1]), "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(call, env=os.environ | environment)


@pytest.fixture
def cache_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "smallcity" / Path(str(engine.run._cache.cache_path)).name  # type: ignore[attr-defined]
    folder.mkdir(parents=True)
    return folder


def test_the_compiling_ends_when_its_folder_is_removed(cache_folder: Path) -> None:
    process = warm(cache_folder)
    until(lambda: [*cache_folder.glob("*.lock")])
    cache_folder.rename(cache_folder.with_name("removed"))
    cache_folder.mkdir()
    assert process.wait(PATIENCE) == 1


def test_the_compiling_does_not_begin_without_its_folder_nor_beside_another(
    cache_folder: Path, minute: Minute
) -> None:
    with FileLock((cache_folder / minute.code.name).with_suffix(".lock")):
        assert warm(cache_folder).wait(PATIENCE) == 0
    shutil.rmtree(cache_folder)
    assert warm(cache_folder).wait(PATIENCE) == 1
    assert not cache_folder.exists()
