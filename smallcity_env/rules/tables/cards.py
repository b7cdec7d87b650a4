"""Action cards, the council board, what things are worth."""

from typing import Final

import numpy as np

from ...language import lazy
from ..numbers import Whole, Wholes, Words, number
from . import COLUMNS, MATERIALS, Card, Material
from .modules import CARDS, number_of

CARD_NAMES: Final = {card: card.name.lower() for card in Card if card}
ALL_CARDS = len(CARD_NAMES)
MODULE = np.zeros(ALL_CARDS + 1, np.int64)  # by card: the number of its module
for _name, _module in CARDS.items():
    MODULE[Card[_name]] = number_of(_module)
BASE_CARDS = int((MODULE[1:] == 0).sum())
MEDIATOR_SAVES = number("cards.mediator", 1, "P1.3 [P] money, on every build that costs money", Whole(0, 20))
SUPPORT_MONEY = number("cards.supporter_money", 1, "P1.3 [P] the Supporter: money", Whole(0, 50))
SUPPORT_VOTES = number("cards.supporter_votes", 2, "P1.3 [P] ... or votes", Whole(0, 50))
LEAST_PRICE = number("cards.least_price", 1, "P1.3 [P] that savings leave of a price", Whole(0, 1))

_THE_MATERIALS = tuple(material.name.lower() for material in Material)


def _row(key: str, standard: tuple[int, ...], note: str, kind: Wholes | Words, left: int = 0) -> np.ndarray:
    """A row of the council board by column; a disc left of it is in column 0."""
    return np.array([left, *number(f"council.{key}", standard, note, kind)])


ADVANCE_COST = _row("cost", (1, 2, 3, 4), "P7.2 [R] money or votes, by column", Wholes(COLUMNS, 0, 50))
FINANCE = _row("finance", (3, 4, 6, 8), "P7.4 [R] money", Wholes(COLUMNS, 0, 50))
SUPPLIES = _row("supplies", (0, 1, 1, 2), "P7.4 [R] the material", Words(COLUMNS, _THE_MATERIALS), left=-1)
CONSTRUCTION = _row("construction", (1, 2, 3, 4), "P7.5 [P] spaces of the tile built", Wholes(COLUMNS, 1, 9))
TOURISM = _row("tourism", (1, 1, 2, 2), "P7.6 [S] citizens", Wholes(COLUMNS, 0, 9))

_TRADE = Wholes(MATERIALS, 0, 20)
TRADE_MONEY = np.array(number("money.trade", (2, 3, 5), "P4.2 [S] space b: wood, stone, metal", _TRADE))
TRADE_VOTES = np.array(number("votes.trade", (3, 5, 7), "P4.2 [S] space d: wood, stone, metal", _TRADE))

_RISING = Wholes(3, 1, 500, rising=True)
DIFFICULTIES = number("promises.worth", (6, 12, 18), "SU3 [P] a promise of pile 1, 2, 3", _RISING)
WORTH = np.array(DIFFICULTIES)
BROKEN = np.array(number("promises.broken", (3, 4, 5), "E1 [R] what a broken one costs", Wholes(3, 0, 500)))
SPECIAL_WORTH = number("promises.special_worth", 10, "E1 [R] a special promise", Whole(1, 500))
SPECIAL_BROKEN = number("promises.special_broken", 3, "E1 [R] a broken one", Whole(0, 500))

_TITLES = (
    lazy("Clerk"), lazy("Councillor"), lazy("Deputy"), lazy("Mayor"), lazy("Governor"), lazy("Legend"),
)  # fmt: skip
_LEAST = number(
    "scores.solo",
    (0, 10, 45, 65, 90, 100),
    f"SO1 [R] {', '.join(title.message for title in _TITLES)} begin at these points",
    Wholes(len(_TITLES), 0, 10_000, rising=True),
)
SCALE: Final = tuple(zip(_LEAST, _TITLES, strict=True))
RECALLED: Final = lazy("Recalled")  # SO1: below the first title, or eliminated

_WORTH = Whole(0, 50)
STORED_WORTH = np.array(
    number("scores.stored", (2, 3, 5), "AD1 [R] Economics: a stored wood, stone, metal", Wholes(3, 0, 50))
)
COMMERCIAL_WORTH = number("scores.commercial", 3, "AD1 [R] Economics: a commercial space", _WORTH)
FACTORY_WORTH = number("scores.factory", 2, "AD1 [R] Economics: a factory space", _WORTH)
CITIZEN_WORTH = number("scores.citizen", 5, "AD1 [R] Population: a living citizen", _WORTH)
HOME_WORTH = number("scores.home", 1, "AD1 [R] Population: a residential space", _WORTH)
CULTURAL_WORTH = number("scores.cultural", 8, "AD1 [R] Culture: a cultural building", _WORTH)
SERVICE_WORTH = number("scores.service", 4, "AD1 [R] Culture: a service building", _WORTH)
REAL_WORTH = number("scores.real", 8, "AD1 [R] Culture: Big Ben, Opera House", _WORTH)
