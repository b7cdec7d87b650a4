"""Performance targets as data, for one core unless stated otherwise.

Our games have 4 players and Godzillas.
"""

from typing import Any, Final, NamedTuple

from .measure import Results, Spread, ratio, spread
from .peers import AEC, ROLLOUT, VECTOR


class Target(NamedTuple):
    """A bound on a ratio of two cases, on the rate of one, or on a value."""

    what: str
    ours: str  # the key of a case, or the name of a value
    bound: float
    theirs: str = ""  # the key of the case to compare with
    of: str = "done"  # what is compared: done or games
    at_most: bool = False
    sign: str = " x"  # the unit it is written in

    def figure(self, results: Results) -> Spread | None:
        """What was reached, if everything it needs was measured."""
        if self.ours in results.values:
            return spread([results.values[self.ours]])
        ours, theirs = results.measured.get(self.ours), results.measured.get(self.theirs)
        if ours is None or not self.theirs:
            return ours.figure() if ours else None
        return ratio(ours, theirs, self.of) if theirs else None

    def met(self, figure: Spread) -> bool:
        """Whether the median keeps the bound."""
        return figure.median <= self.bound if self.at_most else figure.median >= self.bound


SECONDS: Final[dict[str, Any]] = {"at_most": True, "sign": " s"}
TARGETS: Final = (
    Target("batch.rollout / catanatron, decisions/s, theirs with forced ones", ROLLOUT, 25, "catanatron"),
    Target("batch.rollout / catanatron, games/s", ROLLOUT, 30, "catanatron", "games"),
    Target("batch.rollout / OpenSpiel chess in C++ (evaluate_bots)", ROLLOUT, 10, "open_spiel/chess/c++"),
    Target("batch.rollout, all modules on Winter boards / Godzillas alone",
           "rollout/winter/4/1", 0.85, ROLLOUT),
    Target("SmallCityVec, 1,024 games / OpenSpiel chess from Python", VECTOR, 3, "open_spiel/chess/python"),
    Target("SmallCityVec, 1,024 games / envpool backgammon, 1,024 games", VECTOR, 5, "envpool/backgammon"),
    Target("... with the observation planes", "vector/planes/godzillas/4/1024", 3, "envpool/backgammon"),
    Target("env() / PettingZoo connect_four_v3.env()", AEC, 16, "pettingzoo/connect_four"),
    Target("SmallCityVec, 1 game / env()", "vector/godzillas/4/1", 1, AEC),
    Target("SmallCityVec, 1,024 games / env()", VECTOR, 3, AEC),
    Target("playouts from mid-game / simulations of OpenSpiel's C++ MCTS on backgammon",
           "playouts/godzillas/4", 2, "open_spiel/backgammon/mcts"),
    Target("cost of a decision in batch.step, 1 game / 1,024 games",
           "step/godzillas/4/1024", 2, "step/godzillas/4/1", at_most=True),
    Target("batch.rollout of 4,096 games, two cores / one, by the clock",
           "rollout/godzillas/4/4096/2", 1.9, "rollout/godzillas/4/4096/1"),
    Target("smallcity train ppo, learned decisions a second on two cores", "train/ppo", 5000, sign="/s"),
    Target("batch.fork, games a second", "fork/godzillas/4", 1e6, sign="/s"),
    Target("bytes of a game", "bytes of a game", 8192, at_most=True, sign=""),
    Target("building the library, to the first decision, processor time", "build", 30, **SECONDS),
    Target("start of a wheel, to the first decision, processor time", "wheel", 0.35, **SECONDS),
    Target("first start of a second checkout with equal sources", "second checkout", 2, **SECONDS),
    Target("started again, to the first decision, processor time", "started again", 0.8, **SECONDS),
)  # fmt: skip
