"""`smallcity bench`: how fast this environment is, compared with similar ones."""

import argparse
from pathlib import Path
from typing import Any, Final

from smallcity_env.terminal import Progress, Refused, count

from . import compare, learner, ours, peers, report, start
from .measure import Case, Results, measure, steps
from .targets import TARGETS

REPEATS: Final = 5
SECONDS: Final = 0.5
QUICK: Final = (3, 0.1)  # repeats and seconds
STARTS: Final = "start"  # as a name for --only
LEGEND: Final = """\
A decision is a question with more than one legal answer; all play at random. Figures are medians, per second
of processor time on one core, per second by the clock on several. forced: answers without an alternative, not
counted as decisions (+ 50%) or, where a peer does not distinguish them, included in them (50% of them). ours
is: how many times as fast we do the same kind of work. set-up: the time to compile, where it is long."""


def options(parser: argparse.ArgumentParser) -> None:
    """What to measure, for how long, and where to write the results."""
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="only cases that begin with TEXT")
    parser.add_argument("--targets", action="store_true", help="only what the targets need; some minutes")
    parser.add_argument("--repeats", type=count, help=f"number of rounds (default {REPEATS})")
    parser.add_argument("--seconds", type=_seconds, help=f"seconds per case and round (default {SECONDS})")
    parser.add_argument("--quick", action="store_true", help="short rounds, and no recompiling")
    parser.add_argument("--json", type=Path, help="write all rounds, versions and cores to this file")
    between = "write the tables between the markers <!-- bench: ... --> of these pages"
    parser.add_argument("--write", type=Path, nargs="+", default=[], metavar="PAGE", help=between)
    versions = "compare the sources here with those of a git revision instead"
    parser.add_argument("--compare", metavar="REV", help=versions)


def _seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"needs a number of seconds above 0, not {text!r}")
    return value


def run(args: argparse.Namespace) -> None:
    """Measure, print, and write the requested files."""
    repeats, seconds = QUICK if args.quick else (REPEATS, SECONDS)
    args.repeats, args.seconds = args.repeats or repeats, args.seconds or seconds
    _check(args)
    at = report.setting(args.repeats, args.seconds)
    texts = _versions(args, at) if args.compare else _peers(args, at)
    for page in args.write:
        if not sum(report.put(page, name, text) for name, text in texts.items()):
            raise Refused(f"{page} has no markers <!-- bench: ... --> for {', '.join(texts)}")


def _check(args: argparse.Namespace) -> None:
    """Check up front what would otherwise fail only after measuring."""
    for page in args.write:
        if not page.is_file():
            raise Refused(f"there is no file {page}")
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)


def _chosen(only: list[str] | None) -> list[Case]:
    """The cases selected by --only."""
    cases = [*ours.cases(), *learner.cases(), *peers.cases()]
    if only is None:
        return cases
    chosen = [case for case in cases if case.key.startswith(tuple(only))]
    if not chosen and STARTS not in only:
        names = ", ".join(dict.fromkeys(case.key.split("/")[0] for case in cases))
        raise Refused(f"no case begins with {' or '.join(only)}: there are {names}, {STARTS}")
    return chosen


def _of_targets() -> list[Case]:
    """The cases that targets compare."""
    named = {key for target in TARGETS for key in (target.ours, target.theirs)}
    return [case for case in _chosen(None) if case.key in named]


def _peers(args: argparse.Namespace, at: dict[str, Any]) -> dict[str, str]:
    """Our cases, the peers, and the targets."""
    results = _measured(args)
    if args.json:
        report.save(args.json, report.as_json(results, at))
    _print(results, at)
    table = report.markdown(report.TARGET_HEAD, report.target_rows(results))
    return {"targets": f"{report.heading(at)}\n\n{table}\n\n{report.missing(results)}"}


def _measured(args: argparse.Namespace) -> Results:
    """Measure all selected cases."""
    cases = _of_targets() if args.targets else _chosen(args.only)
    progress = Progress(steps(cases, args.repeats) + 1)
    results = measure(cases, args.repeats, args.seconds, progress)
    results.values |= ours.values()
    if args.only is None or STARTS in args.only:
        progress("starting again" if args.quick else "recompiling the rules")
        results.values |= start.started() if args.quick else start.compiled()
    progress.close()
    return results


def _print(results: Results, at: dict[str, Any]) -> None:
    """Print all figures, and the targets."""
    print(report.heading(at), LEGEND, sep="\n", end="\n\n")
    figures = report.aligned(report.HEAD, report.rows(results))
    print(*filter(None, (figures, report.missing(results))), sep="\n\n", end="\n\n")
    print(report.aligned(report.TARGET_HEAD, report.target_rows(results)))


def _versions(args: argparse.Namespace, at: dict[str, Any]) -> dict[str, str]:
    """Show the speed of these sources relative to a revision; refuse if they are slower."""
    only = tuple(args.only or compare.USUAL)
    cases = [case.key for case in _chosen(list(only)) if case.group == ours.GROUP]
    progress = Progress(args.repeats * len(cases) + 1)
    progress("setting up both versions")
    results = compare.compare(args.compare, cases, args.repeats, args.seconds, progress)
    progress.close()
    heading, table = report.heading(at), compare.rows(results)
    print(heading, report.aligned(compare.HEAD, table), sep="\n\n")
    if slower := [result.what for result in results if result.verdict == "slower"]:
        raise Refused(f"slower than {args.compare}: {'; '.join(slower)}")
    return {"compare": f"{heading}\n\n{report.markdown(compare.HEAD, table)}"}
