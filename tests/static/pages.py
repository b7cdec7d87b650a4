"""All that is drawn or written of positions: with numpy and with its stand-in, the same bytes."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from smallcity_agents.play.match import Match
from smallcity_agents.web import coach, guide, puzzles, setup, views
from smallcity_agents.web.replays import Replay
from smallcity_env import Config
from smallcity_env.game import Game
from smallcity_env.history import History
from smallcity_env.log import Log
from smallcity_env.render import poster
from smallcity_env.text import notation

PLAYERS = ["first", "second", "third", "fourth"]


def play(start: str, answers: list[int]) -> Iterator[Game]:
    """The positions of a game, from a saved one on."""
    game = Game.load(bytes.fromhex(start))
    yield game
    for answer in answers:
        game.step(answer)
        yield game


def pages(game: Game) -> Iterator[tuple[str, Any]]:
    """All there is to see of a position."""
    history = History()
    history.catch_up(game.log)
    for viewer in (None, -1, *range(game.config.players)):
        yield f"view of {viewer}", views.table_view(game, viewer, history, PLAYERS[: game.config.players])
    yield "picture", poster.svg(game.state)
    yield "position", notation.to_text(game.state)
    yield "text", str(game)
    if game.over:
        text = game.log.to_text()
        yield "log", text
        yield "replayed", Game.replay(Log.from_text(text)).save().hex()


def replayed(game: Game) -> Iterator[tuple[str, Any]]:
    """All there is to see of a game that is over."""
    replay = Replay(game.log)
    reviewed = replay.review(0)
    yield "review", reviewed
    costly = [one["number"] for one in reviewed["decisions"] if one["cost"]]
    for number in costly[::6]:
        yield f"decision {number}", replay.decision(0, number)
    yield "coach", coach.view(game, 0)
    yield "file", replay.html(None)
    yield "file of a seat", replay.html(0)


def taught() -> Iterator[tuple[str, Any]]:
    """The set-up, a guided first game and some puzzles."""
    yield "setup", setup.choices()
    yield "pieces", views.pieces()
    match = Match.begin(Game(Config(players=2), guide.SEED), ["human", guide.OPPONENT], 1)
    match.agents_answer()
    while not match.game.over:
        yield f"guide {len(match.game.log)}", guide.guide(match)
        legal = match.game.legal()
        match.answer(int(legal[len(legal) // 2]))
        match.agents_answer()
    for number in range(1, len(puzzles.shipped()), 100):
        yield f"puzzle {number}", puzzles.shown(number)
        for answer in [*puzzles.shipped()[number - 1].values][:2]:
            yield f"solution {number} {answer}", puzzles.solution(number, answer)


def hashed(page: Any) -> str:
    """A page in a few letters."""
    text = page if isinstance(page, str) else json.dumps(page)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def lines(games: list[Any], every: int = 20, advised: int = 90) -> Iterator[str]:
    """A line for each page of some positions of games, what the champion advises in a few, and the rest."""
    yield from (f"{name} {hashed(page)}" for name, page in taught())
    for number, game in enumerate(games):
        for n, position in enumerate(play(*game)):
            if n % every == 0 or position.over:
                for name, page in pages(position):
                    yield f"{number} {n} {name} {hashed(page)}"
            if position.over and number == 0:
                yield from (f"{number} {n} {name} {hashed(page)}" for name, page in replayed(position))
            if n % advised == advised - 1 and not position.over:
                yield f"{number} {n} {json.dumps(coach.hint(position))}"
