"""The measurements as tables."""

import datetime
import math
import platform
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

from smallcity_env import __version__, files

from .measure import CORES, Measured, Results, Spread, ratio
from .targets import TARGETS, Target

PACKAGES: Final = (
    "numpy", "numba", "gymnasium", "pettingzoo", "catanatron", "open_spiel", "envpool", "pgx", "jax",
)  # fmt: skip
DIGITS: Final = 3  # significant digits of a figure
HEAD: Final = ("case", "per second", "lowest - highest", "games/s", "ours is")
TARGET_HEAD: Final = ("ours / theirs, in one run", "target", "reached", "lowest - highest", "met")
Row = tuple[str, ...]


def heading(repeats: int, seconds: float) -> str:
    """When, where and how it was measured."""
    installed = {d.name.replace("-", "_"): d.version for d in distributions()}
    known = {"smallcity-env": __version__, "Python": platform.python_version()}
    known |= {name: installed[name] for name in PACKAGES if name in installed}
    where = f"{platform.machine()}, {platform.system()}, {CORES} cores"
    versions = ", ".join(f"{name} {number}" for name, number in known.items())
    rounds = f"{repeats} rounds of {seconds:g} s each, interleaved"
    return f"{datetime.date.today().isoformat()}, {where}; {rounds}. {versions}."


def number(value: float) -> str:
    """A figure rounded to its significant digits: 1,230,000, 41.5, 0.62."""
    if not math.isfinite(value) or value == 0:
        return f"{value:.0f}"
    places = DIGITS - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, places):,.{max(places, 0)}f}"


def span(spread: Spread) -> str:
    """From the lowest to the highest."""
    return f"{number(spread.low)} - {number(spread.high)}" if spread.low < spread.high else ""


def rows(results: Results) -> list[Row]:
    """The table of figures."""
    return [_row(measured, results) for measured in results.measured.values()]


def _row(measured: Measured, results: Results) -> Row:
    case, figure = measured.case, measured.figure()
    like = results.measured.get(case.like)
    times = ratio(like, measured) if like else None
    return (
        case.what,
        number(figure.median) + ("" if case.unit == "decisions" else f" {case.unit}"),
        span(figure),
        number(measured.figure("games").median) if any(r.games for r in measured.rounds) else "",
        f"{number(times.median)} x" if times else "",
    )


def missing(results: Results) -> str:
    """What could not be measured, and why."""
    return "\n".join(f"Missing: {what} ({why})." for what, why in results.missing.items())


def target_rows(results: Results) -> list[Row]:
    """The table of targets."""
    return [_target_row(target, target.figure(results)) for target in TARGETS]


def _target_row(target: Target, figure: Spread | None) -> Row:
    amount = f"{target.bound:,g}" if target.bound < 1e6 else "1 M"
    bound = f"{'at most' if target.at_most else 'at least'} {amount}{target.sign}"
    if figure is None:
        return target.what, bound, "not measured", "", ""
    reached = f"{number(figure.median)}{target.sign}"
    return target.what, bound, reached, span(figure), "yes" if target.met(figure) else "no"


def put(path: Path, name: str, text: str) -> bool:
    """Write a text between its markers in a page; return whether the page has them."""
    first, last = f"<!-- bench: {name} -->", f"<!-- /bench: {name} -->"
    page = files.read_text(path, "the page")
    if first not in page or last not in page:
        return False
    before, _, rest = page.partition(first)
    files.write(path, f"{before}{first}\n{text.strip()}\n{last}{rest.partition(last)[2]}")
    return True
