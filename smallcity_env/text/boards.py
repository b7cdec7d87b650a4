"""What boards and council rows do, in words, with the numbers of the tables in force."""

from typing import Final

from ..language import lazy, lazy_n
from ..rules.tables import CITIZENS, Row
from ..rules.tables.counted import both
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
    Row.FINANCE: lazy("money"),
    Row.SUPPLIES: lazy("a material, stored at once"),
    Row.CONSTRUCTION: lazy(
        "a free tile of at most that size; the only way to build a Police or Fire Station"
    ),
    Row.TOURISM: lazy("citizens from the reserve, beyond your first {n}", n=CITIZENS),
}
_MOUNTAIN: Final = lazy("Mountains cannot be built on; a factory space next to one also makes a stone.")


def _printed(board: Board) -> int:
    """How many tiles are printed on a board."""
    return int((PRINTED[board, :, 0] != Kind.NONE).sum())


BOARD_WORDS: Final = {
    Board.BASE_EASY: lazy("Open plain."),
    Board.BASE_EXPERT: lazy("Waste land here and there: it cannot be built on."),
    Board.MOUNTAIN_EASY: _MOUNTAIN,
    Board.MOUNTAIN_EXPERT: _MOUNTAIN,
    Board.RIVER_EASY: lazy("River spaces can be built on for {n} more wood each.", n=RIVER_MATERIALS),
    Board.RIVER_EXPERT: lazy("River spaces can be built on for {n} more stone each.", n=RIVER_MATERIALS),
    Board.SHANGHAI: lazy("The port stores materials. Factory spaces beside it make two and pollute double."),
    Board.SEOUL: lazy(
        "{n} shops are there already; pollution starts at {pollution}.",
        n=_printed(Board.SEOUL),
        pollution=SEOUL_POLLUTION,
    ),
    Board.HONG_KONG: lazy("Two islands, with a factory and a shop already built."),
    Board.TOKYO: lazy(
        "Parks belong in the Imperial Park and are built at level 1 only; citizens who visit them make "
        "them grow. {n} pollution is added each round.",
        n=TOKYO_RESIDUAL,
    ),
    Board.BEIJING: lazy_n(
        "City Hall is printed. {n} council advance each round, each paid for.",
        "City Hall is printed. {n} council advances each round, each paid for.",
        BEIJING_ADVANCES,
    ),
    Board.BANGKOK: lazy_n(
        "Nothing is built on the flood plain in rounds {rounds}; otherwise each of its spaces you cover "
        "brings ${money}. The Harbor covers {n} river space.",
        "Nothing is built on the flood plain in rounds {rounds}; otherwise each of its spaces you cover "
        "brings ${money}. The Harbor covers {n} river spaces.",
        HARBOR_RIVER,
        rounds=both(FLOOD_ROUNDS),
        money=FLOOD_MONEY,
    ),
    Board.DELHI: lazy_n(
        "New homes lie on the marked spaces only. There is no pollution; from round {first} to {last}, "
        "{n} death each round.",
        "New homes lie on the marked spaces only. There is no pollution; from round {first} to {last}, "
        "{n} deaths each round.",
        DELHI_DEATHS,
        first=DELHI_FIRST,
        last=DELHI_LAST,
    ),
    Board.ULAANBAATAR: lazy(
        "City Hall is printed. Each round the player with the most votes sends a Pilgrim to the Monastery, "
        "who works for you for a round."
    ),
}
