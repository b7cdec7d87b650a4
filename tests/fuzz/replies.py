"""Replies of language models and lines of bots: used, or refused in a sentence."""

import random
from functools import cache
from typing import Any

from smallcity_agents.llm.session import Session
from smallcity_agents.stdio import understood
from smallcity_env import Config
from smallcity_env.rules import actions

from ..agents.stub import GARBAGE, Stub
from .attempts import STRANGE, altered
from .texts import edited

EVERY = 300  # replies to one session
PIECES = (
    *GARBAGE,
    *map(str, STRANGE),
    *actions.ACTION_NAMES,
    "go C3-D4 rest",
    "go C3-1:A1",
    "? park",
    "hint",
    "save x",
)


@cache
def _sessions() -> list[Any]:
    return []


def _session(chance: random.Random) -> Session:
    """A game that is not over; a new one now and then."""
    sessions = _sessions()
    if not sessions or sessions[0].over or sessions[1] == 0:
        sessions[:] = [Session.begin(Config(2), ["first"], chance.randrange(10**6)), EVERY]
    sessions[1] -= 1
    game: Session = sessions[0]
    return game


def attempt(chance: random.Random) -> bool:
    """One reply, and one line of a bot; whether the reply was refused."""
    session = _session(chance)
    legal = session.match.game.legal().tolist()
    action, why = understood(altered({"answer": chance.choice(legal)}, chance), legal)
    assert action in legal or (why and "\n" not in why)
    parts = [chance.choice(PIECES) for _ in range(chance.choice((1, 1, 1, 3, 60)))]
    text = chance.choice((";", "\n", " answer: ")).join(parts)
    if chance.random() < 0.3:
        text = Stub(chance.randrange(10**6)).reply(session.message())
    if chance.random() < 0.3:
        text = edited(text + " x", chance)
    reply = session.reply(text)
    assert "\n" not in reply.refused and len(reply.refused) <= 400
    assert reply.used or reply.refused or reply.told
    return bool(reply.refused)
