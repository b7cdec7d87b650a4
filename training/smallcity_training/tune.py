"""Tune the weights of `greedy` in self-play by separable natural evolution strategies (SNES).

    python -m smallcity_training.tune --minutes 15 --seed 1   # continue from the weights file and rewrite it
    python -m smallcity_training.tune --start --style green   # from the start values; for a personality
    python -m smallcity_training.tune --solo --style solo     # for solo games
    python -m smallcity_training.tune --ray auto              # the games of a generation on a cluster

Each generation samples candidates around the mean. All play the same games, in every seat, against the mean
or one of its ancestors, and against themselves; the mean moves towards those with larger margins and scores.
Margins alone lead to hermits, who build nothing and take what the others need. At the end the old and new
weights play fresh games; the file is written only if a sign test finds the new ones better.
"""

import argparse
import datetime
import json
import sys
import time
from dataclasses import dataclass
from math import comb, exp, log, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_agents.cluster import Workers, worker_options, workers
from smallcity_agents.evaluation.schema import WEIGHT_NAMES, WEIGHTS
from smallcity_agents.evaluation.weights import FILE, read, weights_of
from smallcity_agents.greedy import answer_values
from smallcity_env import MODULES, Config, batch, files
from smallcity_env.refusal import script
from smallcity_env.rules.rng import streams

Vector = npt.NDArray[np.float64]
FIXED = tuple(name for name in WEIGHT_NAMES if name.startswith("love_"))
TUNED = [name for name in WEIGHT_NAMES if name not in FIXED]
SOLO = (Config(players=1, modules=()), Config(players=1), Config(players=1, modules=()))
GAMES = (  # in turn: mostly the base game with Godzillas, sometimes all modules at once
    Config(players=2),
    Config(players=4),
    Config(players=2),
    Config(players=2, modules=MODULES, boards=("river-easy", "mountain-easy"), advanced=True),
    Config(players=2),
    Config(players=3, modules=("godzillas", "doctors", "new_buildings", "real_buildings")),
)
MIN_WEIGHT = 0.02  # weights are positive; this is practically 0
SIGNIFICANCE = 0.05  # level of the sign test
WIDEST = 0.6  # std, relative to the weights: wider samples play nonsense, and the std grows without end


@dataclass
class Options:
    """Hyper-parameters of SNES."""

    minutes: float = 15.0
    seed: int = 1
    candidates: int = 16
    pairs: int = 48  # games per candidate and generation
    spread: float = 0.25  # initial std, relative to the weights
    every: int = 20  # generations between means added to the pool of opponents
    games: tuple[Config, ...] = GAMES


