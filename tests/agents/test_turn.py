"""A turn as a person sees it, several answers at once, and automatic answers."""

from pathlib import Path

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_agents.play import parser, view
from smallcity_agents.play.match import CannotUndo, Match
from smallcity_agents.play.turn import turn
from smallcity_env import Config, Game, batch
from smallcity_env.config import MODULES
from smallcity_env.files import free
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.rules.tables.tiles import ROWS, Kind
from smallcity_env.show import Ink
from smallcity_env.text import pieces

from .test_play import answer_until, moments, sit


def asked_to_move(seed: int = 3, citizens: int = 2) -> Match:
    """A match at the question where the first of several citizens goes."""
    match = sit("human greedy", seed=seed)
    greedy = make("greedy")
    match.agents_answer()
    while not (match.game.ask is Ask.MOVE and len(turn(match.game).movers) >= citizens):
        match.answer(match.hint(greedy))
        match.agents_answer()
    return match


# -- the turn


def test_a_turn_says_what_is_asked_and_what_each_answer_does() -> None:
    for game in moments(Config(2, MODULES, ("tokyo", "river-easy")), range(1)):
        asked = turn(game)
        assert asked.legal == game.legal().tolist()
        assert all(answer.name == actions.name(answer.action) for answer in asked.answers)
        if asked.ask is Ask.WHAT:
            assert not {refused.action for refused in asked.refused} & set(asked.legal)
            assert all(refused.reason for refused in asked.refused)
        if asked.ask is Ask.WHAT and asked.phase is Phase.BUILD and game.state["builds"]:
            assert asked.count == f"build {4 - int(game.state['builds'])} of 3"


def test_an_effect_is_apart_from_what_follows() -> None:
    """Storing the last product of a round changes no pollution; the phases after it do."""
    seen = 0
    for game in moments(Config(1), range(6)):
        if game.ask is Ask.STORE:
            asked = turn(game)
            assert all("pollution" not in answer.effect for answer in asked.answers)
            seen += any("pollution" in answer.follows for answer in asked.answers)
    assert seen


def test_every_tile_is_explained() -> None:
    for tile in ROWS:
        words = pieces.about(tile.kind)
        assert words.startswith(pieces.title(tile.kind)) and words.endswith(".")
    assert "costs $2" in pieces.about(Kind.BANK) and "4 spaces" in pieces.about(Kind.BANK)


def test_the_council_board_fits_a_narrow_terminal_and_shows_discs() -> None:
    match = sit("human random random")
    answer_until(match, Ask.ROW)
    match.game.state["borough"][0]["council"][1] = 3
    lines = view.council_lines(match.game.state, 0, 80, Ink())
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("supplies") and line.endswith("you 3") for line in lines)


def test_long_lists_of_spaces_are_grouped() -> None:
    game = Game(Config(2), seed=1)
    legal = game.legal().tolist()
    assert len(legal) > 30
    assert len(view.answer_lines(game.state, game.seat, legal, {}, 80)) <= 4


# -- several moves in one go


def test_several_citizens_move_in_one_go_and_are_undone_together() -> None:
    match = asked_to_move()
    before = match.game.clone()
    first, second = turn(match.game).movers[:2]
    goal = first.goals[0]
    other = next(space for space in second.goals if space != goal)
    match.move({(first.where, first.space): [goal], (second.where, second.space): [other]}, rest_stays=True)
    given = [entry.action for entry in match.game.log.entries[len(before.log) :]]
    assert given[:2] == [goal, other] and set(given[2:]) <= {actions.NO}
    assert match.game.ask is not Ask.MOVE or match.game.seat != 0
    if match.undone():
        match.undo()
        assert match.game == before


def test_an_illegal_plan_changes_nothing() -> None:
    match = asked_to_move()
    before = match.game.clone()
    first, second = turn(match.game).movers[:2]
    goal = first.goals[0]
    with pytest.raises(batch.IllegalAction):
        match.move({(first.where, first.space): [goal], (second.where, second.space): [goal]}, True)
    assert match.game == before and match.begun[-1:] != [len(before.log)]


def test_tourists_are_counted() -> None:
    """Without a Metro Station one goes to each neighbour; nobody goes where nobody can."""
    seen = 0
    for game in moments(Config(4), range(2)):
        asked = turn(game)
        if asked.ask is Ask.MOVE and asked.tourists:
            assert all(1 <= n <= 2 for n in asked.tourists.values())
            assert (game.seat + 2) % 4 not in asked.tourists or game.state["borough"][game.seat]["built"][
                Kind.METRO
            ]
            seen += 1
    assert seen


def test_moves_are_parsed() -> None:
    match = asked_to_move()
    citizens = turn(match.game).movers
    start, goal = actions.space_name(citizens[0].space), actions.space_name(citizens[0].goals[0])
    plan, rest = parser.moves(f"{start}-{goal} rest", citizens)
    assert plan == {(citizens[0].where, citizens[0].space): [citizens[0].goals[0]]} and rest
    with pytest.raises(parser.ParseError, match="is not a move"):
        parser.moves("C3 to D4", citizens)
    with pytest.raises(parser.ParseError, match="no citizen of yours at J10"):
        parser.moves("J10-A1", citizens)


# -- automatic answers


def test_no_more_holds_until_the_phase_ends() -> None:
    match = asked_to_move()
    round_no = match.game.round
    match.decline()
    match.agents_answer()
    while match.game.round == round_no and not match.game.over:
        assert match.game.ask is not Ask.MOVE
        match.answer(match.hint(make("random")))
        match.agents_answer()


def test_no_more_ends_when_the_means_change() -> None:
    match = asked_to_move()
    match.automatic.decline(match.game)
    assert match.automatic.answer(match.game) == actions.NO
    match.game.states["borough"]["money"][0, match.game.seat] += 1
    assert match.automatic.answer(match.game) is None


def test_no_more_can_be_switched_off() -> None:
    match = asked_to_move()
    match.automatic.decline(match.game)
    match.automatic.switch("none", False)
    assert match.automatic.answer(match.game) is None
    match.automatic.decline(match.game)
    assert match.automatic.answer(match.game) is None


@pytest.mark.parametrize("automatic", [True, False])
def test_products_are_stored_by_themselves_unless_switched_off(automatic: bool) -> None:
    asked = 0
    for seed in range(4):
        match = sit("human random", seed=seed)
        match.automatic.store = automatic
        chance = np.random.default_rng(seed)
        match.agents_answer()
        while not match.game.over:
            legal = match.game.legal()
            asked += match.game.ask is Ask.STORE
            match.answer(int(chance.choice(legal)))
            match.agents_answer()
    assert bool(asked) is not automatic


# -- undo and saves


def test_undo_survives_save_and_resume(tmp_path: Path) -> None:
    match = sit(seed=2)
    answer_until(match, Ask.WHAT)
    before = match.game.clone()
    match.answer(actions.parse("build park-1"))
    match.answer(int(match.game.legal()[0]))
    match.save(tmp_path / "a.save")
    again = Match.load(tmp_path / "a.save")
    assert again.undone() == match.undone() != ""
    again.undo()
    again.undo()
    assert again.game == before
    with pytest.raises(CannotUndo, match="another player has answered"):
        again.undo()


def test_a_new_game_never_overwrites_a_saved_one(tmp_path: Path) -> None:
    first = free(tmp_path / "play.save")
    first.write_text("a game")
    second = free(tmp_path / "play.save")
    assert second.name == "play-2.save"
    second.write_text("another")
    assert free(tmp_path / "play.save").name == "play-3.save"
