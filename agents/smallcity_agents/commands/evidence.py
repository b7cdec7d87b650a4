"""`smallcity evidence`: play the games of all tables of results in the pages, and write the tables."""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Final

from smallcity_env import files, terminal
from smallcity_env.terminal import Refused

from .. import evidence
from ..evidence import Entry, Step

PLAN: Final = Path("docs") / "results" / "evidence.toml"
FOLDER: Final = Path("runs") / "evidence"


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "tables", nargs="*", metavar="table", help="by their names in the plan (default: all)"
    )
    parser.add_argument("--plan", type=Path, default=PLAN, help=f"file of tables (default {PLAN})")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"of the games (default {FOLDER})")
    parser.add_argument("--share", type=_share, default=1.0, help="of the planned games (default 1: all)")
    workers = "processes that play at the same time (default 1)"
    parser.add_argument("--workers", type=terminal.count, default=1, help=workers)
    parser.add_argument("--list", action="store_true", help="only print the commands")


def _share(text: str) -> float:
    """A share above 0, at most 1."""
    if not 0 < (share := float(text)) <= 1:
        raise argparse.ArgumentTypeError(f"a share is above 0 and at most 1, not {text}")
    return share


def run(args: argparse.Namespace) -> None:
    """Play what is not on file and write table after table."""
    plan = evidence.read_plan(args.plan)
    if unknown := [name for name in args.tables if name not in plan]:
        raise Refused(f"{args.plan} has no table {unknown[0]}: choose from {', '.join(plan)}")
    chosen = {name: plan[name] for name in args.tables or plan}
    for n, (name, entry) in enumerate(chosen.items()):
        steps = evidence.steps(name, entry, args.folder, args.share)
        if args.list:
            print(*(f"smallcity {' '.join(step.words)}" for step in steps), sep="\n")
        else:
            print(f"table {n + 1} of {len(chosen)}: {name}", file=sys.stderr)
            _make(name, entry, steps, args.workers)


def _make(name: str, entry: Entry, steps: list[Step], workers: int) -> None:
    """Play the games of a table and write it."""
    for step in steps:
        if not step.finished:
            _run(step, workers)
    evidence.write(Path(entry.page), name, evidence.table(entry, steps))
    print(f"{name} is in {entry.page}")


def _run(step: Step, workers: int) -> None:
    """Run a command; it goes on where it was stopped, but a training run begins again."""
    training = step.words[0] == "train"
    count = [] if training else ["--workers", str(workers)]
    command = [sys.executable, "-m", "smallcity_env", *step.words, *count]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode:
        raise Refused(f"`smallcity {' '.join(step.words)}` failed; the same command goes on from here")
    if training:
        files.write(step.results / evidence.FINISHED, ran.stdout)
