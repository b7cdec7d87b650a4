"""Saved games of `smallcity play` and `smallcity web`: refused, or a game that goes on."""

import json
import random
import tempfile
from functools import cache
from pathlib import Path

from smallcity_agents.play.match import MAGIC, Match
from smallcity_env import Config, Game

from .attempts import altered, damaged, refused

FILE = Path(tempfile.mkdtemp()) / "play.save"
NAMES = ["human", "first", "human"]


@cache
def _save(players: int) -> bytes:
    """A game with some answers."""
    match = Match.begin(Game(Config(players=players), seed=1), NAMES[:players], 1)
    for _ in range(6):
        match.agents_answer()
        match.answer(int(match.game.legal()[0]))
    return match.to_bytes()


def attempt(chance: random.Random) -> bool:
    """Alter the players, or damage anything."""
    data = _save(chance.choice((1, 2, 3)))
    if chance.random() < 0.2:
        FILE.write_bytes(damaged(data, chance))
    else:
        about, _, game = data[len(MAGIC) :].partition(b"\n")
        made = altered(json.loads(about), chance)
        FILE.write_bytes(MAGIC + json.dumps(made).encode() + b"\n" + game)
    read: list[Match] = []
    if refused(lambda: read.append(Match.load(FILE))):
        return True
    match = read[0]
    assert match.undone() is not None
    match.agents_answer()
    if not match.game.over:
        match.answer(int(match.game.legal()[0]))
    return False
