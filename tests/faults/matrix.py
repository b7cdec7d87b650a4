"""The fault matrix: what each command keeps when it is stopped, refused or damaged.

    python -m tests.faults.matrix [--write docs/safety.md]     # or `make faults`

Every cell runs the real command in a process of its own, does the damage, checks that what should be kept can
be used, and says what that is. Takes some minutes; Linux and macOS only.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from smallcity_agents.arena.results import read
from smallcity_agents.play.match import Match
from smallcity_env import files
from smallcity_env.refusal import Refused
from smallcity_training.run import Run, read_log
from tests.faults import web

ROOT = Path(__file__).parents[2]
LAUNCH = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
from smallcity_env.cli import main
sys.exit(main())
"""
CLOCK = "now, time.time, time.time_ns = time.time(), lambda: 2e9 - time.monotonic(), lambda: 10**18"
FIRST, LAST = "<!-- faults -->", "<!-- /faults -->"
UNWRITABLE = Path("/sys/kernel")  # even for root
TINY = ["games=16", "horizon=16", "evaluate_games=2", "anchors=[random]", "checkpoint_every=300"]
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


def arena_words(folder: Path) -> list[str]:
    return [
        "arena",
        "random",
        "first",
        "--games",
        "4000",
        "--batch",
        "16",
        "--results",
        str(folder / "a.jsonl"),
    ]


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
        lambda folder: (folder / "a.jsonl").exists() and (folder / "a.jsonl").stat().st_size > 0,
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
    ),
    "play": Activity(
        lambda folder: ["play", "--opponents", "first", "--save", str(folder / "play.save")],
        lambda folder: files.previous(folder / "play.save").exists(),
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
) -> Process:
    """Begin a command; `room` is the size of the largest file it can write."""
    (folder / "b.json").write_text("an earlier file")

    def limit() -> None:
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    process = subprocess.Popen(
        [sys.executable, "-c", LAUNCH.format(before=before), *activity.words(folder)],
        cwd=ROOT, text=True, preexec_fn=limit,
        stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE,
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
    process.communicate(timeout=60)
    return time.monotonic() - began


def by_signal(how: signal.Signals) -> Callable[[Activity, Path], str]:
    def cell(activity: Activity, folder: Path) -> str:
        seconds = stopped(begun(activity, folder), how)
        return f"{activity.kept(folder)} ({seconds:.1f} s)"

    return cell


def refused(process: Process) -> str:
    """The sentence with which a command ends."""
    shown, complaint = process.communicate(timeout=300)
    assert "Traceback" not in complaint, complaint
    return (complaint.strip() or shown.strip()).splitlines()[-1].removeprefix("smallcity: ")


def disk_full(activity: Activity, folder: Path) -> str:
    stopped(begun(activity, folder), signal.SIGKILL)
    continued = replace(activity, words=activity.again)
    if activity is ACTIVITIES["web"]:
        return _full_while_serving(continued, folder)
    said = refused(
        launch(continued, folder, room=activity.torn(folder).stat().st_size // 2, stdout=subprocess.PIPE)
    )
    assert "cannot be written" in said or activity is ACTIVITIES["play"], said
    return f"{activity.kept(folder)}; a sentence"


def _full_while_serving(activity: Activity, folder: Path) -> str:
    """A server that cannot write a byte more."""
    server = launch(activity, folder, room=1)
    try:
        web.wait(folder)
        return web.on_a_full_disk(folder)
    finally:
        stopped(server, signal.SIGKILL)


def read_only(activity: Activity, folder: Path) -> str:
    words = [word.replace(str(folder), str(UNWRITABLE)) for word in activity.words(folder)]
    said = refused(launch(replace(activity, words=lambda _: words), folder, stdout=subprocess.PIPE))
    assert "cannot be" in said or activity is ACTIVITIES["play"], said
    return "refused in a sentence"


def torn_write(activity: Activity, folder: Path) -> str:
    stopped(begun(activity, folder), signal.SIGKILL)
    path = activity.torn(folder)
    path.write_bytes(path.read_bytes()[:-9])
    if activity is ACTIVITIES["arena"]:
        return f"{activity.kept(folder)} but the torn one, which is played again"
    if activity is ACTIVITIES["web"]:
        return web.again_after_a_tear(folder)
    try:
        activity.kept(folder)
    except (Refused, AssertionError):
        if activity is ACTIVITIES["play"]:
            Match.load(files.previous(path))
            return "refused in a sentence; the save before it"
        return "refused in a sentence; all checkpoints" if path.suffix == ".npz" else "refused in a sentence"
    raise AssertionError("a torn file was read")


def two_writers(activity: Activity, folder: Path) -> str:
    first = begun(activity, folder)
    second = launch(activity, folder)
    if activity is ACTIVITIES["bench"]:
        stopped(second, signal.SIGKILL)
        said = "the file of the last to end, whole"
    else:
        told = refused(second)
        assert "is writing to" in told or "holds a saved game" in told or "already exists" in told, told
        said = "the second is refused"
    stopped(first, signal.SIGKILL)
    return said if activity is ACTIVITIES["bench"] else f"{activity.kept(folder)}; {said}"


def clock_back(activity: Activity, folder: Path) -> str:
    stopped(begun(activity, folder, before=CLOCK), signal.SIGTERM)
    return activity.kept(folder)


FAULTS = {
    "kill -9": by_signal(signal.SIGKILL),
    "SIGTERM": by_signal(signal.SIGTERM),
    "SIGINT (ctrl-C)": by_signal(signal.SIGINT),
    "disk full": disk_full,
    "place cannot be written": read_only,
    "torn write": torn_write,
    "two writers": two_writers,
    "clock going back": clock_back,
}


def table(only: str | None, part: str) -> str:
    """Every cell, as Markdown."""
    chosen = {only: ACTIVITIES[only]} if only else ACTIVITIES
    lines = [f"| fault | {' | '.join(chosen)} |", "|---" * (len(chosen) + 1) + "|"]
    for name, fault in FAULTS.items():
        if part not in name:
            continue
        cells = []
        for activity in chosen.values():
            with tempfile.TemporaryDirectory() as folder:
                cells.append(fault(activity, Path(folder)))
            print(f"{name}: {cells[-1]}", file=sys.stderr, flush=True)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, or write it into a page."""
    parser = argparse.ArgumentParser(description="What each command keeps under each fault.")
    parser.add_argument("--write", type=Path, help="the page, between its markers")
    parser.add_argument("--only", choices=[*ACTIVITIES], help="one command")
    parser.add_argument("--faults", default="", help="only faults whose name contains this")
    args = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(["agents", "training", "bench"])
    text = table(args.only, args.faults)
    if args.write:
        before, _, rest = files.read_text(args.write).partition(FIRST)
        files.write(args.write, f"{before}{FIRST}\n{text}\n{LAST}{rest.partition(LAST)[2]}")
    else:
        print(text)


if __name__ == "__main__":
    main()
