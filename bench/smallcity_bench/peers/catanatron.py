"""catanatron: Settlers of Catan in Python, with four random players.

A run is a whole game by its own `Game.play` and `RandomPlayer`. Every answer counts as a decision, even a
forced one (its log does not distinguish them); their share is estimated beforehand from a few games.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from ..measure import AMONG, Case, Ready, Tally

SAMPLE: Final = 4  # games in which forced answers are counted


def cases() -> list[Case]:
    """Four random players."""
    counts = "whole games by Game.play; forced answers count as decisions"
    what = "catanatron, 4 random players"
    return [Case("catanatron", "catanatron", what, counts, _prepare, forced=AMONG, needs=("catanatron",))]


def _new_game() -> Any:
    catan = import_module("catanatron")
    return catan.Game([catan.RandomPlayer(color) for color in catan.Color])


def _prepare() -> Ready:
    share = _forced_share()

    def run() -> Any:
        game = _new_game()
        game.play()
        return game

    def tally(game: Any) -> Tally:
        answers = len(game.state.actions)
        return Tally(answers, round(share * answers), 1)

    return Ready(run, tally)


def _forced_share() -> float:
    """The share of forced answers."""
    answers: list[int] = []

    def decide(player: Any, game: Any, actions: Sequence[Any]) -> Any:
        answers.append(len(actions))
        return player.decide(game, actions)

    for _ in range(SAMPLE):
        _new_game().play(decide_fn=decide)
    return answers.count(1) / len(answers)
