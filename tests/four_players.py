"""Four-player games, answer by answer, in what does not depend on the number of seats of the record.

python -m tests.four_players      # one line a game: a hash of positions, questions, answers and scores
"""

import hashlib

import numpy as np

from smallcity_env import MODULES, Config, Game
from smallcity_env.rules import actions
from smallcity_env.text.wording import question

GAMES = {
    "plain": Config(4, ()),
    "modules": Config(4, tuple(MODULES), advanced=True, stockholm=True),
    "cities": Config(4, tuple(MODULES), ("shanghai", "tokyo", "bangkok", "ulaanbaatar")),
    "terrain": Config(4, ("godzillas",), ("mountain-easy", "river-expert", "base-expert", "river-easy"),
                      godzilla_rules="2016"),
}  # fmt: skip


def told(game: Game) -> str:
    """A position, its question and the legal answers in words, and the scores so far."""
    legal = [actions.name(int(action)) for action in game.legal()]
    return f"{game.to_text()}\n{question(game.state)}\n{legal}\n{game.scores()}\n"


def played(config: Config, seed: int) -> str:
    """A hash of a whole game of random answers."""
    game, chance, whole = Game(config, seed), np.random.default_rng(seed), hashlib.sha256()
    while not game.over:
        whole.update(told(game).encode())
        legal = game.legal()
        game.step(int(legal[chance.integers(len(legal))]))
    whole.update(f"{game.to_text()}\n{game.scores()}\n{game.ranking()}".encode())
    return whole.hexdigest()


if __name__ == "__main__":
    for number, (name, config) in enumerate(GAMES.items()):
        print(name, played(config, number))
