"""The cases of this project. All play random legal answers; only questions with a choice are counted."""

import tempfile
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env import batch, smallcity_v0
from smallcity_env.config import MODULES, Config
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.rng import streams

from .measure import CORES, Case, Ready, Tally

GAMES: Final = {
    "base/2": ("base game, 2 players", Config(2, ())),
    "godzillas/4": ("Godzillas, 4 players", Config(4, ("godzillas",))),
    "all/4": ("all modules, 4 players", Config(4, MODULES)),
    "winter/4": (
        "all modules on Winter boards, 4 players",
        Config(4, MODULES, ("mountain-expert", "river-expert", "tokyo", "bangkok")),
    ),
}
USUAL: Final = "godzillas/4"
BATCH: Final = 1024
BIG_BATCH: Final = 4096
ROLLED: Final = 256  # games in one run of a rollout
STEPS: Final = 256  # per run: about one game, so that every run covers all its rounds
RECORDED: Final = 200  # steps: nearly a game; beyond that, more and more games of a batch are over


def cases() -> list[Case]:
    """All cases of this project."""
    two = min(2, CORES)
    vectors = [vector_case(game, games) for game in (USUAL, "all/4") for games in (1, 64, BATCH)]
    return [
        *(rollout_case(game) for game in GAMES),
        *(rollout_case(USUAL, BIG_BATCH, cores) for cores in sorted({1, two})),
        *(step_case(USUAL, games) for games in (1, BATCH)),
        *vectors,
        vector_case(USUAL, BATCH, "planes"),
        *(_aec(game) for game in (USUAL, "all/4")),
        _fork(USUAL),
        _playouts(USUAL),
        _ppo(two),
    ]


def rollout_case(game: str, games: int = ROLLED, cores: int = 1) -> Case:
    """Whole games in the kernel."""
    words, config = GAMES[game]
    size = "" if games == ROLLED else f"/{games}"

    def prepare() -> Ready:
        start, turn = batch.new(games, config, np.arange(games)), count()

        def run() -> Any:
            seeds = np.arange(games) + games * next(turn)
            return batch.rollout(batch.clone(start), seeds, cores)

        return Ready(run, lambda played: Tally(int(played.sum(axis=0)[0]), games))

    what = f"batch.rollout, {words}" + (f", {games:,} games, {cores} cores" if size else "")
    return Case(f"rollout/{game}{size}/{cores}", what, prepare, cores=cores)


def step_case(game: str, games: int) -> Case:
    """Single decisions answered from Python: recorded answers, so that nothing but `batch.step` is timed."""
    words, config = GAMES[game]

    def prepare() -> Ready:
        masks = batch.new_masks(games)
        start = batch.new(games, config, np.arange(games), masks)
        states, legal, chance = batch.clone(start), masks.copy(), streams(np.arange(games))
        answers: list[Any] = []  # of every step; SKIP in games that are over
        while len(answers) < RECORDED and not batch.over(states).all():
            answers.append(batch.pick(legal, chance))
            batch.step(states, answers[-1], legal)
        tally = Tally(sum(int((a != batch.SKIP).sum()) for a in answers), int(batch.over(states).sum()))

        def run() -> Tally:
            states, legal = batch.clone(start), masks.copy()
            for given in answers:
                batch.step(states, given, legal)
            return tally

        return Ready(run)

    return Case(f"step/{game}/{games}", f"batch.step, {words}, {_games(games)}", prepare)


