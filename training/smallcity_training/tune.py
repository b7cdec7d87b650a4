"""Tune the weights of `greedy` by playing against itself: separable natural evolution (SNES).

    python -m training.tune --minutes 15 --seed 1        # goes on from the weights file, and rewrites it
    python -m training.tune --start --style green        # from the start, or a personality

Every generation draws weights around the champion; each plays the same games against it or against one
of its ancestors, in every seat, and the champion moves towards those that won by more. At the end old
and new champion play new games; the file is written only if the new one is better by a sign test.
"""

import argparse
import datetime
import json
import time
from dataclasses import dataclass
from math import comb, exp, log, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_agents.greedy import choose
from smallcity_agents.judge.schema import WEIGHT_NAMES, WEIGHTS
from smallcity_agents.judge.weights import FILE, read, weights_of
from smallcity_env import MODULES, Config, batch
from smallcity_env.rules.rng import streams

Vector = npt.NDArray[np.float64]
FIXED = tuple(name for name in WEIGHT_NAMES if name.startswith("love_"))
TUNED = [name for name in WEIGHT_NAMES if name not in FIXED]
TABLES = (  # by turns: mostly the base game with Godzillas, sometimes all modules at once
    Config(players=2),
    Config(players=4),
    Config(players=2),
    Config(players=2, modules=MODULES, boards=("river-easy", "mountain-easy"), advanced=True),
    Config(players=2),
    Config(players=3, modules=("godzillas", "doctors", "new_buildings", "real_buildings")),
)
LEAST = 0.02  # weights are positive, and as good as 0 here
SURE = 0.05  # of the sign test


@dataclass
class Options:
    """What a run is told."""

    minutes: float = 15.0
    seed: int = 1
    candidates: int = 16
    pairs: int = 48  # of seeds, for each candidate and table
    spread: float = 0.25  # of the first draw, as a share of a weight
    every: int = 20  # generations, after which a champion joins the pool of opponents


