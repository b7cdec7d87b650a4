"""All that is drawn or written of positions: with numpy and with its stand-in, the same bytes."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from smallcity_agents.play import review
from smallcity_agents.web import coach, views
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


def lines(games: list[Any], every: int = 20, advised: int = 90) -> Iterator[str]:
    """A line for each page of some positions of games, and for what the champion advises in a few."""
    for number, game in enumerate(games):
        for n, position in enumerate(play(*game)):
            if n % every == 0 or position.over:
                for name, page in pages(position):
                    text = page if isinstance(page, str) else json.dumps(page)
                    yield f"{number} {n} {name} {hashlib.sha256(text.encode()).hexdigest()[:16]}"
            if position.over and number == 0:
                yield f"{number} {n} {json.dumps([vars(one) for one in review.decisions(position.log, 0)])}"
            if n % advised == advised - 1 and not position.over:
                yield f"{number} {n} {json.dumps(coach.hint(position))}"
