"""`smallcity stats`: what the results of an arena tell about each agent."""

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Final

from smallcity_env import terminal
from smallcity_env.terminal import Refused

from ..arena import chart, report
from ..arena.results import RULES, Result, read

RESULTS: Final = Path("runs") / "arena.jsonl"
PAGE: Final = """# Leaderboard

Made by `smallcity stats RESULTS --markdown docs/leaderboard.md` from games that `smallcity arena` played:
what each agent wins, and how. How to read the columns is said in [agents.md](agents.md#the-arena).
"""


def options(parser: argparse.ArgumentParser) -> None:
    """Which results, and how they are shown."""
    parser.add_argument("results", type=Path, nargs="?", default=RESULTS, help=f"a file (default {RESULTS})")
    parser.add_argument(
        "--by", choices=report.BY, default=report.BY[0], help="a column for each (default agent)"
    )
    parser.add_argument("--agents", help="only what these did, separated by spaces")
    parser.add_argument("--markdown", type=Path, help="write a page instead")
    parser.add_argument("--png", type=Path, help="draw a picture as well")


def run(args: argparse.Namespace) -> None:
    """Show the games of every set-up in the file."""
    results = read(args.results)
    if not results:
        raise Refused(f"there are no games in {args.results} yet")
    agents = _wanted(results, args.agents)
    found = grouped([result for result in results if not agents or set(agents) & set(result.agents)])
    if args.markdown:
        _write_page(found, args.by, agents, args.markdown)
    else:
        _show(found, args.by, agents)
    if args.png:
        drawn = chart.draw_rounds(max(found.values(), key=len), args.png)
        print(f"The picture is {args.png}." if drawn else chart.NO_PICTURE)


def _wanted(results: list[Result], agents: str | None) -> list[str]:
    """The agents asked for; none: all."""
    known = {agent for result in results for agent in result.agents}
    wanted = agents.split() if agents else []
    for agent in wanted:
        if agent not in known:
            raise Refused(f"{agent!r} has played no game here: choose from {', '.join(sorted(known))}")
    return wanted


def grouped(results: list[Result]) -> dict[str, list[Result]]:
    """The games by set-up, each in words."""
    groups = defaultdict(list)
    for result in results:
        old = "" if result.rules == RULES else f" (rules {result.rules}, not the present ones)"
        groups[terminal.words(result.config) + old].append(result)
    return dict(groups)


def _title(name: str, results: list[Result]) -> str:
    """A set-up and how much of it was played."""
    seeds = len({result.seed for result in results})
    return f"{name}: {len(results):,} games on {seeds:,} seeds"


def _show(found: dict[str, list[Result]], by: str, agents: list[str]) -> None:
    """Tables on the terminal."""
    ink, width = terminal.ink(), terminal.width()
    for name, results in found.items():
        print(ink(_title(name, results), "bold"), end="\n\n")
        for table in report.tables(results, by, agents):
            print(*report.text_lines(table, width, ink), sep="\n")


def _write_page(found: dict[str, list[Result]], by: str, agents: list[str], path: Path) -> None:
    """The same tables as a page."""
    lines = [PAGE]
    for name, results in found.items():
        lines += [f"## {_title(name, results)}", ""]
        for table in report.tables(results, by, agents):
            lines += report.markdown(table)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))
    print(f"The page is {path}.")
