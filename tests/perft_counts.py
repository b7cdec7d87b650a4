"""Perft: the number of leaves of the tree of answers, to short depths.

    python -m tests.perft_counts      # rewrites tests/perft.json; then see tests/behaviour.py

Chance is the game's own stream, so the tree of a seed is always the same.
"""

import json
from pathlib import Path

import numpy as np

from smallcity_env import MODULES, Config, batch
from smallcity_env.rules.schema import STATE
from tests import behaviour

DATA = Path(__file__).parent / "perft.json"
POSITIONS = {  # name: config, random answers before, depths
    "two": (Config(players=2, modules=()), 0, 2),
    "expert": (Config(players=2, modules=(), boards="base-expert"), 0, 2),
    "four, building": (Config(players=4, modules=()), 14, 3),
    "two, later": (Config(players=2, modules=("godzillas",)), 70, 4),
    "solo godzilla": (Config(players=1, modules=("godzillas",)), 20, 4),
    "all modules": (Config(players=4, modules=MODULES, advanced=True), 62, 4),
    "terrain": (Config(2, (), ("mountain-expert", "river-expert")), 60, 3),
    "cities": (Config(4, MODULES, ("tokyo", "bangkok", "ulaanbaatar", "shanghai")), 150, 3),
}


def start(config: Config, answers: int) -> batch.States:
    """The position after this many random answers."""
    legal = batch.new_masks(1)
    states = batch.new(1, config, [5], legal)
    rng = np.random.default_rng(5)
    for _ in range(answers):
        batch.step(states, [rng.choice(np.flatnonzero(legal[0]))], legal)
    return states


def perft(states: batch.States, depth: int) -> list[int]:
    """The number of leaves at each depth; all games of a depth are stepped at once."""
    counts = []
    for _ in range(depth):
        legal = batch.masks(states)
        games, chosen = np.nonzero(legal)
        states = states.view(np.uint8).reshape(len(states), -1)[games].reshape(-1).view(STATE)
        batch.step(states, chosen, legal[games])
        counts.append(len(states))
    return counts


def all_counts() -> dict[str, list[int]]:
    """The counts of every position."""
    return {name: perft(start(config, n), depth) for name, (config, n, depth) in POSITIONS.items()}


if __name__ == "__main__":
    DATA.write_text(json.dumps(all_counts(), indent=1) + "\n")
    print(behaviour.warning())
