"""Fit the weights of `smallcity_agents.greedy.value` to how games end.

    python -m training.worth --games 300 --generations 150

Games of greedy against itself are stopped at every so many answers; the weights are those whose worth of
the positions, seen by the seat asked, comes nearest to the final scores. They are written to the weights
file as the style `value`.
"""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_agents.greedy import choose, value_by
from smallcity_agents.judge.weights import VALUE, weights_of
from smallcity_env import Config, batch
from smallcity_env.rules.rng import streams
from smallcity_env.rules.schema import STATE

from .tune import Vector, rows_of, today, utilities, vector_of, write

SURE = ("promise",)  # at the end a promise is worth what it says
EVERY = 23  # answers between two positions of a game


def positions(config: Config, games: int, seed: int) -> tuple[batch.States, npt.NDArray[np.float64]]:
    """Positions of greedy games and, for every seat, the score at the end."""
    legal = batch.new_masks(games)
    states = batch.new(games, config, np.arange(games) + seed * 1_000_003, legal)
    turning = streams(np.arange(games) + seed)
    kept, which, n = [], [], 0
    weights = weights_of("tuned")
    while legal.any():
        live = legal.any(axis=1)
        if n % EVERY == 0:
            kept.append(batch.clone(states[live]))
            which.append(np.flatnonzero(live))
        chosen = choose(states, states["seat"].astype(np.int64), legal, turning, weights)
        batch.step(states, np.where(live, chosen, batch.SKIP), legal)
        n += 1
    ends = batch.scores(states)[0].astype(np.float64)
    return np.concatenate(kept).view(STATE), ends[np.concatenate(which)]


def error(rows: Any, states: batch.States, ends: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The mean square error of each row's worth, of the seat asked."""
    seats = states["seat"].astype(np.int64)
    games = np.arange(len(states))
    found = [value_by(states, seats, rows[i : i + 1])[games, seats] for i in range(len(rows))]
    return np.array([float(((worths - ends[games, seats]) ** 2).mean()) for worths in found])


def fit(base: Any, generations: int, games: int, seed: int) -> tuple[Any, float]:
    """The weights of least error on these games, and that error as points of the score."""
    parts = [positions(Config(players=n), games, seed + n) for n in (1, 2, 3, 4)]
    states = np.concatenate([part[0] for part in parts]).view(STATE)
    ends = np.concatenate([part[1] for part in parts])
    rng = np.random.default_rng(seed)
    mean: Vector = vector_of(base)
    spread, ranks = np.full(len(mean), 0.2), utilities(16)
    for generation in range(generations):
        some = rng.choice(len(states), min(len(states), 3000), replace=False)
        half = rng.normal(size=(8, len(mean)))
        noise = np.concatenate([half, -half])
        rows = rows_of(base, [*(mean + spread * noise)])
        for name in SURE:
            rows[name] = 1
        missed = error(rows, states[some], ends[some])
        mean = mean + spread * (ranks @ noise[np.argsort(missed)])
        spread = spread * 0.99
        if generation % 10 == 9:
            print(f"generation {generation + 1}: off by {missed.min() ** 0.5:.2f} points", flush=True)
    best = rows_of(base, [mean])
    for name in SURE:
        best[name] = 1
    return best, float(error(best, states, ends)[0] ** 0.5)


def main() -> None:
    """Fit and write."""
    keep = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=keep)
    parser.add_argument("--games", type=int, default=300, help="for each number of players (default 300)")
    parser.add_argument("--generations", type=int, default=150, help="(default 150)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default 1)")
    args = parser.parse_args()
    best, missed = fit(weights_of("start"), args.generations, args.games, args.seed)
    made = f"{today()}: python -m training.worth, seed {args.seed}, off by {missed:.1f} points"
    write(VALUE, best, made)
    print(f"written: off by {missed:.2f} points")


if __name__ == "__main__":
    main()
