"""`smallcity evaluate`: a checkpoint against other agents, as the arena plays and shows it."""

import argparse
from pathlib import Path

from smallcity_agents import names_in
from smallcity_agents.arena import runner
from smallcity_agents.commands.arena import show
from smallcity_agents.net import checkpoint
from smallcity_env import terminal
from smallcity_env.terminal import duration

HOUR = 3600


def options(parser: argparse.ArgumentParser) -> None:
    """Which checkpoint, against whom."""
    parser.add_argument("checkpoint", help="a file of `smallcity train`, or 'shipped'")
    parser.add_argument("--against", default="random,greedy", help="agents (default random,greedy)")
    terminal.game_options(parser, players=2)
    parser.add_argument("--games", type=terminal.count, default=400, help="against each (default 400)")
    parser.add_argument("--seed", type=terminal.number, default=0, help="of the first games (default 0)")
    parser.add_argument("--temperature", type=float, default=0.0, help="0: the best answer (default)")
    parser.add_argument("--results", type=Path, help="where games are written down (default: beside it)")


def run(args: argparse.Namespace) -> None:
    """Play what is missing, then show all of it."""
    path = checkpoint.SHIPPED if args.checkpoint == "shipped" else Path(args.checkpoint)
    _, card = checkpoint.read(path)
    print(f"{path}: {card['way']}, {card['steps']:,} steps, {duration(card['hours'] * HOUR)}")
    mine = _name(args)
    results = args.results or Path("runs") / f"evaluate-{path.stem}.jsonl"
    config, found = terminal.config_of(args), []
    for other in names_in(args.against):
        found += runner.run(config, [mine, other], args.games, results, args.seed)
    show(found, results.with_suffix(".png"), terminal.ink())
    print(f"Every game stands in {results}: see `smallcity stats {results}`.")


def _name(args: argparse.Namespace) -> str:
    """The checkpoint as an agent."""
    options = [] if args.checkpoint == "shipped" else [f"checkpoint={args.checkpoint}"]
    options += [f"temperature={args.temperature}"] if args.temperature else []
    return f"policy:{','.join(options)}" if options else "policy"
