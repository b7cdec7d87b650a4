"""The colours of the pictures: families and seats also differ in lightness, for colour-blind readers."""

from typing import Final, NamedTuple

from ..rules.tables import SEATS, Family, every
from ..rules.tables.tiles import TILES, Kind

PAPER: Final = "#f3ede1"  # the table
CARD: Final = "#fffdf8"  # a panel on it
SHADE: Final = "#d9cfbd"  # the shadow and border of a panel
INK: Final = "#2c2a3a"
SOFT_INK: Final = "#7b7466"
FAINT: Final = "#b9b09d"
WHITE: Final = "#ffffff"
GOLD: Final = "#e0a526"
ALARM: Final = "#b3261e"

GROUND: Final = "#e9e3cc"
GRID: Final = "#d8d0b4"
VEIL: Final = "#cfc7ae"  # over what lies outside the zone
EDGE: Final = "#5a5340"  # the edge of the zone
WATER: Final = "#8fc4de"
WAVE: Final = "#b9dcec"
SEA: Final = "#7db4d2"
FLOOD: Final = "#d3e4cf"
ROCK: Final = "#9b978f"
ROCK_SHADE: Final = "#7f7b75"
SNOW: Final = "#f7f6f2"
WASTE: Final = "#cdb693"
DELHI: Final = "#f3cf9b"
IMPERIAL: Final = "#d6e3b4"

WOOD: Final = "#a9702f"
STONE: Final = "#8d9096"
METAL: Final = "#4d6f94"
MATERIAL_INKS: Final = (WOOD, STONE, METAL)


class Paint(NamedTuple):
    """The colours of a tile: its face, its outline and the art on it."""

    face: str
    line: str
    art: str


FAMILY_PAINTS: Final = {
    Family.RESIDENTIAL: Paint("#f4c95d", "#a87814", "#fff3d0"),
    Family.COMMERCIAL: Paint("#6aa6dc", "#255f96", "#e8f3fd"),
    Family.FACTORY: Paint("#8a5a4e", "#4e2c25", "#e9cfc4"),
    Family.PARK: Paint("#9fd08a", "#4c8a3b", "#3f7d38"),
}
HALL: Final = Paint("#fbf7ea", "#8a6d1f", "#c39a2f")
CULTURE: Final = Paint("#b58fc9", "#6a3f85", "#f6eafb")
SERVICE: Final = Paint("#e59a86", "#9c4430", "#fff0ea")
WORKS: Final = Paint("#c3b8a6", "#736752", "#5d523f")
WONDER: Final = Paint("#79bdb4", "#2c736a", "#eefaf7")

SEAT_FACES: Final = ("#d1495b", "#1f78b4", "#f2b705", "#6a3d9a")
SEAT_TEXTS: Final = (WHITE, WHITE, INK, WHITE)  # text readable on the seat's colour
SEAT_LINES: Final = ("#7f1d2b", "#0d426a", "#7c5c00", "#3a1c5c")

every(range(SEATS), range(min(map(len, (SEAT_FACES, SEAT_TEXTS, SEAT_LINES)))), "colours of seat")

_WONDERS = (Kind.BIG_BEN, Kind.OPERA, Kind.MONASTERY, Kind.BANK, Kind.TRAMWAY, Kind.RECYCLING)


def paint_of(kind: Kind) -> Paint:
    """The colours of a kind of tile."""
    row = TILES[kind]
    if kind is Kind.CITY_HALL:
        return HALL
    if row["family"] != Family.OTHER:
        return FAMILY_PAINTS[Family(int(row["family"]))]
    if row["cultural"]:
        return CULTURE
    if row["service"]:
        return SERVICE
    return WONDER if kind in _WONDERS else WORKS
