"""The champion's analysis of positions, and of the decisions of a game."""

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_agents.arena.playing import ask, seat_streams
from smallcity_agents.play import analysis, review
from smallcity_env import Config, Game, batch
from smallcity_env.rules import actions
from tests.scene import scene


def played(answers: int, players: int = 2, seed: int = 3, agent: str = "greedy") -> Game:
    """A game in which one agent has played all seats."""
    game, streams, who = Game(Config(players=players), seed), seat_streams([seed]), make(agent)
    while answers and not game.over:
        game.step(int(ask(who, game.states, game.mask()[None], streams, np.zeros(1, np.int64))[0]))
        answers -= 1
    return game


@pytest.mark.parametrize("answers", [4, 40, 90])
def test_an_analysis_depends_on_nothing_hidden(answers: int) -> None:
    game = played(answers, players=3)
    seen = analysis.analyse(game.states)
    redrawn = batch.fork(game.states, game.seat, [99])
    assert redrawn.tobytes() != game.states.tobytes()
    assert analysis.analyse(redrawn) == seen
    assert set(seen.answers) <= set(game.legal().tolist()) and next(iter(seen.answers)) == seen.best


def test_the_line_begins_with_the_best_answer_and_goes_on() -> None:
    game = played(20)
    seen = analysis.analyse(game.states)
    assert seen.line[0] == (game.seat, game.describe(seen.best)) and len(seen.line) > 1


def test_no_answer_is_expected_to_be_better_than_the_best() -> None:
    game = played(60, players=4)
    seen = analysis.analyse(game.states)
    scores, places = ([getattr(e, name) for e in seen.answers.values()] for name in ("score", "place"))
    assert len(scores) > 2 and scores == sorted(scores, reverse=True) and places == sorted(places)
    assert min(places) >= 1 and max(places) <= 4


@pytest.mark.parametrize("answers, players", [(2, 2), (40, 1), (60, 4)])
def test_what_an_answer_loses_is_measured_on_equal_terms(answers: int, players: int) -> None:
    game = played(answers, players)
    seen = analysis.analyse(game.states)
    best, top = seen.best, seen.answers[seen.best]
    for other in [action for action in seen.answers if action != best]:
        high, low = analysis.compare(game.states, [[best, other]], analysis.COMPARED, seed=2)[0]
        lost = float(analysis.points(high, low, players))
        assert lost >= 0 and seen.answers[other].score == pytest.approx(top.score - lost, abs=0.051)


def test_at_the_last_question_the_coach_expects_what_comes() -> None:
    game = played(1000)
    last = Game.replay(game.log, [e for e in game.log.entries if not e.forced][:-1])
    given = [e.action for e in game.log.entries if not e.forced][-1]
    expected = analysis.expect(last.states, np.array([last.seat]), [given])[0]
    assert expected.score == pytest.approx(game.scores()[last.seat], abs=0.5)


def test_a_review_has_every_decision_and_what_it_cost() -> None:
    game = played(1000, agent="random", seed=5)
    reviewed = review.decisions(game.log, 0)
    assert [d.number for d in reviewed] == [
        n for n, e in enumerate(game.log.entries) if e.seat == 0 and not e.forced
    ]
    costly = [d for d in reviewed if d.cost >= review.LEAST_COST]
    assert len(costly) >= 3 and all(d.given != d.better for d in costly)


def test_stronger_players_lose_less_by_their_decisions() -> None:
    def lost(agent: str) -> float:
        return float(np.mean([d.cost for d in review.decisions(played(1000, agent=agent, seed=5).log, 0)]))

    assert lost("random") > 2 * lost("greedy")


def test_why_an_answer_is_better_depends_on_nothing_hidden() -> None:
    game = played(90, players=2, seed=5)
    given, *others = game.legal().tolist()
    redrawn = batch.fork(game.states, game.seat, [99])
    assert redrawn.tobytes() != game.states.tobytes()
    assert review.why(redrawn, given, others[-1]) == review.why(game.states, given, others[-1])


def test_a_tourist_is_marked_at_home_and_at_the_goal() -> None:
    game = scene("R1:0 . Hl Hl\n.    . Hl Hl", "R1 C1 Hl Hl\nC1 . Hl Hl", phase="move")
    line = [actions.parse("seat 1"), actions.parse("at B1")]
    assert analysis._marks(game.states, 0, line) == [
        analysis.Mark(board=0, spaces=[actions.parse("at A1")], start=None),
        analysis.Mark(board=1, spaces=[actions.parse("at B1")], start=None),
    ]


def test_a_hint_marks_one_build_only() -> None:
    game = scene("Hl Hl\nHl Hl", money=9)
    line = [actions.parse(text) for text in ("build park-1", "at D1", "build park-1", "at D2")]
    assert analysis._marks(game.states, 0, line) == [analysis.Mark(0, [actions.parse("at D1")], None)]
