"""`smallcity benchmark`: the report card of an agent by a fixed protocol."""

import argparse
import json
import re
from pathlib import Path
from typing import Final

from smallcity_env import files, terminal
from smallcity_env.terminal import Interrupt, Progress

from .. import make
from ..arena import chart, runner
from ..arena.results import RULES, Result
from ..benchmark import card
from ..benchmark.protocol import VERSION, Task, tasks

FOLDER: Final = Path("runs") / "benchmark"


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("agent", help="by name, options after a colon")
    parser.add_argument("--quick", action="store_true", help="a tenth of the games, marked on the card")
    parser.add_argument("--tasks", default="", help="only tasks whose names contain this text")
    folder = f"of results and report cards (default {FOLDER})"
    parser.add_argument("--folder", type=Path, default=FOLDER, help=folder)


def run(args: argparse.Namespace) -> None:
    """Play the games not yet on file, then print and write the report card."""
    agent = make(args.agent).name
    chosen = [task for task in tasks(args.quick) if args.tasks in task.name]
    if not chosen:
        names = ", ".join(dict.fromkeys(task.group for task in tasks(args.quick)))
        raise terminal.Refused(f"no task contains {args.tasks!r}: choose from {names}")
    file = args.folder / f"{VERSION}-{re.sub(r'[^A-Za-z0-9.=]+', '-', agent)}"
    played = _play(agent, chosen, file.with_name(file.name + ".jsonl"))
    lines = card.lines(agent, played)
    print(*chart.aligned([list(card.HEADS), *(line.cells() for line in lines)]), "", sep="\n")
    data = card.as_json(agent, lines, RULES, args.quick)
    files.write(file.with_name(file.name + ".json"), json.dumps(data, indent=1) + "\n")
    files.write(file.with_name(file.name + ".md"), "\n".join(card.markdown(agent, lines, args.quick)))
    print(f"The report card is {file}.md, and as data {file}.json; the same command resumes or adds tasks.")


def _play(agent: str, chosen: list[Task], path: Path) -> dict[Task, list[Result]]:
    """The results of every task; games on file are not played again."""
    played: dict[Task, list[Result]] = {}
    bar = Progress(len(chosen))
    with Interrupt() as interrupt:

        def progress(stored: int, more: float, games: int) -> None:
            interrupt.check()
            bar.show(len(played) + (stored + more) / games, f"{task.name}: {stored} of {games} games")

        for task in chosen:
            table = task.table(agent)
            played[task] = runner.run(
                task.config, table, task.games, path, task.seed, progress=progress, table=True
            )
    bar.close()
    return played
