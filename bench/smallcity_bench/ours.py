"""The cases of this project."""

from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from pettingzoo.utils import wrappers

from smallcity_env import batch, smallcity_v0
from smallcity_env.config import DEFAULT_BOARD, MODULES, Config
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.rng import streams
from smallcity_env.rules.schema import STATE_BYTES

from .measure import CORES, UNSEEN, Case, Ready, Tally
from .play import Recorded, aec_game, midgame

if TYPE_CHECKING:
    from smallcity_env.envs.options import Observing  # earlier versions have no such file

GROUP: Final = "Small City"
BATCH: Final = 1024
BATCHES: Final = (1, 64, BATCH)
BIG_BATCH: Final = 4096
ROLLED: Final = 256  # games in one run of a rollout
STEPS: Final = 256  # per run: about one game, so that every run covers all its rounds


class Variant(NamedTuple):
    """A configuration to be measured."""

    key: str
    what: str
    players: int
    modules: tuple[str, ...]
    boards: tuple[str, ...] | str = DEFAULT_BOARD

    def config(self) -> Config:
        """The configuration itself."""
        return Config(self.players, self.modules, self.boards)


USUAL: Final = Variant("godzillas/4", "Godzillas, 4 players", 4, ("godzillas",))
FULL: Final = Variant("all/4", "all modules, 4 players", 4, MODULES)
WINTER: Final = Variant(
    "winter/4", "all modules on Winter boards, 4 players", 4, MODULES,
    ("mountain-expert", "river-expert", "tokyo", "bangkok"),
)  # fmt: skip
VARIANTS: Final = (
    Variant("base/2", "base game, 2 players", 2, ()),
    Variant("base/4", "base game, 4 players", 4, ()),
    USUAL,
    Variant("all/2", "all modules, 2 players", 2, MODULES),
    FULL,
)


def cases() -> list[Case]:
    """All cases of this project."""
    rollouts = (rollout_case(v, ROLLED, cores) for cores in dict.fromkeys((1, CORES)) for v in VARIANTS)
    big = (rollout_case(USUAL, BIG_BATCH, cores) for cores in dict.fromkeys((1, min(2, CORES))))
    steps = (step_case(USUAL, games) for games in (1, BATCH))
    vectors = [vector_case(v, games) for games in BATCHES for v in VARIANTS]
    vectors.append(vector_case(USUAL, BATCH, "planes"))
    aec = (_aec(v, wrapped) for wrapped in (False, True) for v in VARIANTS)
    copies = (_fork(v) for v in (USUAL, FULL))
    return [*rollouts, rollout_case(WINTER), *big, *steps, *vectors, *aec, *copies, _playouts(USUAL)]


def values() -> dict[str, float]:
    """Values that need no timing."""
    return {"bytes of a game": STATE_BYTES}


def rollout_case(v: Variant, games: int = ROLLED, cores: int = 1) -> Case:
    """Whole games in the kernel."""
    key, words = f"rollout/{v.key}/{cores}", f"batch.rollout, {v.what}"
    if games == BIG_BATCH:
        key, words = f"rollout/{v.key}/{games}/{cores}", f"{words}, {games:,} games"
    words += f", {cores} cores" if cores > 1 else ""

    def prepare() -> Ready:
        start, turn = batch.new(games, v.config(), np.arange(games)), count()

        def run() -> Any:
            seeds = np.arange(games) + games * next(turn)
            return batch.rollout(batch.clone(start), seeds, cores)

        def tally(played: Any) -> Tally:
            decisions, forced = played.sum(axis=0)
            return Tally(int(decisions), int(forced), games)

        return Ready(run, tally)

    return Case(
        key, GROUP, words, "whole games in the kernel, with exact masks", prepare, cores=cores,
    )  # fmt: skip


def step_case(v: Variant, games: int) -> Case:
    """Single decisions, answered from Python."""

    def prepare() -> Ready:
        return Ready(Recorded(games, v.config()).play, _as_counted)

    return Case(
        f"step/{v.key}/{games}", GROUP, f"batch.step, {v.what}, {_games(games)}",
        "batch.step from Python with recorded answers, masks, no observations", prepare,
    )  # fmt: skip


def vector_case(v: Variant, games: int, observation: "Observing" = "compact") -> Case:
    """The vector environment in self-play."""
    key, words = f"vector/{v.key}/{games}", f"SmallCityVec, {v.what}, {_games(games)}"
    if observation != "compact":
        key, words = f"vector/{observation}/{v.key}/{games}", f"{words}, {observation}"

    def prepare() -> Ready:
        env = SmallCityVec(games, players=v.players, modules=v.modules, observation=observation)
        env.reset(seed=0)
        random_streams, over = streams(np.arange(games)), np.zeros(games, np.bool_)

        def run() -> Tally:
            nonlocal over
            begun = ended = 0
            for _ in range(STEPS):
                begun += int(np.count_nonzero(over))  # a step that only begins a new game is not a decision
                over = env.step(batch.pick(env.action_masks(), random_streams))[2]
                ended += int(np.count_nonzero(over))
            return Tally(STEPS * games - begun, 0, ended)

        return Ready(run, _as_counted)

    return Case(
        key, GROUP, words,
        "batch.pick and SmallCityVec.step from Python, observations and masks", prepare,
        forced=UNSEEN,
    )  # fmt: skip


def _games(games: int) -> str:
    return "1 game" if games == 1 else f"{games:,} games"


def _as_counted(tally: Any) -> Tally:
    """The tally of a run that counts its own work."""
    assert isinstance(tally, Tally)
    return tally


def _aec(v: Variant, wrapped: bool) -> Case:
    """The PettingZoo environment, bare or inside PettingZoo's own wrappers."""

    def prepare() -> Ready:
        env: Any = smallcity_v0.env(players=v.players, modules=v.modules, observation="compact")
        if wrapped:
            env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
            env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
        return aec_run(env)

    name = f"AEC env(), {v.what}" + (", in PettingZoo's wrappers" if wrapped else "")
    key = f"aec/{v.key}/wrapped" if wrapped else f"aec/{v.key}"
    counts = "whole games from Python, a compact observation and a mask each"
    return Case(key, GROUP, name, counts, prepare, forced=UNSEEN)


def aec_run(env: Any) -> Ready:
    """Whole games of an AEC environment, a new one in every run."""
    turn = count()
    return Ready(lambda: aec_game(env, next(turn)), _as_counted)


def _fork(v: Variant) -> Case:
    """Copies for planning."""

    def prepare() -> Ready:
        states = midgame(BATCH, v.config())
        seeds, n = np.arange(len(states)), len(states)
        return Ready(lambda: batch.fork(states, 0, seeds), lambda _: Tally(n))

    return Case(
        f"fork/{v.key}", GROUP, f"batch.fork, {v.what}",
        "mid-game states copied, what a seat cannot see resampled", prepare, "copies",
    )  # fmt: skip


def _playouts(v: Variant) -> Case:
    """A planner's work: a fork, then random play to the end."""

    def prepare() -> Ready:
        states, turn = midgame(ROLLED, v.config()), count()
        n = len(states)

        def run() -> None:
            seeds = np.arange(n) + n * next(turn)
            batch.rollout(batch.fork(states, 0, seeds), seeds)

        return Ready(run, lambda _: Tally(n, 0, n))

    return Case(
        f"playouts/{v.key}", GROUP, f"playouts from mid-game, {v.what}",
        "batch.fork and batch.rollout of mid-game states", prepare, "playouts",
    )  # fmt: skip