def vector_case(game: str, games: int, observation: Any = "compact") -> Case:
    """`batch.pick` and `SmallCityVec.step` in self-play, with observations and masks."""
    words, config = GAMES[game]

    def prepare() -> Ready:
        env = SmallCityVec(games, config=config, observation=observation)
        env.reset(seed=0)
        chance, over = streams(np.arange(games)), np.zeros(games, np.bool_)

        def run() -> Tally:
            nonlocal over
            begun = ended = 0
            for _ in range(STEPS):
                begun += int(np.count_nonzero(over))  # a step that only begins a new game is not a decision
                over = env.step(batch.pick(env.action_masks(), chance))[2]
                ended += int(np.count_nonzero(over))
            return Tally(STEPS * games - begun, ended)

        return Ready(run)

    key, what = f"vector/{game}/{games}", f"SmallCityVec, {words}, {_games(games)}"
    if observation != "compact":
        key, what = f"vector/{observation}/{game}/{games}", f"{what}, {observation}"
    return Case(key, what, prepare)


def _games(games: int) -> str:
    return "1 game" if games == 1 else f"{games:,} games"


def _aec(game: str) -> Case:
    """The PettingZoo environment, with a compact observation and a mask for each decision."""
    words, config = GAMES[game]
    return Case(
        f"aec/{game}", f"AEC env(), {words}",
        lambda: aec_run(smallcity_v0.env(config=config, observation="compact")),
    )  # fmt: skip


def aec_run(env: Any) -> Ready:
    """Whole games of an AEC environment, a new one in every run."""
    turn = count()
    return Ready(lambda: aec_game(env, next(turn)))


def aec_game(env: Any, seed: int) -> Tally:
    """A whole game of a PettingZoo AEC environment, in the loop of PettingZoo's documentation."""
    env.reset(seed=seed)
    masks = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        action = None
        if not (terminated or truncated):
            masks.append(observation["action_mask"])
            action = env.action_space(agent).sample(masks[-1])
        env.step(action)
    return Tally(int((np.stack(masks).sum(axis=1) > 1).sum()), 1)


def midgame(games: int, config: Config) -> batch.States:
    """Games at half their usual length."""
    start = batch.new(games, config, np.arange(games))
    usual = batch.rollout(batch.clone(start), np.arange(games))[:, 0].mean()
    legal, chance = batch.masks(start), streams(np.arange(games))
    for _ in range(int(usual) // 2):
        batch.step(start, batch.pick(legal, chance), legal)
    return start[~batch.over(start)]


def _fork(game: str) -> Case:
    """Copies for planning: mid-game states, what a seat cannot see resampled."""
    words, config = GAMES[game]

    def prepare() -> Ready:
        states = midgame(BATCH, config)
        return Ready(lambda: batch.fork(states, 0, np.arange(len(states))), lambda forks: Tally(len(forks)))

    return Case(f"fork/{game}", f"batch.fork, {words}", prepare, "copies")


def _playouts(game: str) -> Case:
    """A planner's work: a fork of a mid-game state, then random play to the end."""
    words, config = GAMES[game]

    def prepare() -> Ready:
        states, turn = midgame(ROLLED, config), count()
        n = len(states)

        def run() -> Tally:
            seeds = np.arange(n) + n * next(turn)
            batch.rollout(batch.fork(states, 0, seeds), seeds)
            return Tally(n, n)

        return Ready(run)

    return Case(f"playouts/{game}", f"playouts from mid-game, {words}", prepare, "playouts")


def _ppo(cores: int) -> Case:
    """Updates of `smallcity train ppo` with its default settings: the decisions it has learned from."""

    def prepare() -> Ready:
        from smallcity_training.ppo import PPO, PPOConfig
        from smallcity_training.run import Run

        config, folder = PPOConfig(threads=cores), tempfile.TemporaryDirectory()
        trainer = PPO(Run.create(Path(folder.name) / "run", "ppo", config), config)

        def update(_folder: object = folder) -> Tally:  # the folder lasts as long as the case
            before, finished = trainer.steps, trainer.finished
            trainer.update()
            return Tally(trainer.steps - before, trainer.finished - finished)

        return Ready(update)

    what = f"smallcity train ppo, default settings, {cores} cores"
    return Case("train/ppo", what, prepare, "learned decisions", cores, needs=("torch",))
