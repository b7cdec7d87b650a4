"""The sentences of the reference cards that are in no table, with the numbers of the tables in them."""

from typing import Final

from smallcity_env.rules.tables import Row
from smallcity_env.rules.tables.expansions import (
    BEIJING_ADVANCES,
    CLEANED,
    DELHI_DEATHS,
    DELHI_FIRST,
    DELHI_LAST,
    FLOOD_MONEY,
    FLOOD_ROUNDS,
    HARBOR_RIVER,
    RIVER_MATERIALS,
    SEOUL_POLLUTION,
    TOKYO_RESIDUAL,
)
from smallcity_env.rules.tables.maps import Board

INTRODUCTION: Final = """# Reference cards

Every tile, action card, promise, council row, board and module of the game. This page is generated from the
tables the rules are compiled from (`python -m tests.docs_cards`), so it says what is played.

| mark | where a number or a text comes from |
|---|---|
| [S] | the rulebooks of Winter and Godzillas |
| [P] | public facts about the base game |
| [R] | reconstructed, since the base game's rulebook was not at hand; [a file](numbers.md) can replace it |

[The rules](rules.md) have the full text of every rule; [Learn the game](learn.md) explains the game itself.
"""
SECTIONS: Final = {
    "tiles": (
        "*Beside* means in the Influence Area: within one step, diagonals included. Tiles may be turned and "
        "mirrored. Positions written as text name a tile by the code in brackets. The mark after the "
        "number of spaces is the source of the shape; a tile of one space has only one shape. A home, shop, "
        "factory or park can be upgraded to a higher level of its family for the price of the added "
        "spaces."
    ),
    "cards": (
        "Each round every player takes one. The Physician and the Artist need the module `action_cards`, "
        "with which eight of the ten cards are laid out each round. With `godzillas` the Engineer may "
        f"instead remove {CLEANED} Radiation markers from your borough [S]."
    ),
    "promises": (
        "Before the first round you choose a worth, 6, 12 or 18 [P], and draw a secret promise from that "
        "pile. A kept promise adds its worth to your score, a broken one costs {costs} [R]. In the advanced "
        "game each player also gets a special promise. The mark in the last column is the source of the "
        "condition; which pile a promise lies in is always [R]."
    ),
    "council": (
        "In Phase 7 you may advance one of your two discs by one column, pay for the column and take its "
        "reward. Your discs never share a row."
    ),
    "boards": (
        "Each player has one. The pictures of the printed boards were not at hand: every layout is [R], "
        "within what the rulebooks say about it; what a terrain board or a city does is [S]. The framed "
        "square is the zone at the start."
    ),
    "modules": (
        "Each can be switched on alone, except that `promise_cards` needs `new_buildings`. All are for 1 to "
        "{players} players."
    ),
}
COUNCIL_WORDS: Final = {
    Row.FINANCE: "money",
    Row.SUPPLIES: "a material, stored at once",
    Row.CONSTRUCTION: "a free tile of at most that size; the only way to build a Police or Fire Station",
    Row.TOURISM: "citizens from the reserve, beyond your first fourteen",
}
_TERRAIN: Final = {
    "mountain": "Mountains cannot be built on; a factory space next to one also makes a stone.",
    "river": f"River spaces can be built on for {RIVER_MATERIALS} more {{}} each.",
}
_FLOODS: Final = f"{', '.join(map(str, FLOOD_ROUNDS[:-1]))} and {FLOOD_ROUNDS[-1]}"
BOARD_WORDS: Final = {
    Board.BASE_EASY: "Open plain.",
    Board.BASE_EXPERT: "Waste land here and there: it cannot be built on.",
    Board.MOUNTAIN_EASY: _TERRAIN["mountain"],
    Board.MOUNTAIN_EXPERT: _TERRAIN["mountain"],
    Board.RIVER_EASY: _TERRAIN["river"].format("wood"),
    Board.RIVER_EXPERT: _TERRAIN["river"].format("stone"),
    Board.SHANGHAI: "The port stores materials. Factory spaces beside it make two and pollute double.",
    Board.SEOUL: f"Four shops are there already; pollution starts at {SEOUL_POLLUTION}.",
    Board.HONG_KONG: "Two islands, with a factory and a shop already built.",
    Board.TOKYO: (
        "Parks belong in the Imperial Park and are built at level 1 only; citizens who visit them make "
        f"them grow. {TOKYO_RESIDUAL} pollution is added each round."
    ),
    Board.BEIJING: f"City Hall is printed. {BEIJING_ADVANCES} council advances each round, each paid for.",
    Board.BANGKOK: (
        f"Nothing is built on the flood plain in rounds {_FLOODS}; otherwise each of its spaces you cover "
        f"brings ${FLOOD_MONEY}. The Harbor covers {HARBOR_RIVER} river spaces."
    ),
    Board.DELHI: (
        "New homes lie on the marked spaces only. There is no pollution; "
        f"from round {DELHI_FIRST} to {DELHI_LAST}, {DELHI_DEATHS} citizen dies each round."
    ),
    Board.ULAANBAATAR: (
        "City Hall is printed. Each round the player with the most votes sends a Pilgrim to the Monastery, "
        "who works for you for a round."
    ),
}
