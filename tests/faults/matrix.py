"""The fault matrix: what each command keeps when it is stopped, refused or damaged.

    python -m tests.faults.matrix              # or `make faults`: is it what docs/safety.md says?
    python -m tests.faults.matrix --write      # write it there

Every cell runs the real command in a process of its own, does the damage, checks that what should be kept can
be used, and says what that is. Takes some minutes; Linux and macOS only.
"""

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from smallcity_agents.arena.results import read
from smallcity_agents.net import checkpoint
from smallcity_agents.play.match import Match
from smallcity_env import files
from smallcity_env.cli import REFUSED
from smallcity_env.rules._library import library
from smallcity_training.run import Run, read_log
from tests.faults import web

ROOT = Path(__file__).parents[2]
LAUNCH = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
from smallcity_env.cli import command
sys.exit(command())
"""
CLOCK = "now, time.time, time.time_ns = time.time(), lambda: 2e9 - time.monotonic(), lambda: 10**18"
PAGE, FIRST, LAST = ROOT / "docs" / "safety.md", "<!-- faults -->\n", "\n<!-- /faults -->"
UNWRITABLE = Path("/sys/kernel")  # even for root
TINY = ["games=16", "horizon=16", "evaluate_games=2", "anchors=[random]", "checkpoint_every=300"]
HEALED = ("is not loaded: it is cut short", "waiting for another process that builds")
BATCH = "16"  # games written at once, at most
SOON = 5.0  # seconds until a signal must have ended a command
ENDS = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}  # `play` is left in peace: 0
Process = subprocess.Popen[str]


@dataclass(frozen=True)
class Activity:
    """A command that writes files: how it is begun, when it has kept something, and what."""

    words: Callable[[Path], Sequence[str]]  # of the command, for a folder
    ready: Callable[[Path], bool]
    kept: Callable[[Path], str]  # checks it, and says what it is
    torn: Callable[[Path], Path]  # the file written last
    again: Callable[[Path], Sequence[str]]  # words that continue
    typed: str = ""
    after_signal: Callable[[Path], str] | None = None  # what more is kept if it could end by itself


def arena_words(folder: Path) -> list[str]:
    options = {"--games": "4000", "--batch": BATCH, "--results": str(folder / "a.jsonl")}
    return ["arena", "random", "first", *(word for option in options.items() for word in option)]


def arena_ready(folder: Path) -> bool:
    """More games than are written at once: what is being written may be cut off again."""
    path = folder / "a.jsonl"
    return path.exists() and path.read_bytes().count(b"\n") > int(BATCH)


def arena_kept(folder: Path) -> str:
    games = len(read(folder / "a.jsonl"))
    assert games, "no game was kept"
    return "every game it reported"


def train_words(folder: Path) -> list[str]:
    options = [word for value in [*TINY, "steps=10000000"] for word in ("--set", value)]
    return ["train", "ppo", "--run", str(folder / "run"), *options]


def train_kept(folder: Path) -> str:
    run = Run(folder / "run")
    assert run.load_state()["steps"] >= read_log(run.folder, "progress")[0]["steps"]
    return "its last saved state and all checkpoints"


def train_kept_up_to_date(folder: Path) -> str:
    train_kept(folder)
    run = Run(folder / "run")
    updates = [line["steps"] for line in read_log(run.folder, "progress")]
    assert run.load_state()["steps"] in updates[-2:]  # the line of an update can be written before its end
    return "the run as after its last update"


def play_ready(folder: Path) -> bool:
    save = folder / "play.save"
    return files.previous(save).exists() and len(Match.load(save).game.log) > 1


def play_kept(folder: Path) -> str:
    assert len(Match.load(folder / "play.save").game.log) > 1
    return "the game up to the last answer"


def bench_words(folder: Path) -> list[str]:
    return ["bench", "--quick", "--only", "rollout/godzillas/4/1", "--json", str(folder / "b.json")]


def bench_ready(folder: Path) -> bool:
    time.sleep(3)
    return True


def bench_kept(folder: Path) -> str:
    assert (folder / "b.json").read_text() == "an earlier file"
    return "the earlier file"


ACTIVITIES = {
    "arena": Activity(
        arena_words,
        arena_ready,
        arena_kept,
        lambda folder: folder / "a.jsonl",
        arena_words,
    ),
    "train": Activity(
        train_words,
        lambda folder: len(list((folder / "run").glob("checkpoints/*.npz"))) > 1,
        train_kept,
        lambda folder: folder / "run" / "state.npz",
        lambda folder: ["train", "ppo", "--run", str(folder / "run"), "--resume"],
        after_signal=train_kept_up_to_date,
    ),
    "play": Activity(
        lambda folder: ["play", "--opponents", "first", "--save", str(folder / "play.save")],
        play_ready,
        play_kept,
        lambda folder: folder / "play.save",
        lambda folder: ["play", "--resume", str(folder / "play.save")],
        typed="1\n" * 3,
    ),
    "web": Activity(web.words, web.ready, web.kept, web.torn, web.words),
    "bench": Activity(
        lambda folder: [*bench_words(folder), "--repeats", "99"],
        bench_ready,
        bench_kept,
        lambda folder: folder / "b.json",
        lambda folder: [*bench_words(folder), "--repeats", "1"],
    ),
}


def launch(
    activity: Activity,
    folder: Path,
    before: str = "",
    room: int | None = None,
    stdout: int = subprocess.DEVNULL,
    stderr: Any = subprocess.PIPE,
) -> Process:
    """Begin a command; `room` is the size of the largest file it can write."""
    (folder / "b.json").write_text("an earlier file")

    def limit() -> None:
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    process = subprocess.Popen(
        [sys.executable, "-c", LAUNCH.format(before=before), *activity.words(folder)],
        cwd=ROOT, text=True, preexec_fn=limit,
        stdin=subprocess.PIPE, stdout=stdout, stderr=stderr,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(activity.typed)
    process.stdin.flush()
    return process


def begun(activity: Activity, folder: Path, **options: Any) -> Process:
    """A command that has kept something."""
    process = launch(activity, folder, **options)
    while not activity.ready(folder):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def stopped(process: Process, how: signal.Signals) -> float:
    """Stop a process; the seconds it took."""
    began = time.monotonic()
    process.send_signal(how)
    process.communicate()
    return time.monotonic() - began


def by_signal(how: signal.Signals) -> Callable[[str, Path], str]:
    def cell(name: str, folder: Path) -> str:
        activity, process = ACTIVITIES[name], begun(ACTIVITIES[name], folder)
        seconds = stopped(process, how)
        print(f"{name} ended {seconds:.1f} s after {how.name}, {process.returncode}", file=sys.stderr)
        assert seconds < SOON
        assert process.returncode == (0 if name == "play" and how != signal.SIGKILL else ENDS[how])
        kept = activity.kept if how == signal.SIGKILL else activity.after_signal or activity.kept
        return kept(folder)

    return cell


def sentence(process: Process) -> str:
    """The sentence with which a command ends, or what it says on the way."""
    shown, complaint = process.communicate()
    assert "Traceback" not in complaint, complaint
    return (complaint.strip() or shown.strip()).splitlines()[-1].removeprefix("smallcity: ")


def disk_full(name: str, folder: Path) -> str:
    activity = ACTIVITIES[name]
    stopped(begun(activity, folder), signal.SIGKILL)
    continued = replace(activity, words=activity.again)
    if name == "web":
        return _full_while_serving(continued, folder)
    room = activity.torn(folder).stat().st_size // 2
    process = launch(continued, folder, room=room, stdout=subprocess.PIPE)
    assert process.stdin is not None
    shown, complaint = process.communicate()
    assert "Traceback" not in complaint and "cannot be written" in shown + complaint, shown + complaint
    return f"{activity.kept(folder)}; a sentence"


def _full_while_serving(activity: Activity, folder: Path) -> str:
    """A server that cannot write a byte more from some moment on."""
    server = launch(activity, folder)
    try:
        web.wait(folder)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, 1))
        return web.on_a_full_disk(folder)
    finally:
        stopped(server, signal.SIGKILL)


def read_only(name: str, folder: Path) -> str:
    activity = ACTIVITIES[name]
    words = [word.replace(str(folder), str(UNWRITABLE)) for word in activity.words(folder)]
    process = launch(replace(activity, words=lambda _: words), folder, stdout=subprocess.PIPE)
    shown, complaint = process.communicate()
    assert "Traceback" not in complaint, complaint
    if name == "play":
        assert process.returncode == 0 and shown.count("cannot be") > activity.typed.count("\n"), shown
        return "the game goes on; a sentence after every answer"
    assert process.returncode == REFUSED and "cannot be" in complaint, complaint
    return "refused in a sentence"


def torn_write(name: str, folder: Path) -> str:
    activity = ACTIVITIES[name]
    stopped(begun(activity, folder), signal.SIGKILL)
    path = activity.torn(folder)
    path.write_bytes(path.read_bytes()[:-9])
    if name == "arena":
        games = path.read_bytes().count(b"\n")
        assert len(read(path)) == games
        return "all games but the torn one, which is played again"
    if name == "web":
        return web.again_after_a_tear(folder)
    if name == "bench":
        return "no command reads it"
    process = launch(replace(activity, words=activity.again, typed=""), folder)
    assert "Traceback" not in (said := process.communicate()[1]) and process.returncode == REFUSED, said
    if name == "play":
        Match.load(files.previous(path))
        return "refused in a sentence; the save before it"
    assert all(checkpoint.read(net) for net in Run(folder / "run").checkpoints())
    return "refused in a sentence; all checkpoints"


def two_writers(name: str, folder: Path) -> str:
    activity = ACTIVITIES[name]
    first = begun(activity, folder)
    if name == "bench":
        once = launch(replace(activity, words=activity.again), folder)
        once.communicate()
        stopped(first, signal.SIGKILL)
        json.loads((folder / "b.json").read_text())
        return "the file of the last to end, whole"
    second = launch(replace(activity, words=activity.again), folder)
    said = sentence(second)
    assert second.returncode == REFUSED and "is writing to" in said, said
    stopped(first, signal.SIGKILL)
    activity.kept(folder)
    return "the second is refused"


def clock_back(name: str, folder: Path) -> str:
    activity = ACTIVITIES[name]
    stopped(begun(activity, folder, before=CLOCK), signal.SIGTERM)
    (activity.after_signal or activity.kept)(folder)
    return "no difference"


def damaged_cache(name: str, folder: Path) -> str:
    """A command whose library is torn; all commands meet the same cache, at the same time."""
    activity, said = ACTIVITIES[name], folder / "said"

    def ready(_: Path) -> bool:
        return activity.ready(folder) and any(line in said.read_text() for line in HEALED)

    process = begun(replace(activity, ready=ready), folder, stderr=said.open("w"))
    stopped(process, signal.SIGTERM)
    assert "Traceback" not in said.read_text(), said.read_text()
    (activity.after_signal or activity.kept)(folder)
    return "it is built again, with one line that says so; other commands wait for it"


def with_damaged_cache(names: Sequence[str]) -> list[str]:
    """The row of the damaged cache."""
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        shutil.copytree(library.cache, home / "cache" / "smallcity" / "library")
        for code in (home / "cache").rglob("*.library"):
            code.write_bytes(code.read_bytes()[:-9])
        os.environ["XDG_CACHE_HOME"] = str(home / "cache")
        try:
            for name in names:
                (home / name).mkdir()
            with ThreadPoolExecutor(len(names)) as pool:
                return list(pool.map(lambda name: damaged_cache(name, home / name), names))
        finally:
            del os.environ["XDG_CACHE_HOME"]


FAULTS: dict[str, Callable[[str, Path], str]] = {
    "kill -9": by_signal(signal.SIGKILL),
    "SIGTERM": by_signal(signal.SIGTERM),
    "SIGINT (ctrl-C)": by_signal(signal.SIGINT),
    "disk full": disk_full,
    "place cannot be written": read_only,
    "torn write": torn_write,
    "two writers": two_writers,
    "clock going back": clock_back,
}
DAMAGED_CACHE = "damaged cache"


def row(fault: str, names: Sequence[str]) -> list[str]:
    """What each command keeps under a fault."""
    if fault == DAMAGED_CACHE:
        return with_damaged_cache(names)
    cells = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            cells.append(FAULTS[fault](name, Path(folder)))
        print(f"{fault}, {name}: {cells[-1]}", file=sys.stderr, flush=True)
    return cells


def table(names: Sequence[str], part: str) -> list[str]:
    """Every cell, as Markdown."""
    lines = [f"| fault | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    chosen = [fault for fault in [*FAULTS, DAMAGED_CACHE] if part in fault]
    return [*lines, *(f"| {fault} | {' | '.join(row(fault, names))} |" for fault in chosen)]


def main() -> int:
    """Compare the table with the page, or write it there; a part of it is printed."""
    parser = argparse.ArgumentParser(description="What each command keeps under each fault.")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    parser.add_argument("--only", choices=[*ACTIVITIES], help="one command")
    parser.add_argument("--faults", default="", help="only faults whose name contains this")
    args = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(["agents", "training", "bench"])
    lines = table([args.only] if args.only else [*ACTIVITIES], args.faults)
    before, _, rest = files.read_text(PAGE).partition(FIRST)
    known, end, after = rest.partition(LAST)
    if args.write:
        files.write(PAGE, f"{before}{FIRST}{chr(10).join(lines)}{end}{after}")
        return 0
    print(*lines, sep="\n")
    if args.only or set(lines) <= set(known.splitlines()):
        return 0
    print(f"{PAGE.name} says something else: see --write", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
