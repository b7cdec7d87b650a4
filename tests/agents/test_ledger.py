"""The books add up: whatever came and went explains what is there at the end."""

from typing import Any

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_agents.arena import game_stats
from smallcity_agents.arena.game_stats import Books, Source
from smallcity_agents.arena.playing import Played, play
from smallcity_env import Config, Game, batch
from smallcity_env.config import MODULES
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import Card
from smallcity_env.rules.tables.tiles import Kind
from tests.recount import Ledger as Recount

ASIA = ("tokyo", "seoul", "bangkok", "ulaanbaatar")
SETUPS = {
    "solo": Config(1),
    "two": Config(2, ()),
    "godzillas": Config(4),
    "everything": Config(4, MODULES, ASIA),
    "terrain": Config(3, MODULES, ("mountain-expert", "river-easy", "shanghai")),
}
GAMES = 24


def played(config: Config) -> tuple[Played, Books]:
    agents = [make("random"), make("first")]
    seatings = (np.arange(GAMES)[:, None] % 5 == 0) & (np.arange(config.players) == 0)
    games = play(config, agents, seatings.astype(int), range(GAMES))
    return games, game_stats.keep(config, range(GAMES), games.answers)


@pytest.fixture(scope="module", params=SETUPS)
def kept(request: pytest.FixtureRequest) -> tuple[Config, Played, Books]:
    config = SETUPS[request.param]
    return config, *played(config)


def test_votes_by_source_sum_to_the_votes_at_the_end(kept: tuple[Config, Played, Books]) -> None:
    _, games, books = kept
    assert (books.sources.sum(axis=(2, 3)) == games.states["borough"]["votes"]).all()
    assert (books.sources[..., Source.COUNCIL] <= 0).all()
    for source in (Source.SUPPORTER, Source.SHOPS, Source.CITIZENS):
        assert (books.sources[..., source] >= 0).all()


def test_tiles_built_less_those_gone_are_standing(kept: tuple[Config, Played, Books]) -> None:
    _, games, books = kept
    standing = games.states["borough"]["built"]
    assert ((books.built - books.gone).sum(axis=2) == standing).all()
    assert books.built[:, 0, :, Kind.RESIDENTIAL_1].any()


def test_tracks_end_where_the_game_ends(kept: tuple[Config, Played, Books]) -> None:
    config, games, books = kept
    last = games.states["round_no"]
    n = np.arange(GAMES)
    for t, track in enumerate(game_stats.TRACKS):
        assert (books.tracks[n, t, :, last] == games.states["borough"][track]).all()
    rising = np.diff(books.tracks[:, 1, : config.players, :9], axis=-1)
    assert (rising[np.broadcast_to((np.arange(1, 9) <= last[:, None])[:, None], rising.shape)] >= 0).all()


def test_everybody_still_in_takes_a_card_each_round(kept: tuple[Config, Played, Books]) -> None:
    config, games, books = kept
    taken = (books.cards[:, : config.players] > 0).sum(axis=2)
    out = games.states["borough"]["out"][:, : config.players]
    last = games.states["round_no"][:, None]
    assert (taken == np.where(out > 0, out, last)).all()


def test_supporters_gave_what_their_cards_say(kept: tuple[Config, Played, Books]) -> None:
    _, _, books = kept
    gifts = books.sources[..., Source.SUPPORTER]
    assert set(np.unique(gifts)) <= {0, 2}
    assert (books.cards[gifts > 0] == Card.SUPPORTER).all()


def test_people_and_markers_are_accounted_for() -> None:
    games, books = played(SETUPS["godzillas"])
    assert books.ruined.sum() > GAMES and books.eaten.sum() > GAMES and books.spoiled.sum() > 0
    assert (books.ruined[:, :, :5] == 0).all() and (books.eaten[:, :, :5] == 0).all()
    cleaned = books.ruined.sum(axis=(1, 2, 3)) - (40 - games.states["markers"])
    assert (cleaned >= 0).all()  # the Engineer's


class Ballots(Recount):
    """The slow books of the tests, remembering what Phase 5 gave."""

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.ballots = [0, 0, 0, 0]

    def _ballots(self, p: int) -> int:
        votes = super()._ballots(p)
        self.ballots[p] += votes
        return votes


@pytest.mark.parametrize("modules", [("godzillas",), tuple(set(MODULES) - {"real_buildings"})])
def test_what_citizens_voted_is_what_a_recount_from_the_rules_says(modules: tuple[str, ...]) -> None:
    config = Config(3, modules)
    games, books = played(config)
    for seed in range(4):
        game = Game(config, seed)
        for action in games.answers[seed][games.answers[seed] != batch.SKIP]:
            game.step(int(action))
        states = np.frombuffer(bytearray(game.log.start), np.uint8).view(STATE)
        slow = Ballots(states[0])
        for entry in game.log.entries:
            before = states[0].copy()
            batch.answer_one(states, entry.action)
            slow.enters(before, entry.action, states[0])
        assert books.sources[seed, :, :, Source.CITIZENS].sum(axis=1).tolist() == slow.ballots
