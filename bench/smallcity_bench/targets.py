"""Performance targets as data, for one core unless stated otherwise.

Our games have 4 players and Godzillas.
"""

from typing import Final, NamedTuple

from .measure import Results, Spread, ratio
from .start import BY_CLOCK


class Target(NamedTuple):
    """A bound on a ratio of two cases, on the rate of one, or on a value."""

    what: str
    ours: str  # the key of a case, or the name of a value
    bound: float
    theirs: str = ""  # the key of the case to compare with
    of: str = "done"  # what is compared: done or games
    at_most: bool = False
    sign: str = " x"  # the unit it is written in


class Outcome(NamedTuple):
    """The result of a target; no figure if something it needs is missing."""

    target: Target
    figure: Spread | None
    met: bool | None
    clock: float | None = None  # the same by the clock, if the figure is processor time


ROLLOUT: Final = "rollout/godzillas/4/1"
VECTOR: Final = "vector/godzillas/4/1024"

TARGETS: Final = (
    Target("batch.rollout / catanatron, decisions/s, theirs with forced ones", ROLLOUT, 25, "catanatron"),
    Target("batch.rollout / catanatron, games/s", ROLLOUT, 30, "catanatron", "games"),
    Target("batch.rollout / OpenSpiel chess in C++ (evaluate_bots)", ROLLOUT, 10, "open_spiel/chess/c++"),
    Target("batch.rollout, all modules on Winter boards / Godzillas alone",
           "rollout/winter/4/1", 0.85, ROLLOUT),
    Target("SmallCityVec, 1,024 games / OpenSpiel chess from Python", VECTOR, 3, "open_spiel/chess/python"),
    Target("SmallCityVec, 1,024 games / envpool backgammon, 1,024 games", VECTOR, 5, "envpool/backgammon"),
    Target("... with the observation planes", "vector/planes/godzillas/4/1024", 3, "envpool/backgammon"),
    Target("env() / PettingZoo connect_four_v3.env()", "aec/godzillas/4", 16, "pettingzoo/connect_four"),
    Target("SmallCityVec, 1 game / env()", "vector/godzillas/4/1", 1, "aec/godzillas/4"),
    Target("SmallCityVec, 1,024 games / env()", VECTOR, 3, "aec/godzillas/4"),
    Target("playouts from mid-game / simulations of OpenSpiel's C++ MCTS on backgammon",
           "playouts/godzillas/4", 2, "open_spiel/backgammon/mcts"),
    Target("cost of a decision in batch.step, 1 game / 1,024 games",
           "step/godzillas/4/1024", 2, "step/godzillas/4/1", at_most=True),
    Target("batch.rollout of 4,096 games, two cores / one, by the clock",
           "rollout/godzillas/4/4096/2", 1.9, "rollout/godzillas/4/4096/1"),
    Target("smallcity train ppo, learned decisions a second on two cores, by the clock",
           "train/ppo", 5000, sign="/s"),
    Target("batch.fork, games a second", "fork/godzillas/4", 1e6, sign="/s"),
    Target("bytes of a game", "bytes of a game", 8192, at_most=True, sign=""),
    Target("building the library, to the first decision, processor time",
           "build", 30, at_most=True, sign=" s"),
    Target("start of a wheel, to the first decision, processor time",
           "first start of a wheel", 0.35, at_most=True, sign=" s"),
    Target("first start of a second checkout with equal sources",
           "second checkout", 2, at_most=True, sign=" s"),
    Target("started again, to the first decision, processor time",
           "started again", 0.8, at_most=True, sign=" s"),
)  # fmt: skip


def outcomes(results: Results) -> list[Outcome]:
    """The results of all targets."""
    return [_outcome(target, results) for target in TARGETS]


def _outcome(target: Target, results: Results) -> Outcome:
    figure = _figure(target, results)
    if figure is None:
        return Outcome(target, None, None)
    met = figure.median <= target.bound if target.at_most else figure.median >= target.bound
    return Outcome(target, figure, met, results.values.get(target.ours + BY_CLOCK))


def _figure(target: Target, results: Results) -> Spread | None:
    """The figure of a target, if everything it needs was measured."""
    if target.ours in results.values:
        value = results.values[target.ours]
        return Spread(value, value, value)
    ours = results.measured.get(target.ours)
    if ours is None or not target.theirs:
        return ours.figure() if ours else None
    theirs = results.measured.get(target.theirs)
    return ratio(ours, theirs, target.of) if theirs else None
