"""Statistics of games add up to their final states."""

from typing import Any

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_agents.arena import game_stats
from smallcity_agents.arena.game_stats import GameStats, VoteSource
from smallcity_agents.arena.playing import Played, play
from smallcity_env import Config, Game, batch
from smallcity_env.config import MODULES
from smallcity_env.rules import actions
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import Card
from smallcity_env.rules.tables.tiles import Kind
from tests.reference.ledger import Ledger
from tests.scene import scene

ASIA = ("tokyo", "seoul", "bangkok", "ulaanbaatar")
SETUPS = {
    "solo": Config(1),
    "two": Config(2, ()),
    "godzillas": Config(4),
    "everything": Config(4, MODULES, ASIA),
    "terrain": Config(3, MODULES, ("mountain-expert", "river-easy", "shanghai")),
}
GAMES = 24


def played(config: Config) -> tuple[Played, GameStats]:
    agents = [make("random"), make("first")]
    seatings = (np.arange(GAMES)[:, None] % 5 == 0) & (np.arange(config.players) == 0)
    games = play(config, agents, seatings.astype(int), range(GAMES))
    return games, game_stats.collect(config, range(GAMES), games.answers)


@pytest.fixture(scope="module", params=SETUPS)
def collected(request: pytest.FixtureRequest) -> tuple[Config, Played, GameStats]:
    config = SETUPS[request.param]
    return config, *played(config)


def test_votes_by_source_sum_to_the_final_votes(collected: tuple[Config, Played, GameStats]) -> None:
    _, games, stats = collected
    assert (stats.sources.sum(axis=(2, 3)) == games.states["borough"]["votes"]).all()
    assert (stats.sources[..., VoteSource.COUNCIL] <= 0).all()
    for source in (VoteSource.SUPPORTER, VoteSource.SHOPS, VoteSource.CITIZENS):
        assert (stats.sources[..., source] >= 0).all()


def test_tiles_built_less_tiles_gone_are_standing(collected: tuple[Config, Played, GameStats]) -> None:
    _, games, stats = collected
    standing = games.states["borough"]["built"]
    assert ((stats.built - stats.gone).sum(axis=2) == standing).all()
    assert stats.built[:, 0, :, Kind.RESIDENTIAL_1].any()


def test_tracks_end_where_the_game_ends(collected: tuple[Config, Played, GameStats]) -> None:
    config, games, stats = collected
    last = games.states["round_no"]
    n = np.arange(GAMES)
    for t, track in enumerate(game_stats.TRACKS):
        assert (stats.tracks[n, t, :, last] == games.states["borough"][track]).all()
    rising = np.diff(stats.tracks[:, 1, : config.players, :9], axis=-1)
    assert (rising[np.broadcast_to((np.arange(1, 9) <= last[:, None])[:, None], rising.shape)] >= 0).all()


def test_everybody_still_in_takes_a_card_each_round(collected: tuple[Config, Played, GameStats]) -> None:
    config, games, stats = collected
    taken = (stats.cards[:, : config.players] > 0).sum(axis=2)
    out = games.states["borough"]["out"][:, : config.players]
    last = games.states["round_no"][:, None]
    assert (taken == np.where(out > 0, out, last)).all()


def test_only_supporters_bring_supporter_votes(collected: tuple[Config, Played, GameStats]) -> None:
    _, _, stats = collected
    gifts = stats.sources[..., VoteSource.SUPPORTER]
    assert set(np.unique(gifts)) <= {0, 2}
    assert (stats.cards[gifts > 0] == Card.SUPPORTER).all()


def test_godzillas_ruin_eat_and_spoil_from_round_5() -> None:
    games, stats = played(SETUPS["godzillas"])
    assert stats.ruined.sum() > GAMES and stats.eaten.sum() > GAMES and stats.spoiled.sum() > 0
    assert (stats.ruined[:, :, :5] == 0).all() and (stats.eaten[:, :, :5] == 0).all()
    cleaned = stats.ruined.sum(axis=(1, 2, 3)) - (40 - games.states["markers"])
    assert (cleaned >= 0).all()  # the Engineer's


@pytest.mark.parametrize("hall", ["Hl", "Hl:m"], ids=["at once", "when it is clear where from"])
def test_the_votes_of_a_trade_come_from_a_shop(hall: str) -> None:
    game = scene(f"C4 C4 C4 C4:0!\nWa:m Wa {hall} Hl\n. . Hl Hl", phase="income", votes=1)
    booked = 0
    for answer in ("metal", "store warehouse")[: 1 + (hall == "Hl:m")]:
        before, chosen = game.states.copy(), np.array([actions.parse(answer)])
        game.step(answer)
        booked += game_stats.traded_votes(before, chosen, game.states)[0, 0]
    assert booked == 7 == game.state.borough[0].votes - 1


class Ballots(Ledger):
    """The ledger of the reference, which also counts the votes of Phase 5 separately."""

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.ballots = [0, 0, 0, 0]

    def _ballots(self, p: int) -> int:
        votes = super()._ballots(p)
        self.ballots[p] += votes
        return votes


@pytest.mark.parametrize("modules", [("godzillas",), tuple(set(MODULES) - {"real_buildings"})])
def test_votes_of_citizens_equal_a_recount_from_the_rules(modules: tuple[str, ...]) -> None:
    config = Config(3, modules)
    games, stats = played(config)
    for seed in range(4):
        game = Game(config, seed)
        for action in games.answers[seed][games.answers[seed] != batch.SKIP]:
            game.step(int(action))
        states = np.frombuffer(bytearray(game.log.start), np.uint8).view(STATE)
        recount = Ballots(states[0])
        for entry in game.log.entries:
            before = states[0].copy()
            batch.answer_one(states, entry.action)
            recount.enter(before, entry.action, states[0])
        assert stats.sources[seed, :, :, VoteSource.CITIZENS].sum(axis=1).tolist() == recount.ballots
