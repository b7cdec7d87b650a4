"""The measurements as text and JSON."""

import datetime
import json
import math
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from smallcity_env import __version__, files

from .measure import AMONG, CORES, UNSEEN, Measured, Results, Spread, ratio
from .targets import Outcome, outcomes

PACKAGES: Final = (
    "numpy", "numba", "gymnasium", "pettingzoo", "catanatron", "open_spiel", "envpool", "pgx", "jax",
    "chess", "rlcard",
)  # fmt: skip
DIGITS: Final = 3  # significant digits of a figure
LONG: Final = 2.0  # seconds of set-up worth reporting: it compiles
KINDS: Final = {  # our case that does the same kind of work as each peer
    "catanatron": "rollout/godzillas/4/1",
    "open_spiel/chess/c++": "rollout/godzillas/4/1",
    "open_spiel/backgammon/c++": "rollout/godzillas/4/1",
    "open_spiel/chess/python": "vector/godzillas/4/1024",
    "open_spiel/backgammon/python": "vector/godzillas/4/1024",
    "open_spiel/backgammon/mcts": "playouts/godzillas/4",
    "envpool/backgammon": "vector/godzillas/4/1024",
    "pgx/chess": "vector/godzillas/4/1024",
    "pgx/backgammon": "vector/godzillas/4/1024",
    "pgx/connect_four": "vector/godzillas/4/1024",
    "pettingzoo/connect_four": "aec/godzillas/4",
    "pettingzoo/chess": "aec/godzillas/4",
    "rlcard/gin-rummy": "aec/godzillas/4",
}


def versions() -> dict[str, str]:
    """The versions of all packages involved."""
    installed = {"smallcity-env": __version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            installed[package] = "missing"
    return installed


def setting(repeats: int, seconds: float) -> dict[str, Any]:
    """When, where and how it was measured."""
    machine = {"architecture": platform.machine(), "system": platform.system(), "cores": CORES}
    today = datetime.date.today().isoformat()
    return {"date": today, "machine": machine, "versions": versions(), "repeats": repeats, "seconds": seconds}


def heading(at: dict[str, Any]) -> str:
    """The setting in a sentence or two."""
    names = ", ".join(f"{name} {number}" for name, number in at["versions"].items() if number != "missing")
    machine = at["machine"]
    where = f"{machine['architecture']}, {machine['system']}, {machine['cores']} cores"
    how = f"{at['repeats']} rounds of {at['seconds']:g} s each, interleaved"
    return f"{at['date']}, {where}; {how}. {names}."


def number(value: float) -> str:
    """A figure rounded to its significant digits: 1,230,000, 41.5, 0.62."""
    if not math.isfinite(value) or value == 0:
        return f"{value:.0f}"
    places = DIGITS - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, places):,.{max(places, 0)}f}"


def span(spread: Spread) -> str:
    """From the lowest to the highest."""
    return f"{number(spread.low)} - {number(spread.high)}"


def forced_words(measured: Measured) -> str:
    """Forced answers per decision: besides those counted, or among them."""
    share, case = f"{measured.forced():.0%}", measured.case
    if case.unit != "decisions" or case.forced == UNSEEN:
        return ""
    return f"{share} of them" if case.forced == AMONG else f"+ {share}"


def against(key: str, results: Results) -> Spread | None:
    """How many times as fast we do the same kind of work."""
    ours, theirs = results.measured.get(KINDS.get(key, "")), results.measured.get(key)
    return ratio(ours, theirs) if ours and theirs else None


HEAD: Final = (
    "case", "per second", "lowest - highest", "by the clock", "games/s", "forced", "ours is", "set-up",
)  # fmt: skip


def row(measured: Measured, results: Results) -> tuple[str, ...]:
    """One line of the table of figures."""
    case, figure = measured.case, measured.figure()
    unit = "" if case.unit == "decisions" else f" {case.unit}"
    times = against(case.key, results)
    games = number(measured.games().median) if any(r.games for r in measured.rounds) else ""
    return (
        case.what, number(figure.median) + unit, span(figure), number(measured.rate().median), games,
        forced_words(measured), f"{number(times.median)} x" if times else "",
        f"{measured.setup:.0f} s" if measured.setup > LONG else "",
    )  # fmt: skip


