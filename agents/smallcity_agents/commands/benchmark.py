"""`smallcity benchmark`: report cards of agents by a fixed protocol."""

import argparse
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from smallcity_env import files, terminal
from smallcity_env.rules.tables.in_force import IDENTITY
from smallcity_env.terminal import Interrupt, Progress

from .. import make
from ..arena import chart, report, runner
from ..arena.report import Table
from ..arena.results import Result
from ..benchmark import card
from ..benchmark.card import Played
from ..benchmark.protocol import VERSION, Task, tasks

FOLDER: Final = Path("runs") / "benchmark"
PAGE: Final = """# Report cards

Made by `smallcity benchmark AGENT ... --markdown FILE`; the page docs/benchmark.md has the protocol and
explains the columns. A quick card has a tenth of the games, so its intervals are wide.

In the comparison, the games of all set-ups with one number of players are taken together: first places, or
in solo games the mean score.
"""


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("agents", nargs="+", metavar="agent", help="by name, options after a colon")
    parser.add_argument("--quick", action="store_true", help="a tenth of the games, marked on the card")
    parser.add_argument("--tasks", default="", help="only tasks whose names contain this text")
    folder = f"of results and report cards (default {FOLDER})"
    parser.add_argument("--folder", type=Path, default=FOLDER, help=folder)
    parser.add_argument("--markdown", type=Path, help="also write a page of all cards")


def run(args: argparse.Namespace) -> None:
    """Play the games not yet on file, then print and write the report cards."""
    agents = list(dict.fromkeys(make(name).name for name in args.agents))
    chosen = [task for task in tasks(args.quick) if args.tasks in task.name]
    if not chosen:
        names = ", ".join(dict.fromkeys(task.group for task in tasks(args.quick)))
        raise terminal.Refused(f"no task contains {args.tasks!r}: choose from {names}")
    played = {}
    for agent in agents:
        file = args.folder / f"{VERSION}-{re.sub(r'[^A-Za-z0-9.=]+', '-', agent)}"
        played[agent] = _play(agent, chosen, file.with_name(file.name + ".jsonl"))
        _write_card(agent, card.lines(agent, played[agent]), file, args.quick)
    compared = card.compare(played)
    if len(agents) > 1:
        print(*report.text_lines(compared, terminal.width(), terminal.ink()), sep="\n")
    if args.markdown:
        files.write(args.markdown, "\n".join(_page(played, compared, args.quick)))
        print(f"The page is {args.markdown}.")


def _write_card(agent: str, lines: list[card.Line], file: Path, quick: bool) -> None:
    """Print a report card and write its files."""
    print(*chart.aligned([list(card.HEADS), *(line.cells() for line in lines)]), "", sep="\n")
    data = card.as_json(agent, lines, IDENTITY, quick)
    files.write(file.with_name(file.name + ".json"), json.dumps(data, indent=1) + "\n")
    files.write(file.with_name(file.name + ".md"), "\n".join(card.markdown(agent, lines, quick)))
    print(f"The report card is {file}.md, and as data {file}.json; the same command resumes or adds tasks.")


def _page(played: Mapping[str, Played], compared: Table, quick: bool) -> list[str]:
    """All report cards and their comparison as a page."""
    lines = [PAGE, "## Agents compared", "", *report.markdown_rows(compared.heads, compared.rows), ""]
    for agent, tasks_of in played.items():
        lines += card.markdown(agent, card.lines(agent, tasks_of), quick)
    return lines


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
