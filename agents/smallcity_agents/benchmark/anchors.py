"""How strong the anchors are in every task: the scale of levels, calibrated once and stored in a file.

Neighbouring anchors meet, in turn one against copies of the other. A *strength* is a logit, that of `random`
is 0: an agent finishes ahead of one that is s weaker with probability 1 / (1 + exp(-s)). The share by which
neighbours differ in a task counts together with some games of the mean of all tasks. Alone, the strength is
the mean score. Both are made to rise with the level.
"""

import hashlib
import itertools
import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from smallcity_env import files
from smallcity_env.config import Config
from smallcity_env.rules.tables.in_force import IDENTITY
from smallcity_env.terminal import Refused

from ..arena import runner
from ..arena.results import Result
from ..arena.standings import half_interval, interval
from . import mixes
from .protocol import ANCHORS, MIXED, TASKS, VERSION, Task

SHIPPED: Final = Path(str(resources.files("smallcity_agents") / "data" / "anchors.json"))
SEED: Final = 3_000_000  # of the first game: other seeds than those of agents
SHARE: Final = {8: 2 / 3, 9: 0.4, 10: 0.2}  # of the games, for neighbours that think longer
SOLO: Final = 0.25  # of the games, for an anchor alone
PRIOR: Final = 20  # games that the mean of all tasks counts for in each
RISE: Final = 0.05  # least difference of neighbours: a level has one strength, and a strength one level

APART: Final = 10_000  # seeds between the two ways to seat neighbours
ALONE: Final = "alone"
Floats = npt.NDArray[np.float64]
Progress = Callable[[float, int], None]  # anchors done, of how many


