"""`smallcity evaluate`: play a checkpoint against other agents in the arena."""

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
    """The checkpoint, its opponents and the game."""
    parser.add_argument("checkpoint", help="a file written by `smallcity train`, or 'shipped'")
    parser.add_argument("--against", default="random,greedy", help="agents (default random,greedy)")
    terminal.game_options(parser, players=2)
    parser.add_argument("--games", type=terminal.count, default=400, help="per opponent (default 400)")
    parser.add_argument("--seed", type=terminal.number, default=0, help="seed of the first game (default 0)")
    parser.add_argument("--temperature", type=float, default=0.0, help="0: the best action (default)")
    parser.add_argument("--results", type=Path, help="results file (default runs/evaluate-NAME.jsonl)")


def run(args: argparse.Namespace) -> None:
    """Play the scheduled games not yet on file, then show all results."""
    path = checkpoint.SHIPPED if args.checkpoint == "shipped" else Path(args.checkpoint)
    _, card = checkpoint.read(path)
    print(f"{path}: {card['command']}, {card['steps']:,} steps, {duration(card['hours'] * HOUR)}")
    agent = _agent_name(args)
    results = args.results or Path("runs") / f"evaluate-{path.stem}.jsonl"
    config, played = terminal.config_of(args), []
    for other in names_in(args.against):
        played += runner.run(config, [agent, other], args.games, results, args.seed)
    show(played, results.with_suffix(".png"), terminal.ink())
    print(f"All games are in {results}: see `smallcity stats {results}`.")


def _agent_name(args: argparse.Namespace) -> str:
    """The name of the agent that plays the checkpoint."""
    options = [] if args.checkpoint == "shipped" else [f"checkpoint={args.checkpoint}"]
    options += [f"temperature={args.temperature}"] if args.temperature else []
    return f"policy:{','.join(options)}" if options else "policy"
