"""Fit the weights of greedy's value function (`smallcity_agents.greedy.value`) to final scores.

    python -m smallcity_training.fit_greedy_weights --games 300 --generations 150

Positions are sampled from games of greedy against itself. The weights minimise the mean squared error between
the value of a position, as the deciding seat sees it, and that seat's final score. They are written to the
weights file as the style `value`.
"""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_agents.evaluation.weights import VALUE, weights_of
from smallcity_agents.greedy import answer_values, value
from smallcity_env import Config, batch
from smallcity_env.rules.rng import streams
from smallcity_env.rules.schema import STATE

from .tune import Vector, rows_of, today, utilities, vector_of, write

FIXED_AT_1 = ("promise",)  # a promise scores exactly its points
Scores = npt.NDArray[np.float64]
EVERY = 23  # decisions between two sampled positions


def positions(config: Config, games: int, seed: int) -> tuple[batch.States, npt.NDArray[np.float64]]:
    """Positions of greedy games, and every seat's final score."""
    legal = batch.new_masks(games)
    states = batch.new(games, config, np.arange(games) + seed * 1_000_003, legal)
    random_streams = streams(np.arange(games) + seed)
    sampled, games_of, n = [], [], 0
    weights = weights_of("tuned")
    while legal.any():
        live = legal.any(axis=1)
        if n % EVERY == 0:
            sampled.append(batch.clone(states[live]))
            games_of.append(np.flatnonzero(live))
        seats = states["seat"].astype(np.int64)
        actions, _ = answer_values(states, seats, legal, random_streams, weights)
        batch.step(states, np.where(live, actions, batch.SKIP), legal)
        n += 1
    scores = batch.scores(states)[0].astype(np.float64)
    return np.concatenate(sampled).view(STATE), scores[np.concatenate(games_of)]


def squared_error(rows: Any, states: batch.States, scores: Scores) -> Scores:
    """The mean squared error of each row's values for the deciding seats."""
    seats = states["seat"].astype(np.int64)
    games = np.arange(len(states))
    values = [value(states, seats, rows[i : i + 1])[games, seats] for i in range(len(rows))]
    return np.array([float(((value - scores[games, seats]) ** 2).mean()) for value in values])


def fit(base: Any, generations: int, games: int, seed: int) -> tuple[Any, float]:
    """The weights with the smallest error, and their RMSE in points."""
    parts = [positions(Config(players=n), games, seed + n) for n in (1, 2, 3, 4)]
    states = np.concatenate([part[0] for part in parts]).view(STATE)
    scores = np.concatenate([part[1] for part in parts])
    rng = np.random.default_rng(seed)
    mean: Vector = vector_of(base)
    sigma, ranks = np.full(len(mean), 0.2), utilities(16)
    for generation in range(generations):
        sample = rng.choice(len(states), min(len(states), 3000), replace=False)
        half = rng.normal(size=(8, len(mean)))
        noise = np.concatenate([half, -half])
        rows = rows_of(base, [*(mean + sigma * noise)])
        for name in FIXED_AT_1:
            rows[name] = 1
        errors = squared_error(rows, states[sample], scores[sample])
        mean = mean + sigma * (ranks @ noise[np.argsort(errors)])
        sigma = sigma * 0.99
        if generation % 10 == 9:
            print(f"generation {generation + 1}: RMSE {errors.min() ** 0.5:.2f} points", flush=True)
    best = rows_of(base, [mean])
    for name in FIXED_AT_1:
        best[name] = 1
    return best, float(squared_error(best, states, scores)[0] ** 0.5)


def main() -> None:
    """Fit the weights and write them."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--games", type=int, default=300, help="per number of players (default 300)")
    parser.add_argument("--generations", type=int, default=150, help="(default 150)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default 1)")
    args = parser.parse_args()
    best, rmse = fit(weights_of("start"), args.generations, args.games, args.seed)
    command = f"python -m smallcity_training.fit_greedy_weights, seed {args.seed}"
    made = f"{today()}: {command}, RMSE {rmse:.1f} points"
    write(VALUE, best, made)
    print(f"written: RMSE {rmse:.2f} points")


if __name__ == "__main__":
    main()