class Measured(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Results of anchors in a task: of each with the one below it, or of each alone."""

    values: list[float]  # shares of opponents it finished ahead of, or mean scores
    intervals: list[list[float]]  # 95 %
    games: list[int]


class Scale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The strengths of the anchors in a task, and what they rest on."""

    strengths: list[float]
    measured: Measured


class AnchorTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scales of all tasks, and what they were calibrated with."""

    scales: dict[str, Scale]
    rules: str
    nets: dict[str, str]
    protocol: str = VERSION


def nets() -> dict[str, str]:
    """The nets of the package, each with the beginning of its hash."""
    found = sorted((resources.files("smallcity_agents") / "data").iterdir(), key=lambda file: file.name)
    nets = {file.name.removesuffix(".npz"): file.read_bytes() for file in found if file.name.endswith(".npz")}
    return {name: hashlib.sha256(net).hexdigest()[:8] for name, net in nets.items()}


def load(path: Path, tasks: Sequence[Task] = ()) -> AnchorTable:
    """Read a table; refuses one that was calibrated with other rules or nets, or not for these tasks."""
    try:
        table = msgspec.json.decode(files.read_bytes(path, "the table of anchors"), type=AnchorTable)
    except (ValueError, RecursionError):
        raise Refused(f"{path} is not a table of anchors") from None
    strengths = [scale.strengths for scale in table.scales.values()]
    if not all(len(each) == len(ANCHORS) and list(each) == sorted(set(each)) for each in strengths):
        raise Refused(f"{path} is not a table of anchors: it has the strengths of others")
    here = AnchorTable({}, IDENTITY, {"value_net": nets()["value_net"]})
    for name in ("protocol", "rules", "nets"):
        if getattr(table, name) != getattr(here, name):
            made = f"{path} was calibrated with {name} {getattr(table, name)}, not {getattr(here, name)}"
            raise Refused(f"{made}: see `smallcity benchmark --calibrate GAMES --anchors FILE`")
    if missing := [task.name for task in tasks if task.scale not in table.scales]:
        raise Refused(f"{path} was not calibrated for {missing[0]}")
    return table


def store(path: Path, measured: dict[str, Measured]) -> None:
    """Fit the strengths and write the table."""
    table = AnchorTable(fit(measured), IDENTITY, {"value_net": nets()["value_net"]})
    text = json.dumps(msgspec.to_builtins(table), indent=1)  # with the numbers of a list in one line
    files.write(path, re.sub(r"\s+(?=[-\d\]])", " ", text).replace("[ ", "[").replace(" ]", "]") + "\n")


# -- calibration


class Sitting(NamedTuple):
    """Games of a table, rotated over the seats."""

    config: Config
    table: list[str]
    seed: int
    games: int


def calibrate(scale: str, games: int, folder: Path, play: runner.Player, progress: Progress) -> Measured:
    """Play the games of a scale that are not on file, and fit the strengths."""
    task = next(task for task in TASKS.values() if task.scale == scale)
    lowest = 0 if task.alone else 1
    played = list[list[Result]]()
    for upper in range(lowest, len(ANCHORS)):
        path, results = folder / f"{scale}-{upper}.jsonl", list[Result]()
        sittings = _sittings(task, upper, games)
        for config, table, seed, number in sittings:

            def show(stored: int, more: float, _: int, before: int = len(results)) -> None:
                number = sum(sitting.games for sitting in sittings)  # noqa: B023 - called before it changes
                part = min((before + stored + more) / number, 1)
                progress(len(played) + part, len(ANCHORS) - lowest)

            results += runner.run(config, table, number, path, seed, progress=show, table=True, play=play)
        played.append(results)
    return mean_scores(played) if task.alone else steps(played)


def _sittings(task: Task, upper: int, games: int) -> list[Sitting]:
    """What an anchor plays: alone, or in turn one against copies of the anchor below it and the reverse."""
    share = SHARE.get(upper, 1.0)
    if task.alone:
        return [
            Sitting(task.config(0), [ANCHORS[upper]], SEED, max(math.ceil(games * SOLO * max(share, 0.5)), 2))
        ]
    pair = ANCHORS[upper], ANCHORS[upper - 1]
    if task.fixed is None:
        configs = _mixes(math.ceil(games * share / sum(MIXED)))
        tables = [_table(pair if n % 4 < 2 else pair[::-1], config) for n, config in enumerate(configs)]
        each = zip(configs, tables, itertools.count(SEED), strict=False)
        return [Sitting(config, table, seed, config.players) for config, table, seed in each]
    turns = [pair, pair[::-1]] if task.fixed.players > 2 else [pair]
    number = math.ceil(games * share / len(turns))
    tables = [_table(turn, task.fixed) for turn in turns]
    return [Sitting(task.fixed, table, SEED + APART * n, number) for n, table in enumerate(tables)]


def _table(pair: tuple[str, str], config: Config) -> list[str]:
    """One against copies of the other."""
    return [pair[0], *[pair[1]] * (config.players - 1)]


def _mixes(each: int) -> list[Config]:
    """As many mixes for every number of players, from both sides of the split in turn."""
    sides = [[mixes.first(each, SEED, side, players) for players in MIXED] for side in (False, True)]
    return [sides[n % 2][k][n] for n in range(each) for k in range(len(MIXED))]


def steps(played: Sequence[Sequence[Result]]) -> Measured:
    """How far every anchor but the lowest is ahead of the one below it."""
    by_seed = [ahead(results, upper) for upper, results in zip(ANCHORS[1:], played, strict=True)]
    shares = [round(float(won.sum() / number.sum()), 4) for won, number in by_seed]
    intervals = [[round(edge, 4) for edge in interval(won, number)] for won, number in by_seed]
    return Measured(shares, intervals, [int(number.sum()) for _, number in by_seed])


def ahead(results: Sequence[Result], agent: str) -> tuple[Floats, Floats]:
    """By seed: the shares of the others that an agent finished ahead of, summed over games; and the games."""
    won, number = defaultdict[int, float](float), defaultdict[int, int](int)
    for result in results:
        own = [place for name, place in zip(result.agents, result.places, strict=True) if name == agent]
        rest = [place for name, place in zip(result.agents, result.places, strict=True) if name != agent]
        won[result.seed] += float(np.mean([(p < q) + (p == q) / 2 for p in own for q in rest]))
        number[result.seed] += 1
    return np.array(list(won.values())), np.array(list(number.values()), float)


def mean_scores(played: Sequence[Sequence[Result]]) -> Measured:
    """The mean scores of anchors alone."""
    scores = [[(result.seed, float(result.scores[0])) for result in results] for results in played]
    means = [round(float(np.mean([score for _, score in each])), 2) for each in scores]
    halves = [half_interval(each) for each in scores]
    intervals = [
        [round(mean + side, 2) for side in (-half, half)] for mean, half in zip(means, halves, strict=True)
    ]
    return Measured(means, intervals, [len(each) for each in scores])


# -- strengths


def fit(measured: dict[str, Measured]) -> dict[str, Scale]:
    """The strengths of all tasks."""
    ladders = [each for name, each in measured.items() if name != ALONE]
    games = np.array([each.games for each in ladders]).reshape(-1, len(ANCHORS) - 1)
    won = games * np.array([each.values for each in ladders]).reshape(games.shape)
    mean = (won.sum(axis=0) + 0.5) / (games.sum(axis=0) + 1)  # with one more game, drawn: no step is infinite
    return {
        name: Scale(rising(each.values if name == ALONE else _ladder(each, mean)), each)
        for name, each in measured.items()
    }


def _ladder(measured: Measured, mean: Floats) -> Floats:
    """Strengths from the shares of a task and their mean over all tasks."""
    games = np.array(measured.games)
    shares = (games * np.array(measured.values) + PRIOR * mean) / (games + PRIOR)
    return np.cumsum([0.0, *np.log(shares / (1 - shares))])


def rising(values: npt.ArrayLike) -> list[float]:
    """The nearest values that rise by at least RISE: neighbours in the wrong order share their mean."""
    pools: list[list[float]] = []
    for value in np.asarray(values, float) - RISE * np.arange(len(ANCHORS)):
        pools.append([value])
        while len(pools) > 1 and np.mean(pools[-2]) >= np.mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    level = [float(np.mean(pool)) for pool in pools for _ in pool]
    return [round(value + RISE * n, 3) for n, value in enumerate(level)]