def play(
    config: Config, rows: Any, which: npt.NDArray[np.int64], seeds: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Scores (n, players) of games in which seat p of game i plays by the row which[i, p]."""
    n = len(seeds)
    legal = batch.new_masks(n)
    states = batch.new(n, config, seeds, legal)
    turning = streams(seeds + 1)
    games = np.arange(n)
    while legal.any():
        seats = states["seat"].astype(np.int64)
        live = legal.any(axis=1)
        chosen = choose(states, seats, legal, turning, rows, which[games, seats])
        batch.step(states, np.where(live, chosen, batch.SKIP), legal)
    return batch.scores(states)[0][:, : config.players]


def margins(rows: Any, config: Config, pairs: int, seed: int) -> npt.NDArray[np.float64]:
    """By how much each row beats row 0 on average, in every seat, (rows - 1, pairs)."""
    players = config.players
    n = (len(rows) - 1) * pairs
    seeds = np.tile(np.arange(pairs) + seed * 1_000_003, len(rows) - 1)
    which = np.zeros((n, players), np.int64)
    seats = np.tile(np.arange(pairs) % players, len(rows) - 1)
    which[np.arange(n), seats] = np.repeat(np.arange(1, len(rows)), pairs)
    scores = play(config, rows, which, seeds)
    own = scores[np.arange(n), seats]
    others = (scores.sum(axis=1) - own) / (players - 1)
    return np.asarray((own - others).reshape(len(rows) - 1, pairs), np.float64)


def vector_of(row: Any) -> Vector:
    """The weights that are tuned, as logarithms."""
    return np.log([max(float(row[name][0]), LEAST) for name in TUNED])


def rows_of(base: Any, vectors: list[Vector]) -> Any:
    """Weights for each vector."""
    rows = np.zeros(len(vectors), WEIGHTS)
    rows[:] = base[0]
    for i, name in enumerate(TUNED):
        rows[name] = [exp(vector[i]) for vector in vectors]
    return rows


def utilities(n: int) -> Vector:
    """How much each rank counts: the better half, more for the best; their sum is 0."""
    raw = np.maximum(0.0, log(n / 2 + 1) - np.log(np.arange(1, n + 1)))
    return np.asarray(raw / raw.sum() - 1 / n, np.float64)


def tune(base: Any, options: Options) -> tuple[Any, int]:
    """The champion after so many minutes, and how many games that took."""
    rng = np.random.default_rng(options.seed)
    mean = vector_of(base)
    pool: list[Vector] = []
    spread = np.full(len(mean), options.spread)
    rate = (3 + log(len(mean))) / (5 * sqrt(len(mean))) / 2
    ranks = utilities(options.candidates)
    begin, games, generation = time.process_time(), 0, 0
    while (passed := time.process_time() - begin) < options.minutes * 60:
        config = TABLES[generation % len(TABLES)]
        half = rng.normal(size=(options.candidates // 2, len(mean)))
        noise = np.concatenate([half, -half])
        if generation % options.every == 0:
            pool.append(mean)
        opponent = mean if generation % 2 else pool[rng.integers(len(pool))]
        rows = rows_of(base, [opponent, *(mean + spread * noise)])
        won = margins(rows, config, options.pairs, int(rng.integers(1 << 30))).mean(axis=1)
        games += options.candidates * options.pairs
        ranked = noise[np.argsort(-won)]
        mean = mean + spread * (ranks @ ranked)
        spread = spread * np.exp(rate * (ranks @ (ranked**2 - 1)))
        generation += 1
        if generation % 5 == 0:
            left = options.minutes - passed / 60
            print(
                f"generation {generation}: {games:,} games, best margin {won.max():+.1f}, "
                f"mean {won.mean():+.1f}, spread {spread.mean():.3f}, {left:.1f} min left",
                flush=True,
            )
    return rows_of(base, [mean]), games


def sign_test(differences: npt.NDArray[np.float64]) -> float:
    """The chance of so many wins or more if both were equal."""
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    n = wins + losses
    return float(sum(comb(n, k) for k in range(wins, n + 1)) / 2**n)


def better(new: Any, old: Any, seed: int, pairs: int = 400) -> tuple[float, float]:
    """The average margin of the new weights over the old in new games, and the sign test of it."""
    rows = np.concatenate([old, new])
    won = margins(rows, Config(players=2), pairs, seed)[0]
    return float(won.mean()), sign_test(won)


def today() -> str:
    """The date, as it is written into the file."""
    return datetime.date.today().isoformat()


def write(style: str, row: Any, made: str) -> None:
    """Put weights into the file, with how they came about."""
    found = read()
    found["styles"][style] = {name: round(float(row[name][0]), 4) for name in TUNED}
    found["made"][style] = made
    FILE.write_text(json.dumps(found, indent=1) + "\n")


def main() -> None:
    """Tune, compare, write."""
    keep = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=keep)
    parser.add_argument("--minutes", type=float, default=15.0, help="of computing time (default 15)")
    parser.add_argument("--seed", type=int, default=Options.seed, help="of all chance (default 1)")
    parser.add_argument("--spread", type=float, default=0.25, help="of the first draw (default 0.25)")
    parser.add_argument("--start", action="store_true", help="begin with the start values of the table")
    parser.add_argument("--style", default="tuned", help="whose weights (default tuned)")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    args = parser.parse_args()
    old = weights_of("start" if args.start else args.style)
    new, games = tune(old, Options(minutes=args.minutes, seed=args.seed, spread=args.spread))
    margin, chance = better(new, old, args.seed + 1)
    print(f"new against old: {margin:+.2f} points a game, sign test p = {chance:.4f}")
    if chance < SURE and not args.dry:
        write(args.style, new, f"{today()}: python -m training.tune, seed {args.seed}, {games:,} games")
        print(f"written to {FILE.name}")
    elif not args.dry:
        print(f"not written: p is not below {SURE}")


if __name__ == "__main__":
    main()
