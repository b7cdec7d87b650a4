"""What a piece of the game is, by its name: a tile, an action card, a promise."""

from collections.abc import Iterator

from smallcity_env.rules import actions
from smallcity_env.rules.tables.cards import CARD_NAMES
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.tiles import NAMES
from smallcity_env.text import pieces

from .parser import ParseError
from .questions import CARDS
from .turn import Turn
from .view import promise_words


def explained(asked: Turn, text: str) -> list[str]:
    """A line for each piece a text means, and why a tile cannot be built now; refuses an unknown name."""
    word = text.strip().lower().removeprefix("build ").removeprefix("card ").replace(" ", "-")
    lines = [*_tiles(asked, word), *_cards(word), *_promises(word)] if word else []
    if not lines:
        raise ParseError(f"there is no piece {text.strip()!r}: name one like park-1, museum or architect")
    return lines


def _tiles(asked: Turn, word: str) -> Iterator[str]:
    """The tiles whose names begin so."""
    for kind in (kind for kind, name in NAMES.items() if kind and name.startswith(word)):
        yield pieces.about(kind)
        ids = (actions.BUILD_ID[kind], actions.UPGRADE_ID[kind])
        yield from (f"  {no.name}: not now, {no.reason}" for no in asked.refused if no.action in ids)


def _cards(word: str) -> Iterator[str]:
    """The action cards whose names begin so."""
    for card in (card for card, name in CARD_NAMES.items() if name.startswith(word)):
        yield f"{CARD_NAMES[card].title()}, an action card: {CARDS[card]}."


def _promises(word: str) -> Iterator[str]:
    """The promises whose names begin so."""
    for promise in BY_NUMBER.values():
        if promise.name.lower().replace(" ", "-").startswith(word):
            yield f"{promise_words(promise)}."
