"""Phase 8: the Mayor's next visit (P8.1)."""

from typing import Any

import pytest

from smallcity_env.rules.tables import Ask, Card, Phase
from smallcity_env.text.grid import members
from tests.rulebook.words import idle, idle_to, offered, play
from tests.scene import scene

CARDS = ["mayor", "architect", "mediator", "engineer", "supporter", "planner", "councilor", "opponent"]


def next_host(players: int, host: int, taker: int | None, **given: Any) -> int:
    """Who hosts after a round begun by this host in which one seat, or nobody, takes card A."""
    game = scene(*[""] * players, phase="select", host=host, **given)
    while game.round == 1 and not game.over:
        if game.ask == Ask.CARD:
            others = ("opponent", "architect", "mediator", "engineer")
            expected = ("mayor",) if game.seat == taker else others
            game.step(next(f"card {card}" for card in expected if f"card {card}" in offered(game)))
        else:
            game.step(int(game.legal()[-1]))
    return int(game.state.host)


@pytest.mark.parametrize("host", range(4))
@pytest.mark.parametrize("taker", range(4))
def test_P8_1_the_mayor_goes_to_whoever_took_card_a(host: int, taker: int) -> None:
    assert next_host(4, host, taker) == taker


@pytest.mark.parametrize(("host", "due"), [(0, 1), (1, 2), (2, 0)])
def test_P8_1_otherwise_one_seat_clockwise(host: int, due: int) -> None:
    assert next_host(3, host, None) == due


def test_P8_1_past_eliminated_players() -> None:
    assert next_host(4, 0, None, out={1: 1}) == 2
    assert next_host(4, 2, None, out={3: 1, 0: 1}) == 1
    assert next_host(4, 3, None, out={3: 1}) == 0  # his own host has left


def test_P8_1_card_a_of_a_player_eliminated_meanwhile_is_void() -> None:
    level: dict[str, Any] = {"phase": "pollution", "pollution": {2: 99}, "next_host": 2}
    game = scene("", "", "R1:2", "", host=0, **level)
    assert (game.round, game.state.host) == (2, 1)
    level["pollution"] = {2: 98}
    game = scene("", "", "R1:2", "", host=0, **level)
    assert (game.round, game.state.host) == (2, 2)


def test_P8_1_an_invitation_holds_for_one_visit() -> None:
    game = scene("", "", "", phase="visit", host=0, next_host=2)
    assert game.state.host == 2
    idle_to(game, "select", 3)
    assert game.state.host == 0


def test_P8_1_alone_the_mayor_stays() -> None:
    assert next_host(1, 0, None) == 0


def test_P8_1_cards_return_and_the_next_round_begins() -> None:
    given: dict[str, Any] = {"card": {0: "mayor", 1: "engineer", 2: "planner"}, "circle": "opponent"}
    game = scene("", "", "", phase="visit", host=1, round=3, **given)
    assert (game.round, game.phase) == (4, Phase.SELECT)
    assert [int(game.state.borough[p].card) for p in range(3)] == [Card.NONE] * 3
    play(game, "at D4", "way 1")  # the Mayor's street
    assert (game.ask, game.seat) == (Ask.CARD, 2)  # one seat on from the last host
    assert offered(game) == {f"card {card}" for card in CARDS}


def test_P8_1_the_mayor_leaves_his_street() -> None:
    game = scene(".:M .:M", "", phase="visit", host=0)
    assert members(game.state.borough[0].mayor) == []
    assert game.state.host == 1


def test_P8_1_who_worked_last_round_has_not_worked_in_this_one() -> None:
    game = scene("R1:0! C1:0!", "", phase="visit")
    assert members(game.state.borough[0].worked) == []
    idle(game, lambda g: g.round == 3)
    assert (game.state.borough[0].votes, game.state.borough[0].money) == (0, 0)


def test_P8_1_the_engineer_protects_one_round() -> None:
    game = scene("Hl Hl F1:0!\nHl Hl", phase="visit", card="engineer", smoke=1)
    assert (game.state.borough[0].busy_factories, game.state.borough[0].card) == (0, Card.NONE)
