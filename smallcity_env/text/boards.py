"""What boards and council rows do, in words, with the numbers of the tables in force."""

from typing import Final

from ..rules.tables import CITIZENS, Row
from ..rules.tables.counted import counted, either
from ..rules.tables.expansions import (
    BEIJING_ADVANCES,
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
from ..rules.tables.maps import PRINTED, Board
from ..rules.tables.tiles import Kind

COUNCIL_WORDS: Final = {
    Row.FINANCE: "money",
    Row.SUPPLIES: "a material, stored at once",
    Row.CONSTRUCTION: "a free tile of at most that size; the only way to build a Police or Fire Station",
    Row.TOURISM: f"citizens from the reserve, beyond your first {CITIZENS}",
}
_TERRAIN: Final = {
    "mountain": "Mountains cannot be built on; a factory space next to one also makes a stone.",
    "river": f"River spaces can be built on for {RIVER_MATERIALS} more {{}} each.",
}
_FLOODS: Final = either(FLOOD_ROUNDS).replace(" or ", " and ")


def _printed(board: Board) -> int:
    """How many tiles are printed on a board."""
    return int((PRINTED[board, :, 0] != Kind.NONE).sum())


BOARD_WORDS: Final = {
    Board.BASE_EASY: "Open plain.",
    Board.BASE_EXPERT: "Waste land here and there: it cannot be built on.",
    Board.MOUNTAIN_EASY: _TERRAIN["mountain"],
    Board.MOUNTAIN_EXPERT: _TERRAIN["mountain"],
    Board.RIVER_EASY: _TERRAIN["river"].format("wood"),
    Board.RIVER_EXPERT: _TERRAIN["river"].format("stone"),
    Board.SHANGHAI: "The port stores materials. Factory spaces beside it make two and pollute double.",
    Board.SEOUL: f"{_printed(Board.SEOUL)} shops are there already; pollution starts at {SEOUL_POLLUTION}.",
    Board.HONG_KONG: "Two islands, with a factory and a shop already built.",
    Board.TOKYO: (
        "Parks belong in the Imperial Park and are built at level 1 only; citizens who visit them make "
        f"them grow. {TOKYO_RESIDUAL} pollution is added each round."
    ),
    Board.BEIJING: (
        f"City Hall is printed. {counted(BEIJING_ADVANCES, 'council advance')} each round, each paid for."
    ),
    Board.BANGKOK: (
        f"Nothing is built on the flood plain in rounds {_FLOODS}; otherwise each of its spaces you cover "
        f"brings ${FLOOD_MONEY}. The Harbor covers {counted(HARBOR_RIVER, 'river space')}."
    ),
    Board.DELHI: (
        f"New homes lie on the marked spaces only. There is no pollution; from round {DELHI_FIRST} to "
        f"{DELHI_LAST}, {counted(DELHI_DEATHS, 'death')} each round."
    ),
    Board.ULAANBAATAR: (
        "City Hall is printed. Each round the player with the most votes sends a Pilgrim to the Monastery, "
        "who works for you for a round."
    ),
}
