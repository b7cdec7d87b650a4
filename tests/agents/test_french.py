"""Whole games in French, at the terminal and for language models, without an English word."""

import re

import pytest

from smallcity_agents.llm.session import Session
from smallcity_env.config import MODULES, Config
from smallcity_env.language import use
from tests.catalogue import english_words, words
from tests.interpreter import run_python

COMMANDS = ("aide", "?", "plateau", "conseil", "tableau", "journal", "? banque", "auto", "zut", "99")


def english(text: str) -> list[str]:
    """The lines of a text with an English word; names in backquotes can be typed in every language."""
    lines = (re.sub(r"^[> ]+\w+ {2,}(?=\S)", "", line) for line in text.splitlines())
    return [line for line in lines if words([line]) & english_words()]


@pytest.mark.parametrize("modules, boards", [("godzillas", "base-easy"), ("all", "river-easy,tokyo,bangkok")])
def test_a_game_at_the_terminal(modules: str, boards: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    save = tmp_path_factory.mktemp("french") / "game.save"
    words = ["play", "--lang", "fr", "--seed", "5", "--modules", modules, "--boards", boards, "--rounds", "3"]
    words += ["--opponents", "greedy" if boards == "base-easy" else "greedy,greedy", "--save", str(save)]
    typed = [*COMMANDS, *["1"] * 60, *COMMANDS, *["1"] * 800]
    told = run_python("-m", "smallcity_env", *words, stdin="\n".join(typed))
    assert "La partie est finie" in told and "Tour 3" in told
    assert english(told) == []


def test_a_seat_in_words_for_models() -> None:
    with use("fr"):
        session = Session.begin(Config(3, MODULES, rounds=2), ["greedy", "greedy"], 4)
        told = [session.rules, session.message(), session.explain(), session.explain("musée")]
        while not session.over:
            told += [session.reply("1").refused, session.message()]
        told += [session.table(), session.reply("construire parc 1").refused]
    assert english("\n".join(told)) == []


def test_what_is_shown_in_french_can_be_typed() -> None:
    with use("fr"):
        session = Session.begin(Config(2), ["greedy"], 3)
        for answer in ("B2", "promesse 12", "carte architecte", "construire parc 1"):
            assert session.reply(answer).refused == "", answer
        assert session.reply("réponse: a1; ne plus construire").refused == ""
