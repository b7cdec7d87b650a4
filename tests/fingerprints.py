"""Hashes of whole games, for comparing ways to run the rules: python -m tests.fingerprints NAME ...

Prints one line for each name: what was played, and a hash of every state on the way. Run it jitted, in
plain Python (NUMBA_DISABLE_JIT=1) or with bounds checks (NUMBA_BOUNDSCHECK=1): the lines are the same.
"""

import hashlib
import sys
from collections.abc import Callable

import numpy as np

from smallcity_env import Config, batch
from tests.random_games import EVERYTHING, Table, table
from tests.reference import dense_positions

FIRST_EDITION = Config(players=3, modules=("godzillas", "real_buildings"), victory="culture", advanced=True,
                       godzilla_rules="2016")  # fmt: skip
GAMES: dict[str, Callable[[], Table]] = {
    "base": lambda: table(Config(players=2, modules=()), 1, seed=1),
    "default": lambda: table(Config(), 1, seed=2, generous=True),
    "solo": lambda: table(Config(players=1, boards="mountain-easy", stockholm=True), 1, seed=3),
    "2016": lambda: table(FIRST_EDITION, 1, seed=8, generous=True),
    "everything": lambda: table(EVERYTHING, 1, seed=4, generous=True),
    "crowded": lambda: Table(dense_positions.crowded(1, seed=5), seed=5, generous=True),
    "asian": lambda: Table(dense_positions.asian(1, seed=6), seed=6, generous=True),
}
ROLLED_OUT = ("base", "solo")


def steps(name: str) -> str:
    """Play step by step; every state, every mask and the scores go into the hash."""
    games, digest = GAMES[name](), hashlib.sha256()
    for n in games.play():
        digest.update(games.states.tobytes() + games.legal.tobytes())
        if n % 25 == 0:
            digest.update(batch.fork(games.states, 0, [7]).tobytes())
    for scores in batch.scores(games.states):
        digest.update(scores.tobytes())
    return digest.hexdigest()


def rollouts(name: str, n: int = 1, threads: int = 1) -> str:
    """Roll games out; their last states and what was counted go into the hash."""
    states = np.repeat(GAMES[name]().states, n)
    states["stream"] = batch.rng.streams(np.arange(n))
    counts = batch.rollout(states, np.arange(n), threads=threads)
    return hashlib.sha256(states.tobytes() + counts.tobytes()).hexdigest()


def line(name: str) -> str:
    """The hash of a game, by steps or by rollout: in plain Python both would take too long."""
    return f"{name} {rollouts(name) if name in ROLLED_OUT else steps(name)}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(line(name))
