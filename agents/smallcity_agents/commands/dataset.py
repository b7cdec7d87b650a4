"""`smallcity dataset`: games of agents as arrays with masks, for offline learning."""

import argparse
from pathlib import Path
from typing import Final, get_args

from smallcity_env import terminal
from smallcity_env.envs.options import Observing
from smallcity_env.envs.rewards import REWARDS
from smallcity_env.terminal import Progress

from .. import AGENTS, dataset
from ..cluster import worker_options, workers
from ..dataset import minari, shards

FOLDER: Final = Path("runs") / "dataset"


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("agents", nargs="+", help=f"by name, options after a colon: {', '.join(AGENTS)}")
    terminal.game_options(parser, players=2)
    parser.add_argument("--games", type=terminal.count, default=100, help="at least this many (default 100)")
    parser.add_argument("--seed", type=terminal.number, default=0, help="of the first game (default 0)")
    parser.add_argument("--out", type=Path, default=FOLDER, help=f"folder of the shards (default {FOLDER})")
    forms = ", ".join(get_args(Observing))
    parser.add_argument("--observation", default="compact", help=f"{forms} (default compact)")
    parser.add_argument("--reward", default="rank", help=f"{', '.join(REWARDS)} (default rank)")
    size = f"games of a shard (default {shards.SIZE})"
    parser.add_argument("--shard", type=terminal.count, default=shards.SIZE, help=size)
    worker_options(parser)
    parser.add_argument("--minari", metavar="ID", help="also store it with Minari, under this name")


def run(args: argparse.Namespace) -> None:
    """Write the shards that are missing."""
    config, bar = terminal.config_of(args), Progress(1)
    if args.minari:
        minari.library(args.minari)  # refuses before anything is played

    def progress(done: int, all_shards: int) -> None:
        bar.steps = all_shards
        bar.show(done, f"{done:,} of {all_shards:,} shards")

    with bar, workers(args.ray, args.workers, args.agents) as executor:
        rest = (args.seed, args.shard, executor, progress, args.observation, args.reward)
        dataset.write(config, args.agents, args.games, args.out, *rest)
    games = decisions = 0
    for arrays in dataset.load(args.out):
        games, decisions = games + len(arrays["seed"]), decisions + len(arrays["action"])
    print(f"{games:,} games, {decisions:,} decisions in {args.out}; card.json says how they were made")
    if args.minari:
        print(f"{minari.export(args.out, args.minari):,} episodes in the Minari dataset {args.minari}")
