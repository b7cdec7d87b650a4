"""`smallcity bench`: how fast this environment is, compared with similar ones."""

import argparse
from pathlib import Path
from typing import Final

from smallcity_agents.arena.chart import aligned
from smallcity_agents.arena.report import markdown_rows
from smallcity_env.rules.schema import STATE_BYTES
from smallcity_env.terminal import Progress, Refused, count

from . import compare, ours, peers, report, start
from .measure import Case, Results, measure
from .targets import TARGETS

STARTS: Final = "start"  # as a name for --only
LEGEND: Final = """\
A decision is a question with more than one legal answer; all play at random. Figures are medians, per second
of processor time on one core, per second by the clock on several. ours is: how many times as fast we do the
same kind of work."""


def options(parser: argparse.ArgumentParser) -> None:
    """What to measure, for how long, and where to write the results."""
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="only cases that begin with TEXT")
    parser.add_argument("--targets", action="store_true", help="only what the targets need; some minutes")
    parser.add_argument("--repeats", type=count, default=5, help="number of rounds (default 5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="per case and round (default 0.5)")
    between = "write the targets between the markers <!-- bench: targets --> of these pages"
    parser.add_argument("--write", type=Path, nargs="+", default=[], metavar="PAGE", help=between)
    versions = "compare the sources here with those of a git revision instead"
    parser.add_argument("--compare", metavar="REV", help=versions)


def run(args: argparse.Namespace) -> None:
    """Measure, print, and write the requested files."""
    if not 0 < args.seconds < float("inf"):
        raise Refused(f"--seconds needs a number above 0, not {args.seconds}")
    for page in args.write:
        if not page.is_file():
            raise Refused(f"there is no file {page}")
    heading = report.heading(args.repeats, args.seconds)
    if args.compare:
        return _compare(args, heading)
    table = _measure(args, heading)
    for page in args.write:
        if not report.put(page, "targets", f"{heading}\n\n{table}"):
            raise Refused(f"{page} has no markers <!-- bench: targets -->")


def chosen(only: list[str] | None, targets: bool = False) -> list[Case]:
    """The cases selected by --only or --targets."""
    cases = [*ours.cases(), *peers.cases()]
    if targets:
        named = {key for target in TARGETS for key in (target.ours, target.theirs)}
        return [case for case in cases if case.key in named]
    selected = [case for case in cases if only is None or case.key.startswith(tuple(only))]
    if not selected and only and STARTS not in only:
        names = ", ".join(dict.fromkeys(case.key.split("/")[0] for case in cases))
        raise Refused(f"no case begins with {' or '.join(only)}: there are {names}, {STARTS}")
    return selected


def _measure(args: argparse.Namespace, heading: str) -> str:
    """Show our cases, the peers, and the targets; return the table of the latter."""
    results = _measured(args)
    figures, targets = report.rows(results), report.target_rows(results)
    parts = ("\n".join(aligned([report.HEAD, *figures])), report.missing(results))
    print(f"{heading}\n{LEGEND}", *filter(None, parts), sep="\n\n", end="\n\n")
    print(*aligned([report.TARGET_HEAD, *targets]), sep="\n")
    table = "\n".join(markdown_rows(report.TARGET_HEAD, targets))
    return f"{table}\n\n{report.missing(results)}"


def _measured(args: argparse.Namespace) -> Results:
    """Measure all selected cases."""
    cases = chosen(args.only, args.targets)
    progress = Progress(len(cases) + args.repeats * sum(not case.missing() for case in cases) + 1)
    results = measure(cases, args.repeats, args.seconds, progress)
    results.values["bytes of a game"] = STATE_BYTES
    if args.only is None or STARTS in args.only:
        progress("recompiling the rules")
        results.values |= start.starts()
    progress.close()
    return results


def _compare(args: argparse.Namespace, heading: str) -> None:
    """Show the speed of these sources relative to a revision; refuse if they are slower."""
    cases = [case.key for case in ours.cases() if case.key.startswith(tuple(args.only or compare.USUAL))]
    progress = Progress(args.repeats * len(cases) + 1)
    progress("setting up both versions")
    results = compare.compare(args.compare, cases, args.repeats, args.seconds, progress)
    progress.close()
    print(heading, "", *aligned([compare.HEAD, *(result.row() for result in results)]), sep="\n")
    if slower := [result.what for result in results if result.verdict == "slower"]:
        raise Refused(f"slower than {args.compare}: {'; '.join(slower)}")
