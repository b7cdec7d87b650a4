"""Action cards, the council board, what things are worth."""

from typing import Final

import numpy as np

from . import Card

CARD_NAMES: Final = {card: card.name.lower() for card in Card if card}
BASE_CARDS = 8  # A-H; with the new action cards 8 of ten are laid out
ALL_CARDS = 10
MEDIATOR_SAVES = 1  # P1.3 C
LEAST_PRICE = 1  # that a saving leaves of a build (P1.3 C, NB2)
SUPPORT_MONEY = 1  # P1.3 E
SUPPORT_VOTES = 2

ADVANCE_COST = np.array([0, 1, 2, 3, 4])  # by column (P7.2)
FINANCE = np.array([0, 3, 5, 7, 9])  # money (P7.4)
SUPPLIES = np.array([-1, 0, 0, 1, 2])  # the material: wood, wood, stone, metal
CONSTRUCTION = np.array([0, 1, 2, 3, 4])  # spaces of the tile built free (P7.5)
TOURISM = np.array([0, 1, 1, 2, 2])  # citizens (P7.6)

TRADE_MONEY = np.array([2, 3, 5])  # P4.2 b: wood, stone, metal
TRADE_VOTES = np.array([3, 5, 7])  # P4.2 d

DIFFICULTIES = (6, 12, 18)  # SU3
WORTH = np.array(DIFFICULTIES)
BROKEN = np.array([2, 4, 6])  # E1, by difficulty
SPECIAL_WORTH = 10
SPECIAL_BROKEN = 3

SCALE: Final = (
    (0, "Clerk"), (20, "Councillor"), (40, "Deputy"),
    (60, "Mayor"), (80, "Governor"), (100, "Legend"),
)  # fmt: skip
RECALLED: Final = "Recalled"  # SO1: below 0, or eliminated

STORED_WORTH = np.array([2, 3, 5])  # AD1 Economics, a stored wood, stone, metal
COMMERCIAL_WORTH = 3
FACTORY_WORTH = 2
CITIZEN_WORTH = 5  # AD1 Population
HOME_WORTH = 1
CULTURAL_WORTH = 8  # AD1 Culture
SERVICE_WORTH = 4
REAL_WORTH = 8
