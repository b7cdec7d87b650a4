"""`smallcity benchmark`: the level an agent plays at, by a fixed protocol."""

import argparse
import json
import re
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from smallcity_env import files, terminal
from smallcity_env.terminal import Interrupt, Progress, Refused

from .. import make
from ..arena import chart, report, runner
from ..arena.distribute import distribute
from ..benchmark import anchors, check, tracks
from ..benchmark.anchors import AnchorTable
from ..benchmark.card import Card, calibration, card, compare, training_runs
from ..benchmark.entry import Entry, Header, read
from ..benchmark.play import Limits, play
from ..benchmark.protocol import QUICK_SECONDS, QUICK_WAVES, TASKS, VERSION, WAVE, WAVES, Task
from ..cluster import worker_options, workers

FOLDER: Final = Path("runs") / "benchmark"
PAGE: Final = """# Report cards

Made by `smallcity benchmark AGENT ... --markdown FILE`; docs/benchmark.md explains the columns.
"""


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("agents", nargs="*", metavar="agent", help="by name, options after a colon")
    quick = f"the first {QUICK_WAVES} of {WAVES} waves of games, in about five minutes at most"
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--tasks", default="", help="only tasks whose names contain this text")
    track = "what the agents receive and may spend (default: search if they search, else observation)"
    parser.add_argument("--track", choices=tracks.TRACKS, help=track)
    steps = "environment steps an agent was trained for, in the track learning"
    parser.add_argument("--steps", type=terminal.count, default=0, help=steps)
    folder = f"of entries and report cards (default {FOLDER})"
    parser.add_argument("--folder", type=Path, default=FOLDER, help=folder)
    parser.add_argument("--markdown", type=Path, help="also write a page of all cards")
    parser.add_argument(
        "--check", type=Path, metavar="FILE", help="instead, check an entry: replays some games"
    )
    calibrate = "instead, measure the anchors by this many games of neighbours, and write --anchors"
    parser.add_argument("--calibrate", type=terminal.count, metavar="GAMES", help=calibrate)
    table = "table of the anchors' strengths (default: that of the package)"
    parser.add_argument("--anchors", type=terminal.file_name, default=anchors.SHIPPED, help=table)
    worker_options(parser)


def run(args: argparse.Namespace) -> None:
    """Play the games not yet on file, then print and write the report cards."""
    chosen = [task for task in TASKS.values() if args.tasks in task.name]
    if not chosen:
        raise Refused(f"no task contains {args.tasks!r}: choose from {', '.join(TASKS)}")
    if sum(map(bool, (args.agents, args.check, args.calibrate))) != 1:
        raise Refused("name the agents of the benchmark, or use either --check or --calibrate")
    if args.calibrate:
        _calibrate(args, chosen)
    elif args.check:
        _check(args.check, anchors.load(args.anchors, list(TASKS.values())))
    else:
        _enter(args, chosen, anchors.load(args.anchors, chosen))


def _enter(args: argparse.Namespace, chosen: Sequence[Task], table: AnchorTable) -> None:
    """Play and report all agents."""
    headers = {header.agent: header for header in (_header(name, args) for name in args.agents)}
    cards = {agent: _report(header, args, chosen, table) for agent, header in headers.items()}
    if len(cards) > 1:
        print(*report.text_lines(compare(cards), terminal.width(), terminal.ink()), sep="\n")
        if args.track == tracks.LEARNING:
            print(training_runs(list(cards.values())))
    if args.markdown:
        files.write(args.markdown, "\n".join(_page(cards)))
        print(f"The page is {args.markdown}.")


def _header(name: str, args: argparse.Namespace) -> Header:
    """What is entered; refuses an agent that does not fit the track."""
    agent = make(name)
    track = args.track or tracks.track_of(agent)
    tracks.entrant(name, track)
    budget = tracks.budget(agent, track, args.steps)
    return Header(agent.name, track, budget, anchors.nets() | tracks.own_files(agent))


