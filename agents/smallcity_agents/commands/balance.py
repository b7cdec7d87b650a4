"""`smallcity balance`: what each choice of the game is worth, from the results of arenas."""

import argparse
from pathlib import Path
from typing import Final

from smallcity_env.terminal import Refused

from ..arena import balance
from ..arena.report import Table
from ..arena.results import Result, read
from .stats import RESULTS, grouped, selected, show, title, write_page

PAGE: Final = """# Balance

What play says about the numbers of the game: how often each card, tile, promise and council row is
chosen, how those who chose it fared, whether the turn order matters and how often elimination threatens.

Made by `{command}` from {games:,} games that `smallcity arena` played, by {agents}.

## How to read this

- **Times a seat** is how often a seat chose it in a game, **seats** the share of seats that chose it at
  least once.
- **Lead** is the mean score of those seats less the mean score of their tables. With two players it is half
  the difference of the two scores. What everybody chooses has a lead near 0, however good it is.
- **One more** compares the seats of one table: the points that go with having one more of it than the
  others, with the effect of the turn order of round 1 taken out. For a promise or a place in the turn
  order it is the points that go with having it, for a council row with one more column (its times a seat is
  the mean column). Judge a number by this column; the first tables compare all set-ups.
- **First** is the share of first places of those seats, a shared one counted in part. Chance is 50 % with
  two players, 33 % with three and 25 % with four.
- `±` and **95 %** are 95 % intervals, clustered by seed; a mean of fewer than {least} seeds has none. One row
  in twenty excludes 0 by luck: trust what returns in several set-ups.
- A promise is drawn; only its difficulty is chosen. A victory condition is agreed on by the whole table, so
  nobody leads by it: compare set-ups.
- These are associations, not causes. A rich borough builds a University *and* wins. Where agents of unequal
  strength meet, their strength shows in every row; games of one agent against itself do not have that
  fault.
- An eliminated seat is last, but its score counts as it stands.
"""


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "results", type=Path, nargs="*", default=[RESULTS], help=f"files of results (default {RESULTS})"
    )
    parser.add_argument("--agents", help="only games in which these have all seats, separated by spaces")
    parser.add_argument("--markdown", type=Path, help="also write a page")


def run(args: argparse.Namespace) -> None:
    """Show what choices are worth, for every set-up in the files."""
    groups = dict(sorted(grouped(_games(args.results, args.agents)).items()))
    sections = _sections(groups)
    show(sections)
    if args.markdown:
        write_page(_intro(groups, args.agents), sections, args.markdown)


def _sections(groups: dict[str, list[Result]]) -> dict[str, list[Table]]:
    """All tables, by heading."""
    tables = {title(name, games): balance.tables(games) for name, games in groups.items()}
    numbered = {str(n): group for n, group in enumerate(tables.values(), start=1)}  # as in the overview
    compared = balance.side_by_side(numbered) if len(groups) > 1 else []
    return {"Set-ups compared": [balance.overview(groups), *compared], **tables}


def _games(paths: list[Path], agents: str | None) -> list[Result]:
    """All games of the files once, of two players or more and of the selected agents only."""
    by_key = {result.key: result for path in paths for result in read(path)}
    results = [result for result in by_key.values() if len(result.agents) > 1]
    where = ", ".join(map(str, paths))
    if not results:
        raise Refused(f"there are no games of two or more players in {where} yet")
    names = set(selected(results, agents))
    games = [result for result in results if not names or names.issuperset(result.agents)]
    if not games:
        raise Refused(f"no game in {where} has only {' and '.join(sorted(names))} in its seats")
    return games


def _intro(groups: dict[str, list[Result]], selection: str | None) -> str:
    """The beginning of the page."""
    results = [result for games in groups.values() for result in games]
    agents = ", ".join(f"`{agent}`" for agent in sorted({name for game in results for name in game.agents}))
    chosen = f' --agents "{selection}"' if selection else ""
    command = f"smallcity balance RESULTS{chosen} --markdown FILE"
    return PAGE.format(command=command, games=len(results), agents=agents, least=balance.LEAST)
