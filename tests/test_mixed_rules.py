"""One batch with different rules and numbers of players: every row is what its game by itself is."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from smallcity_env import MODULES, Config, ConfigError, batch
from smallcity_env.envs.gymnasium import SmallCity
from smallcity_env.envs.observations import row_view
from smallcity_env.envs.sb3 import SmallCitySB3
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules import planes, rng

from .random_games import random_config

CONFIGS = [
    Config(players=1, rounds=2),
    Config(players=2, modules=(), boards=("tokyo", "river-easy"), rounds=3),
    Config(players=3, modules=MODULES, advanced=True, rounds=2),
    Config(players=4, victory="culture", rounds=1),
]
ROWS = 10


def draw(random: np.random.Generator) -> Config:
    """Any rules, for any number of players, for two rounds."""
    config = random_config(int(random.integers(2**31)))
    given = {name: getattr(config, name) for name in config.__dataclass_fields__}
    return Config(**given | {"rounds": 2})


class Twin:
    """A game by itself: the one that a row of a mixed batch plays now."""

    def __init__(self, games: SmallCityVec, row: int, observation: Any) -> None:
        seat = None if games.opponents is None else int(games._learner[row])
        self.env = SmallCityVec(
            config=Config.of(games.state(row)), reward=games.reward, seat=seat, observation=observation,
            opponents=None if games.opponents is None else games.opponents.names, autoreset_mode="Disabled",
        )  # fmt: skip
        self.env.reset()
        self.env._chance[0] = games._streams[row]
        self.seen, infos = self.env.reset()
        self.mask, self.seat = infos["action_mask"][0], infos["seat"][0]

    def step(self, action: int) -> tuple[float, bool, dict[str, Any]]:
        self.seen, rewards, over, _, infos = self.env.step(np.array([action]))
        self.mask, self.seat = infos["action_mask"][0], infos["seat"][0]
        return rewards[0], over[0], infos


def same(seen: Any, alone: Any) -> bool:
    """Whether a row shows what the game by itself shows, and zeros where nobody sits."""
    if not isinstance(seen, dict):
        return bool(seen.tobytes() == alone.tobytes())
    wide, own = seen["planes"], alone["planes"]
    rest = not wide[len(own) :].any() and len(own) % planes.COUNT == 0
    return bool(
        rest and wide[: len(own)].tobytes() == own.tobytes() and same(seen["vector"], alone["vector"])
    )


@pytest.mark.parametrize("configs", [CONFIGS, draw], ids=["listed", "drawn"])
@pytest.mark.parametrize("observation", ["compact", "planes"])
@pytest.mark.parametrize(
    ("opponents", "reward", "mode"),
    [(None, "score", "NextStep"), (None, "rank", "SameStep"), ("random", "margin", "SameStep"),
     ("first", "score", "NextStep"), ("random", "rank", "Disabled")],
)  # fmt: skip
def test_every_row_is_what_its_game_by_itself_is(
    configs: Any, observation: Any, opponents: str | None, reward: str, mode: str
) -> None:
    options: dict[str, Any] = {"opponents": opponents, "reward": reward, "observation": observation}
    games = SmallCityVec(ROWS, configs=configs, autoreset_mode=mode, **options)
    assert games.observation_space.contains(games.reset(seed=7)[0])
    twins = [Twin(games, row, observation) for row in range(ROWS)]
    chance, ends, counts = rng.streams(np.arange(ROWS)), 0, set()
    begun = np.zeros(ROWS, np.bool_)  # by the last step
    while ends < 3 * ROWS:
        actions = batch.pick(games.action_masks(), chance)
        seen, rewards, over, _, infos = games.step(actions)
        for row, twin in enumerate(twins):
            if begun[row]:
                twins[row] = twin = Twin(games, row, observation)
                assert rewards[row] == 0 and not over[row]
            else:
                check_row(games, twin.step(int(actions[row])), row, (rewards, over, infos))
                if over[row] and mode == "SameStep":
                    assert same(infos["final_obs"][row], row_view(twin.seen, 0))
                    twins[row] = twin = Twin(games, row, observation)
            counts.add(twin.env.config.players)
            assert same(row_view(seen, row), row_view(twin.seen, 0))
            assert np.array_equal(infos["action_mask"][row], twin.mask) and infos["seat"][row] == twin.seat
        ends, begun = ends + int(over.sum()), over if mode == "NextStep" else np.zeros(ROWS, np.bool_)
        if mode == "Disabled" and over.any():
            games.reset(options={"reset_mask": over})
            for row in np.flatnonzero(over):
                twins[row] = Twin(games, int(row), observation)
    assert counts == {1, 2, 3, 4}


def check_row(
    games: SmallCityVec, alone: tuple[float, bool, dict[str, Any]], row: int, together: Any
) -> None:
    """Rewards, ends and outcomes of a row and of its game by itself."""
    (reward, ended, one), (rewards, over, infos) = alone, together
    assert reward == rewards[row] and ended == over[row]
    players = one["rewards"].shape[1] if "rewards" in one else None
    if players:
        assert np.array_equal(infos["rewards"][row, :players], one["rewards"][0])
        assert not infos["rewards"][row, players:].any()
    if ended:
        infos = infos.get("final_info", infos)
        players = one["scores"].shape[1]
        for name in ("scores", "places", "won", "returns"):
            assert np.array_equal(infos[name][row, :players], one[name][0]), name
        assert infos["length"][row] == one["length"][0] and not infos["won"][row, players:].any()
        assert (infos["places"][row, players:] == -1).all() and infos["_won"][row]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
@pytest.mark.parametrize("configs", [CONFIGS, draw], ids=["listed", "drawn"])
def test_games_are_drawn_by_their_seeds(configs: Any, copied: Any) -> None:
    games = SmallCityVec(ROWS, configs=configs, opponents="random", reward="score", autoreset_mode="SameStep")
    games.reset(seed=1)
    twin = copied(games)
    other = SmallCityVec(ROWS, configs=configs, opponents="random", reward="score", autoreset_mode="SameStep")
    other.reset(seed=1)
    for _ in range(150):
        chosen = games.action_masks().argmax(axis=1)
        (seen, *paid, _), (also, *_), (same, *_) = games.step(chosen), twin.step(chosen), other.step(chosen)
        assert seen.tobytes() == also.tobytes() == same.tobytes() and len(paid) == 3


def test_an_illegal_action_beside_a_game_that_begins_changes_no_rules() -> None:
    games = SmallCityVec(6, configs=CONFIGS, illegal="raise")
    games.reset(seed=2)
    over = np.zeros(6, np.bool_)
    while not over.any() or over.all():
        _, _, over, _, _ = games.step(games.action_masks().argmax(axis=1))
    before = games._states.tobytes()
    wrong = np.where(over, 0, games.action_masks().argmin(axis=1))
    with pytest.raises(batch.IllegalAction):
        games.step(wrong)
    assert games._states.tobytes() == before
    games.step(games.action_masks().argmax(axis=1))


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_the_other_environments_take_configs_too() -> None:
    check_env(SmallCity(configs=CONFIGS), skip_render_check=True)
    env = gymnasium.make("SmallCity-v0", configs=CONFIGS)
    counts = set()
    for seed in range(12):
        env.reset(seed=seed)
        counts.add(int(env.unwrapped.games.state(0)["rules"]["players"]))  # type: ignore[attr-defined]
    assert counts == {1, 2, 3, 4}
    games = SmallCitySB3(8, configs=CONFIGS, opponents="random")
    seen = games.reset()
    assert seen.shape == (8, *games.observation_space.shape)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"configs": []}, "configs must be a list of Config or a function that draws one: "),
        ({"configs": "tokyo"}, "configs must be a list of Config"),
        ({"configs": [7]}, "a game needs a Config, not 7"),
        ({"configs": CONFIGS, "players": 2}, "give either configs or players, not both"),
        ({"configs": CONFIGS, "config": Config()}, "give either configs or config, not both"),
        ({"configs": lambda random: 7}, "a game needs a Config, not 7"),
    ],
)
def test_impossible_configs(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        SmallCityVec(2, **arguments)


def test_a_seat_that_some_games_lack_is_refused() -> None:
    games = SmallCityVec(16, configs=CONFIGS, opponents="random", seat=3)
    with pytest.raises(ConfigError, match="there is no seat 3 in a game of"):
        games.reset(seed=1)
