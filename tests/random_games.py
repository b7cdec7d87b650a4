"""Random games for tests: configs drawn by seed, and batches of games answered at random.

    config = random_config(7)                # the same for equal seeds
    games = table(config, games=32, seed=7)  # 32 games of it, at their first question
    for _ in games.play():                   # one answer in each, until all are over
        games.states, games.legal

Uniform answers hardly ever lead to a University or an Airport. So every game of a table has its own random
preferences (`taste`), and at a generous table players receive gifts of money, materials and citizens.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env import MODULES, Config, batch
from smallcity_env.config import EDITIONS
from smallcity_env.rules import actions
from smallcity_env.rules.entries import SKIP
from smallcity_env.rules.tables import MATERIALS, SEATS, SPACES, Ask, Family, Phase
from smallcity_env.rules.tables.maps import ASIAN, NAMES, Board
from smallcity_env.rules.tables.tiles import TILES, Kind

CITIES = tuple(NAMES[board] for board in Board if board in ASIAN)
LANDSCAPES = tuple(NAMES[board] for board in Board if board not in ASIAN)
VICTORIES = ("votes", "economics", "population", "culture")
EVERYTHING = Config(
    players=4,
    modules=MODULES,
    boards=("tokyo", "ulaanbaatar", "mountain-expert", "river-expert"),
    advanced=True,
    stockholm=True,
)

HALF = SPACES // 2


def spread(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Sets of spaces, (..., 2) words, as (..., 100) booleans."""
    bits = np.asarray(words)[..., None] >> np.arange(HALF, dtype=np.uint64)
    flat: npt.NDArray[np.bool_] = (bits & np.uint64(1)).astype(np.bool_)
    return flat.reshape(*words.shape[:-1], SPACES)


def bit(space: int) -> npt.NDArray[np.uint64]:
    """The set of one space."""
    words = np.zeros(2, np.uint64)
    words[space // HALF] = np.uint64(1 << (space % HALF))
    return words


def random_config(seed: int) -> Config:
    """Any legal mix of players, modules and boards; equal seeds give equal configs."""
    rng = np.random.default_rng(seed)
    players = int(rng.integers(1, SEATS + 1))
    modules = [module for module in MODULES if rng.random() < rng.choice((0.25, 0.75))]
    if "new_buildings" not in modules and "promise_cards" in modules:
        modules.remove("promise_cards")
    asian = rng.random() < 0.5
    cities = [str(city) for city in rng.permutation(CITIES)]
    boards = [
        cities.pop() if asian and rng.random() < 0.7 else str(rng.choice(LANDSCAPES)) for _ in range(players)
    ]
    only_votes = any(board in CITIES for board in boards)
    return Config(
        players=players,
        modules=tuple(modules),
        boards=tuple(boards),
        victory="votes" if only_votes else str(rng.choice(VICTORIES)),
        advanced=bool(rng.integers(2)),
        stockholm="godzillas" in modules and bool(rng.integers(2)),
        godzilla_rules=str(rng.choice(EDITIONS)) if "godzillas" in modules else EDITIONS[0],
    )


def random_answers(
    legal: npt.NDArray[np.bool_], rng: np.random.Generator, taste: npt.ArrayLike = 0.0
) -> npt.NDArray[np.int64]:
    """One legal answer for every game, SKIP where there is none; `taste` makes some likelier."""
    luck = rng.gumbel(size=legal.shape) + taste
    answers = np.where(legal, luck, -np.inf).argmax(axis=1)
    return np.where(legal.any(axis=1), answers, SKIP)


class Table:
    """Games played at random, each with its own preferences."""

    def __init__(self, states: batch.States, seed: int, generous: bool = False) -> None:
        self.states = states
        self.legal = batch.masks(states)
        self.generous = generous
        self.rng = np.random.default_rng([seed, 1])
        self.taste = self.rng.normal(scale=1.5, size=self.legal.shape)
        self.taste[:, : actions.BUILD] = 0  # every space is as good as any other

    def answers(self) -> npt.NDArray[np.int64]:
        """One answer for every game; with `generous`, some players receive a gift first."""
        if self.generous:
            self._give()
        return random_answers(self.legal, self.rng, self.taste)

    def play(self) -> Iterator[int]:
        """Answer in all games until they are over; yield the number of answers so far before each one."""
        n = 0
        yield n
        while self.legal.any():
            batch.step(self.states, self.answers(), self.legal)
            n += 1
            yield n

    def _give(self) -> None:
        """Give something to some of the players about to build."""
        building = (self.states["ask"] == Ask.WHAT) & (self.states["phase"] == Phase.BUILD)
        lucky = building & (self.rng.random(len(building)) < 0.4)
        for i in np.flatnonzero(lucky):
            give(self.states[i], int(self.states[i]["seat"]), self.rng)
        if lucky.any():
            batch.masks(self.states, self.legal)  # a gift only makes more builds possible


def table(config: Config, games: int, seed: int, generous: bool = False) -> Table:
    """Games of one config at their first question."""
    seeds = np.random.default_rng(seed).integers(1 << 62, size=games)
    return Table(batch.new(games, config, seeds), seed, generous)


class Answer(NamedTuple):
    """One answer in a game, with the states and the mask around it."""

    before: Any
    legal: npt.NDArray[np.bool_]
    action: int
    after: Any


def answers(states: batch.States, seed: int, generous: bool = False) -> Iterator[Answer]:
    """Play one game to its end, answer by answer, forced answers included."""
    game = Table(states, seed, generous)
    while game.legal.any():
        action = int(game.answers()[0])
        before, legal = batch.clone(states)[0], game.legal[0].copy()
        batch.answer_one(states, action)
        yield Answer(before, legal, action, states[0])
        batch.masks(states, game.legal)


def begun(config: Config, seed: int) -> batch.States:
    """One game at its very first question, even if that has only one answer."""
    states = batch.blank(1, config)
    states["stream"] = batch.rng.streams([seed])
    batch.set_up(states)
    return states


def give(state: Any, seat: int, rng: np.random.Generator) -> None:
    """Give money, votes, materials where there is room, and citizens from the Career Center."""
    b = state["borough"][seat]
    b["money"] += rng.integers(8)
    b["votes"] += rng.integers(4)
    used = spread(b["citizens"]).any(axis=0) | spread(b["materials"]).any(axis=0)
    used |= spread(b["mayor"]) | spread(b["markers"]) | spread(b["godzilla"])
    kinds = np.where(spread(b["tiled"]), b["kind"][b["first"]], Kind.NONE)
    stores = np.flatnonzero(np.isin(kinds, (Kind.CITY_HALL, Kind.WAREHOUSE, Kind.PORT)) & ~used)
    for space in rng.permutation(stores)[: rng.integers(4)]:
        b["materials"][rng.integers(MATERIALS)] |= bit(int(space))
    lived_in = (Family.RESIDENTIAL, Family.COMMERCIAL, Family.FACTORY)
    families = np.where(kinds > Kind.NONE, TILES["family"][kinds], Family.OTHER)
    homes = np.flatnonzero(np.isin(families, lived_in) & ~used)
    for space in rng.permutation(homes)[: min(rng.integers(3), b["career"])]:
        b["citizens"][seat] |= bit(int(space))
        b["career"] -= 1
