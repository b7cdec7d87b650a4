"""The guide of the first game: each new thing once, whatever the numbers; kind words about costly answers."""

from collections import Counter

from smallcity_agents import make
from smallcity_agents.llm.make_positions import values
from smallcity_agents.play.match import Match
from smallcity_agents.web import guide
from smallcity_env import Config, Game
from smallcity_env.rules.tables import Ask, Phase


def begun() -> Match:
    match = Match.begin(Game(Config(2), guide.SEED), ["human", guide.OPPONENT], guide.SEED)
    match.agents_answer()
    return match


def test_each_new_thing_is_told_once_and_then_the_person_is_free() -> None:
    match, greedy, told = begun(), make("greedy"), Counter[str]()
    while match.game.round <= guide.ROUNDS + 1 and not match.game.over:
        said = guide.guide(match)
        told.update(said["lessons"])
        assert (said["action"] is not None) == (match.game.round <= guide.SUGGESTED)
        assert said["action"] is None or said["action"] in match.game.legal()
        match.answer(match.hint(greedy))
        match.agents_answer()
    asked = [guide.QUESTIONS[ask] for ask in (Ask.DIFFICULTY, Ask.CARD, Ask.WHAT, Ask.MOVE, Ask.ROW)]
    expected = {str(text) for text in (guide.CITY_HALL, *asked, *guide.PHASES.values(), guide.FREE)}
    assert expected <= set(told) and set(told.values()) == {1}


def test_a_costly_answer_is_told_with_the_better_one() -> None:
    match, greedy = begun(), make("greedy")
    while match.game.ask is not Ask.WHAT or match.game.phase is not Phase.BUILD:
        match.answer(match.hint(greedy))
        match.agents_answer()
    worth = values(match.game.states, 32)[0]
    match.answer(min(worth, key=worth.__getitem__))
    match.agents_answer()
    mistake = guide.guide(match)["mistake"]
    assert mistake and mistake["cost"] >= guide.MISTAKE and mistake["given"] != mistake["better"]
    assert mistake["why"]
