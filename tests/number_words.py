"""Everything a person reads that tells numbers, by the numbers in force: python -m tests.number_words."""

import json
import re
from difflib import SequenceMatcher
from typing import Final

from smallcity_agents.play import repl, view
from smallcity_agents.play.questions import _COUNCIL_BUILD, CARDS
from smallcity_env import Config, Game, show
from smallcity_env.rules.modules import ABOUT
from smallcity_env.rules.phases import QUESTION
from smallcity_env.rules.tables import COLUMNS, Row
from smallcity_env.rules.tables.promises import PROMISES
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.text import pieces
from tests import docs_cards

NUMBER: Final = re.compile(
    r"\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen", re.IGNORECASE
)  # `one` is an article too


def words_of(text: str) -> list[str]:
    """The words and numbers of a text."""
    return re.findall(r"\d+|[A-Za-z]+|\S", text)


def unchanged(before: str, after: str) -> set[str]:
    """The numbers that two texts share, each with the word before and after it."""
    old, new = words_of(before), words_of(after)
    shared = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    places = [i for block in shared for i in range(block.a, block.a + block.size)]
    return {" ".join(old[max(i - 1, 0) : i + 2]) for i in places if NUMBER.fullmatch(old[i])}


def texts() -> dict[str, str]:
    """Every text, by what it is about."""
    game = Game(Config(4))
    told = {
        "council build": " ".join(map(str, _COUNCIL_BUILD)),
        "cards": "\n".join(map(str, CARDS.values())),
        "modules": "\n".join(map(str, ABOUT.values())),
        "scale": "\n".join(repl._scale_lines("")),
        "columns": view.council_lines(game.state, 0, 999, show.Ink())[0],
        "shops": "\n".join(shop.fill(tile="") for shop in view.SHOPS),
        "reference cards": docs_cards.page(),
        "council board": docs_cards.pictures()["council"].partition("City Council")[2].partition("</svg")[0],
    }
    told["council board"] = "\n".join(re.findall(r">(costs [^<]+|\$[^<]+)<", told["council board"]))
    told |= {f"{row.name} {n}": view.reward(row, n) for row in Row for n in range(1, COLUMNS + 1)}
    told |= {f"tile {kind.name}": pieces.about(kind) for kind in Kind if kind}
    told |= {f"promise {promise.number}": view.promise_words(promise) for promise in PROMISES}
    for row in QUESTION.values():
        words = (row.brief, row.asks, row.help, row.at, row.yes, row.no)
        told[f"question {row.ask.name}"] = re.sub(r"\{\w+\}", "", "\n".join(map(str, words)))
    return told


if __name__ == "__main__":
    print(json.dumps(texts()))
