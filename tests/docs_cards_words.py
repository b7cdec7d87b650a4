"""The sentences of the reference cards that are in no table, with the numbers of the tables in them."""

from typing import Final

from smallcity_env.rules.modules.action_cards import TEN
from smallcity_env.rules.tables import ADVANCES, DISCS
from smallcity_env.rules.tables.cards import BASE_CARDS, DIFFICULTIES, SPECIAL_BROKEN
from smallcity_env.rules.tables.counted import counted, either
from smallcity_env.rules.tables.expansions import CLEANED

INTRODUCTION: Final = """# Reference cards

Every tile, action card, promise, council row, board and module of the game, from the tables the rules are
compiled from (`python -m tests.docs_cards`).

| mark | where a number or a text comes from |
|---|---|
| [S] | the rulebooks of Winter and Godzillas |
| [P] | public facts about the base game |
| [R] | reconstructed, since we did not have the base game's rulebook; [a file](numbers.md) can replace it |

[Learn the game](learn.md) explains the game, [the rules](rules.md) have every detail.
"""
SECTIONS: Final = {
    "tiles": (
        "*Beside* means in the Influence Area: within one step, diagonals included. Tiles may be turned and "
        "mirrored. The code in brackets names a tile in positions written as text, the mark after the number "
        "of spaces is the source of the shape. A home, shop, factory or park can be upgraded to a higher "
        "level of its family for the price of the added spaces."
    ),
    "cards": (
        "Each round every player takes one. The Physician and the Artist need the module `action_cards`, "
        f"with which {BASE_CARDS} of the {len(TEN)} cards are laid out each round. With `godzillas` the "
        f"Engineer may instead remove {counted(CLEANED, 'Radiation marker')} from your borough [S]."
    ),
    "promises": (
        f"Before the first round you choose a worth, {either(DIFFICULTIES)} [P], and draw a secret promise "
        "from that pile. A kept promise adds its worth to your score, a broken one costs {costs} [R]. In the "
        f"advanced game each player also gets a special promise; broken it costs {SPECIAL_BROKEN} [R]. The "
        "mark in the last column is the source of the condition; which pile a promise lies in is always [R]."
    ),
    "council": (
        f"You have {counted(DISCS, 'disc')}. In Phase 7 you may make {counted(ADVANCES, 'advance')}: a disc "
        "moves one column on, you pay for the column and take its reward. Your discs never share a row."
    ),
    "boards": (
        "Each player has one. We did not have pictures of the printed boards: every layout is [R], within "
        "what the rulebooks say about it; what a terrain board or a city does is [S]. The framed square is "
        "the zone at the start."
    ),
    "modules": (
        "Each can be switched on alone, except that `promise_cards` needs `new_buildings`. All are for 1 to "
        "{players} players."
    ),
}