def play(
    config: Config, rows: Any, which: npt.NDArray[np.int64], seeds: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Scores (n, players) of games in which seat p of game i plays with weights rows[which[i, p]]."""
    n = len(seeds)
    legal = batch.new_masks(n)
    states = batch.new(n, config, seeds, legal)
    random_streams = streams(seeds + 1)
    games = np.arange(n)
    while legal.any():
        seats = states["seat"].astype(np.int64)
        live = legal.any(axis=1)
        actions, _ = answer_values(states, seats, legal, random_streams, rows, which[games, seats])
        batch.step(states, np.where(live, actions, batch.SKIP), legal)
    return batch.scores(states)[0][:, : config.players]


def margins(rows: Any, config: Config, pairs: int, seed: int) -> npt.NDArray[np.float64]:
    """Score margins of each row over row 0, in every seat (rows - 1, pairs); solo, the scores."""
    players = config.players
    n = (len(rows) - 1) * pairs
    seeds = np.tile(np.arange(pairs) + seed * 1_000_003, len(rows) - 1)
    which = np.zeros((n, players), np.int64)
    seats = np.tile(np.arange(pairs) % players, len(rows) - 1)
    which[np.arange(n), seats] = np.repeat(np.arange(1, len(rows)), pairs)
    scores = play(config, rows, which, seeds)
    own = scores[np.arange(n), seats]
    others = (scores.sum(axis=1) - own) / max(players - 1, 1)
    return np.asarray((own - others).reshape(len(rows) - 1, pairs), np.float64)


def among_themselves(rows: Any, config: Config, pairs: int, seed: int) -> npt.NDArray[np.float64]:
    """Mean scores of games in which all seats play with one row (rows, pairs)."""
    which = np.repeat(np.arange(len(rows)), pairs)[:, None].repeat(config.players, axis=1)
    seeds = np.tile(np.arange(pairs) + seed * 1_000_003, len(rows))
    return np.asarray(play(config, rows, which, seeds).mean(axis=1).reshape(len(rows), pairs), np.float64)


def fitness_of_part(games: tuple[Config, int, int], rows: Any) -> npt.NDArray[np.float64]:
    """Half the margins of some candidates over row 0, and their scores among themselves, in a worker."""
    config, pairs, seed = games
    return margins(rows, config, pairs, seed) / 2 + among_themselves(rows[1:], config, pairs, seed)


def fitness(executor: Workers, rows: Any, config: Config, pairs: int, seed: int) -> npt.NDArray[np.float64]:
    """The fitness of all candidates, who are distributed over workers."""
    parts = np.array_split(np.arange(1, len(rows)), min(executor.count, len(rows) - 1))
    items = [rows[[0, *part]] for part in parts]
    return np.concatenate(executor.gather(fitness_of_part, (config, pairs, seed), items))


def vector_of(row: Any) -> Vector:
    """The logarithms of the tuned weights."""
    return np.log([max(float(row[name][0]), MIN_WEIGHT) for name in TUNED])


def rows_of(base: Any, vectors: list[Vector]) -> Any:
    """One row of weights per vector of logarithms."""
    rows = np.zeros(len(vectors), WEIGHTS)
    rows[:] = base[0]
    for i, name in enumerate(TUNED):
        rows[name] = [exp(vector[i]) for vector in vectors]
    return rows


def utilities(n: int) -> Vector:
    """Rank-based utilities: the better half counts, the best most; they sum to 0."""
    raw = np.maximum(0.0, log(n / 2 + 1) - np.log(np.arange(1, n + 1)))
    return np.asarray(raw / raw.sum() - 1 / n, np.float64)


def tune(base: Any, options: Options, executor: Workers) -> tuple[Any, int]:
    """The mean after the given minutes, and the number of games played."""
    rng = np.random.default_rng(options.seed)
    mean = vector_of(base)
    pool: list[Vector] = []
    sigma = np.full(len(mean), options.spread)
    rate = (3 + log(len(mean))) / (5 * sqrt(len(mean))) / 2
    ranks = utilities(options.candidates)
    began, games, generation = time.monotonic(), 0, 0
    while (elapsed := time.monotonic() - began) < options.minutes * 60:
        config = options.games[generation % len(options.games)]
        half = rng.normal(size=(options.candidates // 2, len(mean)))
        noise = np.concatenate([half, -half])
        if generation % options.every == 0:
            pool.append(mean)
        opponent = mean if generation % 2 else pool[rng.integers(len(pool))]
        rows = rows_of(base, [opponent, *(mean + sigma * noise)])
        seed = int(rng.integers(1 << 30))
        found = fitness(executor, rows, config, options.pairs, seed).mean(axis=1)
        games += 2 * options.candidates * options.pairs
        ranked = noise[np.argsort(-found)]
        mean = mean + sigma * (ranks @ ranked)
        sigma = np.minimum(sigma * np.exp(rate * (ranks @ (ranked**2 - 1))), WIDEST)
        generation += 1
        if generation % 5 == 0:
            left = options.minutes - elapsed / 60
            print(
                f"generation {generation}: {games:,} games, best {found.max():+.1f}, "
                f"mean {found.mean():+.1f}, sigma {sigma.mean():.3f}, {left:.1f} min left",
                flush=True,
            )
    return rows_of(base, [mean]), games


def sign_test(differences: npt.NDArray[np.float64]) -> float:
    """The one-sided p-value: the probability of at least as many wins between equals."""
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    n = wins + losses
    return float(sum(comb(n, k) for k in range(wins, n + 1)) / 2**n)


def better(new: Any, old: Any, seed: int, pairs: int = 400, config: Config = GAMES[0]) -> tuple[float, float]:
    """The mean margin of the new weights over the old in fresh games, and its p-value."""
    if config.players == 1:
        before, after = margins(np.concatenate([old, old, new]), config, pairs, seed)
        margin = after - before
    else:
        margin = margins(np.concatenate([old, new]), config, pairs, seed)[0]
    return float(margin.mean()), sign_test(margin)


def today() -> str:
    """Today's date for the weights file."""
    return datetime.date.today().isoformat()


def write(style: str, row: Any, made: str) -> None:
    """Write weights and their origin to the weights file."""
    contents = read()
    contents["styles"][style] = {name: round(float(row[name][0]), 4) for name in TUNED}
    contents["made"][style] = made
    files.write(FILE, json.dumps(contents, indent=1) + "\n")


def main() -> None:
    """Tune, compare with the old weights, and write if better."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--minutes", type=float, default=15.0, help="to tune for (default 15)")
    parser.add_argument("--seed", type=int, default=Options.seed, help="random seed (default 1)")
    parser.add_argument("--spread", type=float, default=0.25, help="initial std, relative (default 0.25)")
    parser.add_argument("--start", action="store_true", help="begin with the start values")
    parser.add_argument("--style", default="tuned", help="the personality to tune (default tuned)")
    parser.add_argument("--solo", action="store_true", help="solo games, for the score")
    parser.add_argument("--candidates", type=int, default=Options.candidates, help="per generation")
    parser.add_argument("--pairs", type=int, default=Options.pairs, help="games of each candidate")
    parser.add_argument("--dry", action="store_true", help="do not write the weights file")
    worker_options(parser)
    args = parser.parse_args()
    old = weights_of("start" if args.start else args.style)
    options = Options(args.minutes, args.seed, args.candidates, args.pairs, args.spread)
    if args.solo:
        options.games = SOLO
    with workers(args.ray, args.workers) as executor:
        new, games = tune(old, options, executor)
    margin, p_value = better(new, old, args.seed + 1, config=options.games[0])
    print(f"new against old: {margin:+.2f} points a game, sign test p = {p_value:.4f}")
    if p_value < SIGNIFICANCE and not args.dry:
        command = f"python -m smallcity_training.tune{' --solo' * args.solo}, seed {args.seed}"
        write(args.style, new, f"{today()}: {command}, {games:,} games")
        print(f"written to {FILE.name}")
    elif not args.dry:
        print(f"not written: p is not below {SIGNIFICANCE}")


if __name__ == "__main__":
    sys.exit(script(main))
