"""What a piece of the game is, by its name: a tile, an action card, a promise."""

from collections.abc import Iterator

from smallcity_env.language import _
from smallcity_env.rules import actions
from smallcity_env.rules.tables.cards import CARD_NAMES
from smallcity_env.rules.tables.names import card_name
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.tiles import NAMES
from smallcity_env.text import pieces
from smallcity_env.text.wording import normalised

from .parser import ParseError
from .questions import CARDS
from .turn import Turn
from .view import promise_words


def explained(asked: Turn, text: str) -> list[str]:
    """A line for each piece a text means, and why a tile cannot be built now; refuses an unknown name."""
    word = normalised(text).removeprefix("build ").removeprefix("card ")
    lines = [*_tiles(asked, word), *_cards(word), *_promises(word)] if word else []
    if not lines:
        name = repr(text.strip())
        raise ParseError(_("there is no piece {name}: name one like park-1, museum or architect", name=name))
    return lines


def _named(word: str, *names: str) -> bool:
    """Whether a name begins so, with hyphens or blanks."""
    wanted = word.replace("-", " ")
    return any(normalised(name).replace("-", " ").startswith(wanted) for name in names)


def _tiles(asked: Turn, word: str) -> Iterator[str]:
    """The tiles whose names begin so."""
    for kind in (kind for kind, name in NAMES.items() if kind and _named(word, name, pieces.title(kind))):
        yield pieces.about(kind)
        ids = (actions.BUILD_ID[kind], actions.UPGRADE_ID[kind])
        for no in (no for no in asked.refused if no.action in ids):
            yield "  " + _("{name}: not now, {reason}", name=no.name, reason=no.reason)


def _cards(word: str) -> Iterator[str]:
    """The action cards whose names begin so."""
    for card in (card for card, name in CARD_NAMES.items() if _named(word, name, card_name(card))):
        yield _("{card}, an action card: {effect}.", card=card_name(card).title(), effect=CARDS[card])


def _promises(word: str) -> Iterator[str]:
    """The promises whose names begin so."""
    for promise in BY_NUMBER.values():
        if _named(word, promise.name.message, str(promise.name)):
            yield f"{promise_words(promise)}."
