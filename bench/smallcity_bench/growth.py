"""How the cost scales with batch size, players, modules and rounds, and memory with games."""

import mmap
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from smallcity_env import batch
from smallcity_env.config import MODULES
from smallcity_env.rules import layout
from smallcity_env.rules.rng import streams
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import POWER_ROUNDS, SEATS

from .measure import Case, Measured, Spread, measure, on_cores, spread
from .measure import steps as measuring
from .ours import FULL, USUAL, WINTER, Variant, rollout_case, step_case, vector_case
from .report import number

BATCHES: Final = (1, 4, 16, 64, 256, 1024, 4096)
MEMORY: Final = (256, 1024, 4096, 16384)
ROUND_GAMES: Final = 1024
MICRO: Final = 1e6
MEGABYTE: Final = 2**20
STATM: Final = Path("/proc/self/statm")  # memory use of the process, in pages
GROWN: Final = """
import sys
import numpy as np
from smallcity_env import Config, batch

def resident():
    return int(open("/proc/self/statm").read().split()[1])

def hold(games):
    legal = batch.new_masks(games)
    states = batch.new(games, Config(), np.arange(games), legal)
    return states, legal, batch.observe(states, 0)

warm = hold(1)
before = resident()
held = hold(int(sys.argv[1]))
print(resident() - before)
"""


class Curve(NamedTuple):
    """A named series of points."""

    name: str
    points: dict[Any, Spread]


class Plot(NamedTuple):
    """One chart."""

    file: str
    title: str
    across: str
    up: str
    curves: list[Curve]
    kind: str = "log"  # of the axis across: log, count or names


def steps(repeats: int) -> int:
    """The number of progress messages `plots` sends."""
    return measuring(_cases(), repeats) + 2


def plots(repeats: int, seconds: float, say: Callable[[str], None]) -> list[Plot]:
    """Measure everything and return the charts."""
    measured = measure(_cases(), repeats, seconds, say).measured
    say("round by round")
    by_round = [Curve(v.what, _by_round(v, repeats)) for v in (USUAL, FULL)]
    say("memory")
    return [
        Plot("cost-batch", "Decisions a second by games in the batch", "games", "decisions/s, one core", [
            _curve("batch.step, masks", [(n, f"step/{USUAL.key}/{n}") for n in BATCHES], measured),
            _curve("SmallCityVec, observations and masks",
                   [(n, f"vector/{USUAL.key}/{n}") for n in BATCHES], measured),
        ]),
        Plot("cost-players", "Decisions a second by players", "players", "decisions/s, one core", [
            _curve(name, [(n, f"rollout/{key}/{n}/1") for n in range(1, SEATS + 1)], measured)
            for key, name, _ in GAMES
        ], "count"),
        Plot("cost-modules", "Decisions a second by modules", "modules", "decisions/s, one core", [
            _curve("batch.rollout, 4 players", [(v.what, f"rollout/{v.key}/1") for v in _mixes()], measured)
        ], "names"),
        Plot("cost-rounds", "The cost of a decision by round", "round", "microseconds", by_round, "count"),
        Plot("cost-memory", "Memory by games", "games", "megabytes", _memory()),
    ]  # fmt: skip


GAMES: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("base", "base game", ()),
    ("godzillas", "Godzillas", ("godzillas",)),
    ("all", "all modules", MODULES),
)


def _mixes() -> list[Variant]:
    """Each module by itself, all modules, and all on the Winter boards."""
    alone: dict[str, tuple[str, ...]] = {module: (module,) for module in MODULES}
    alone["promise_cards"] = ("new_buildings", "promise_cards")  # PC1
    names = {"none": (), **alone, "all": MODULES}
    mixes = [Variant(f"mix-{name}/4", name.replace("_", " "), SEATS, mods) for name, mods in names.items()]
    return [*mixes, WINTER._replace(key="mix-winter/4", what="all, Winter boards")]


def _cases() -> list[Case]:
    """All cases to be measured."""
    sizes = [make(USUAL, games) for make in (step_case, vector_case) for games in BATCHES]
    seats = range(1, SEATS + 1)
    players = [Variant(f"{key}/{n}", f"{name}, {n}", n, mods) for key, name, mods in GAMES for n in seats]
    return [*sizes, *(rollout_case(v) for v in [*players, *_mixes()])]


def _curve(name: str, keys: Sequence[tuple[Any, str]], measured: dict[str, Measured]) -> Curve:
    return Curve(name, {x: measured[key].per_cpu() for x, key in keys})


def _by_round(v: Variant, repeats: int) -> dict[Any, Spread]:
    """Microseconds per decision in each round, played with `batch.step`."""
    passes = []
    with on_cores(1):
        for number in range(repeats):
            passes.append(dict(_one_pass(v, number)))
    rounds = set.intersection(*(set(one) for one in passes))
    return {r: spread([one[r] for one in passes]) for r in sorted(rounds)}


def _one_pass(v: Variant, seed: int) -> Iterator[tuple[int, float]]:
    """Play games in lockstep, round by round; games that are ahead wait for the others."""
    legal, seeds = batch.new_masks(ROUND_GAMES), np.arange(ROUND_GAMES) + seed * ROUND_GAMES
    states, random_streams = batch.new(ROUND_GAMES, v.config(), seeds, legal), streams(seeds)
    at = states["round_no"]
    for now in range(POWER_ROUNDS + 1):
        spent = decisions = 0.0
        while (here := (at == now) & ~batch.over(states)).any():
            actions = np.where(here, batch.pick(legal, random_streams), batch.SKIP)
            began = time.process_time()
            batch.step(states, actions, legal)
            spent += time.process_time() - began
            decisions += here.sum()
        if decisions:
            yield now, MICRO * spent / decisions


def _memory() -> list[Curve]:
    """The memory of a batch: computed from its arrays, and measured as the growth of the process."""
    state, mask = STATE.itemsize, batch.new_masks(1).nbytes
    observation = layout.SIZE * np.dtype(np.float32).itemsize
    parts = {"records": state, "and masks": state + mask, "and observations": state + mask + observation}
    curves = [Curve(name, {n: _exactly(n * each) for n in MEMORY}) for name, each in parts.items()]
    if STATM.exists():
        curves.append(Curve("all three, as the system sees it", {n: _exactly(_grown(n)) for n in MEMORY}))
    return curves


def _exactly(size: int) -> Spread:
    return Spread(*[size / MEGABYTE] * 3)


def _grown(games: int) -> int:
    """Bytes a new process grows by when it holds and observes this many games."""
    command = [sys.executable, "-c", GROWN, str(games)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) * mmap.PAGESIZE


def table(plot: Plot) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A chart as a table: head and rows."""
    across = dict.fromkeys(x for curve in plot.curves for x in curve.points)
    head = (plot.across, *(curve.name for curve in plot.curves))
    labels = {x: f"{x:,}" if isinstance(x, int) else str(x) for x in across}
    return head, [(label, *(_cell(curve, x) for curve in plot.curves)) for x, label in labels.items()]


def _cell(curve: Curve, x: Any) -> str:
    if x not in curve.points:
        return ""
    middle, low, high = curve.points[x]
    return number(middle) if low == high else f"{number(middle)} ({number(low)} - {number(high)})"


def save(charts: list[Plot], folder: Path) -> None:
    """Draw every chart into a folder."""
    from .charts import draw_plot

    folder.mkdir(parents=True, exist_ok=True)
    for plot in charts:
        draw_plot(plot, folder / f"{plot.file}.svg")