def _report(header: Header, args: argparse.Namespace, chosen: Sequence[Task], table: AnchorTable) -> Card:
    """Play an agent, print its card and write it."""
    name = re.sub(r"[^A-Za-z0-9.=]+", "-", f"{VERSION}-{header.track}-{header.agent}")
    path = args.folder / f"{name}.jsonl"
    with Entry(path, header) as entry:
        _play(entry, args, chosen, table)
        names = {task.name for task in chosen}
        games = [game for game in entry.games if game.task in names]
    if not games:
        raise Refused(f"{header.agent} ended no game in time: play without --quick")
    made = card(header, games, table)
    print(*chart.aligned(made.rows()), "", *made.sentences(), sep="\n")
    files.write(path.with_name(f"{name}.json"), json.dumps(made.as_json(), indent=1) + "\n")
    print(f"All games are in {path}; the card as data is {name}.json.\n")
    return made


def _play(entry: Entry, args: argparse.Namespace, chosen: Sequence[Task], table: AnchorTable) -> None:
    """Play with a progress bar."""
    waves = QUICK_WAVES if args.quick else WAVES
    limits = Limits(waves, time.monotonic() + QUICK_SECONDS) if args.quick else Limits(waves)
    known = len({(game.task, game.seed) for game in entry.games})
    bar, playing = Progress(len(chosen) * WAVE * waves, begun=known), [entry.header.agent]
    with bar, Interrupt() as interrupt, workers(args.ray, args.workers, playing) as executor:

        def progress(blocks: int, what: str) -> None:
            interrupt.check()
            bar.show(min(blocks, bar.steps), f"{entry.header.agent}: {what}")

        play(entry, chosen, table, limits, executor, progress)


def _page(cards: dict[str, Card]) -> list[str]:
    """All report cards and their comparison as a page."""
    compared = compare(cards)
    lines = [PAGE, "## Agents compared", "", *report.markdown_rows(compared.heads, compared.rows), ""]
    return lines + [line for made in cards.values() for line in made.markdown()]


def _check(path: Path, table: AnchorTable) -> None:
    """Check an entry and print its card."""
    header, games = read(path)
    check.schedule(header, games, table)
    agent, some = check.entered(header), check.sample(games)
    with Progress(len(some)) as bar:
        for game in some:
            bar(f"replaying a game of {game.task}")
            check.replay(game, agent)
    repeated = "all" if agent else "the anchors'"
    print(f"{path}: {len(games):,} games follow protocol {VERSION}; {len(some)} of them were replayed,")
    print(f"with legal answers and the same ends; {repeated} answers are those of the agents here.\n")
    made = card(header, games, table)
    print(*chart.aligned(made.rows()), "", *made.sentences(), sep="\n")


def _calibrate(args: argparse.Namespace, chosen: Sequence[Task]) -> None:
    """Measure the anchors in the tasks, keep the rest of the table, and write it."""
    known = anchors.load(args.anchors).scales if args.anchors.exists() and args.tasks else {}
    measured = {name: scale.measured for name, scale in known.items()}
    names = list(dict.fromkeys(task.scale for task in chosen))
    bar = Progress(len(names))
    with Interrupt() as interrupt, workers(args.ray, args.workers) as executor:
        player = runner.here if executor.count == 1 and not args.ray else partial(distribute, executor)
        for n, name in enumerate(names):

            def progress(done: float, of: int, n: int = n, name: str = name) -> None:
                interrupt.check()
                bar.show(n + done / of, f"{name}: {done:.1f} of {of} anchors")

            folder = args.folder / "anchors"
            measured[name] = anchors.calibrate(name, args.calibrate, folder, player, progress)
            anchors.store(args.anchors, measured)
    bar.close()
    shown = calibration(anchors.load(args.anchors))
    print(*report.text_lines(shown, terminal.width(), terminal.ink()), sep="\n")
    print(f"The table of anchors is {args.anchors}.")