def rows(results: Results) -> list[tuple[str, ...]]:
    """The table of figures."""
    return [row(measured, results) for measured in results.measured.values()]


def missing(results: Results) -> str:
    """What could not be measured, and why."""
    reasons: dict[str, list[str]] = {}
    for what, why in results.missing.items():
        reasons.setdefault(why, []).append(what)
    return "\n".join(f"Missing: {'; '.join(whats)} ({why})." for why, whats in reasons.items())


def target_row(outcome: Outcome) -> tuple[str, ...]:
    """One line of the table of targets."""
    target, figure = outcome.target, outcome.figure
    least = "at most" if target.at_most else "at least"
    bound = f"{least} {target.bound:,g}{target.sign}" if target.bound < 1e6 else f"{least} 1 M{target.sign}"
    if figure is None:
        return (target.what, bound, "not measured", "", "")
    spread = "" if figure.low == figure.high else span(figure)
    if outcome.clock is not None:
        spread = f"{number(outcome.clock)}{target.sign} by the clock"
    reached = f"{number(figure.median)}{target.sign}"
    return (target.what, bound, reached, spread, "yes" if outcome.met else "no")


TARGET_HEAD: Final = ("ours / theirs, in one run", "target", "reached", "lowest - highest", "met")


def target_rows(results: Results) -> list[tuple[str, ...]]:
    """The table of targets."""
    return [target_row(outcome) for outcome in outcomes(results)]


def aligned(head: tuple[str, ...], table: list[tuple[str, ...]]) -> str:
    """A table for the terminal: the first column left-aligned, the others right-aligned."""
    widths = [max(len(line[i]) for line in [head, *table]) for i in range(len(head))]
    lines = []
    for line in [head, *table]:
        first, *others = (cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(
            zip(line, widths, strict=True)))  # fmt: skip
        lines.append("  ".join([first, *others]).rstrip())
    return "\n".join(lines)


def markdown(head: tuple[str, ...], table: list[tuple[str, ...]]) -> str:
    """A Markdown table."""
    rule = ("---", *["---:"] * (len(head) - 1))
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *table])


def as_json(results: Results, at: dict[str, Any]) -> dict[str, Any]:
    """All results, with every round."""
    return {
        **at,
        "cases": [_case_json(measured, results) for measured in results.measured.values()],
        "missing": results.missing,
        "values": results.values,
        "targets": [_target_json(outcome) for outcome in outcomes(results)],
    }


def _case_json(measured: Measured, results: Results) -> dict[str, Any]:
    case, times = measured.case, against(measured.case.key, results)
    return {
        "key": case.key, "group": case.group, "what": case.what, "counts": case.counts, "unit": case.unit,
        "forced": case.forced, "cores": case.cores, "setup_seconds": measured.setup,
        "figure": measured.figure()._asdict(), "per_processor_second": measured.per_cpu()._asdict(),
        "per_second": measured.rate()._asdict(), "games": measured.games()._asdict(),
        "forced_each": measured.forced(),
        "ours_is": times._asdict() if times else None,
        "rounds": [r._asdict() for r in measured.rounds],
    }  # fmt: skip


def _target_json(outcome: Outcome) -> dict[str, Any]:
    figure = outcome.figure._asdict() if outcome.figure else None
    return {**outcome.target._asdict(), "figure": figure, "met": outcome.met}


def save(path: Path, results: dict[str, Any]) -> None:
    """Write the JSON file."""
    files.write(path, json.dumps(results, indent=1) + "\n")


def put(path: Path, name: str, text: str) -> bool:
    """Write a text between its markers in a page; return whether the page has them."""
    first, last = f"<!-- bench: {name} -->", f"<!-- /bench: {name} -->"
    page = files.read_text(path, "the page")
    if first not in page or last not in page:
        return False
    before, _, rest = page.partition(first)
    files.write(path, f"{before}{first}\n{text.strip()}\n{last}{rest.partition(last)[2]}")
    return True
