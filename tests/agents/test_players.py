"""What players are called, and what their answers say."""

import pytest

from smallcity_agents.play.players import player_names
from smallcity_agents.play.questions import question
from smallcity_env.language import use
from smallcity_env.rules.tables import Ask
from smallcity_env.text.wording import describe
from tests.scene import scene


def test_players_are_called_by_their_levels_their_colours_and_their_own_names() -> None:
    assert player_names(["human", "human", "level:3"], 0) == ["You", "Blue", "Level 3"]
    assert player_names(["", "", "greedy", "greedy"]) == ["Red", "Blue", "Greedy Yellow", "Greedy Violet"]
    assert player_names(["human", "human"], 1, {0: "Ada"}) == ["Ada", "You"]
    with use("fr"):
        assert player_names(["human", "level:3"]) == ["Rouge", "Niveau 3"]


@pytest.mark.parametrize(("spaces", "words"), [(1, "of at most 1 space?"), (2, "of at most 2 spaces?")])
def test_a_question_counts_in_the_singular_and_the_plural(spaces: int, words: str) -> None:
    state = scene("Hl Hl\nHl Hl", phase="council", money=5).state
    state["ask"], state["council_size"] = Ask.WHAT, spaces
    assert question(state, 0).asks.endswith(words)


def test_payments_are_whole_sentences() -> None:
    game = scene("Hl Hl\nHl Hl", phase="council", money=5, votes=5)
    game.step("row finance")
    said = {describe(game.state, int(action)) for action in game.legal()}
    assert said == {"pay $1 for column 1", "pay 1 vote for column 1"}
