"""`smallcity stats`: statistics of the results of an arena."""

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Final

from smallcity_env import files, terminal
from smallcity_env.rules.tables.in_force import IDENTITY
from smallcity_env.terminal import Refused

from ..arena import report
from ..arena.report import Table
from ..arena.results import Result, read

RESULTS: Final = Path("runs") / "arena.jsonl"
PAGE: Final = """# Leaderboard

Made by `smallcity stats RESULTS --markdown FILE` from games that `smallcity arena` played: what each agent
wins, and how. The page docs/arena.md explains the columns.
"""


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("results", type=Path, nargs="?", default=RESULTS, help=f"file (default {RESULTS})")
    parser.add_argument(
        "--by", choices=report.BY, default=report.BY[0], help="what the columns are (default agent)"
    )
    parser.add_argument("--agents", help="only these, separated by spaces")
    parser.add_argument("--markdown", type=Path, help="write a page instead of printing")


def run(args: argparse.Namespace) -> None:
    """Show the games of every set-up in the file."""
    results = read(args.results)
    if not results:
        raise Refused(f"there are no games in {args.results} yet")
    agents = selected(results, args.agents)
    groups = grouped([result for result in results if not agents or set(agents) & set(result.agents)])
    sections = {title(name, games): report.tables(games, args.by, agents) for name, games in groups.items()}
    if args.markdown:
        write_page(PAGE, sections, args.markdown)
    else:
        show(sections)


def selected(results: list[Result], agents: str | None) -> list[str]:
    """The selected agents; empty for all."""
    known = {agent for result in results for agent in result.agents}
    selected = agents.split() if agents else []
    for agent in selected:
        if agent not in known:
            raise Refused(f"{agent!r} has played no game here: choose from {', '.join(sorted(known))}")
    return selected


def grouped(results: list[Result]) -> dict[str, list[Result]]:
    """The games by set-up, in words."""
    groups = defaultdict(list)
    for result in results:
        old = "" if result.rules == IDENTITY else f" (other rules: {result.rules})"
        groups[terminal.words(result.config) + old].append(result)
    return dict(groups)


def title(name: str, results: list[Result]) -> str:
    """A set-up and its number of games."""
    seeds = len({result.seed for result in results})
    return f"{name}: {len(results):,} games on {seeds:,} seeds"


def show(sections: dict[str, list[Table]]) -> None:
    """Print tables by their headings."""
    ink, width = terminal.ink(), terminal.width()
    for heading, tables in sections.items():
        print(ink(heading, "bold"), end="\n\n")
        for table in tables:
            print(*report.text_lines(table, width, ink), sep="\n")


def write_page(intro: str, sections: dict[str, list[Table]], path: Path) -> None:
    """Write tables by their headings as a page."""
    lines = [intro]
    for heading, tables in sections.items():
        lines += [f"## {heading}", "", *(line for table in tables for line in report.markdown(table))]
    files.write(path, "\n".join(lines))
    print(f"The page is {path}.")
