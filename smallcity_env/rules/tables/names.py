"""What people call the things of the game. Names that can be typed are the enums' own, in lower case."""

from typing import Final

from ...language import ENGLISH, Text, _, current, lazy
from . import Card, Material, Phase, Row, Victory, Way
from .declare import Family
from .maps import NAMES as BOARD_IDS
from .maps import Board
from .tiles import NAMES, ROWS, TILES, Kind

MATERIAL_NAMES: Final = {
    Material.WOOD: lazy("wood"), Material.STONE: lazy("stone"), Material.METAL: lazy("metal"),
}  # fmt: skip
ROW_NAMES: Final = {
    Row.FINANCE: lazy("finance"),
    Row.SUPPLIES: lazy("supplies"),
    Row.CONSTRUCTION: lazy("construction"),
    Row.TOURISM: lazy("tourism"),
}
WAY_NAMES: Final = {
    Way.NORTH: lazy("north"), Way.EAST: lazy("east"), Way.SOUTH: lazy("south"), Way.WEST: lazy("west"),
}  # fmt: skip
VICTORY_NAMES: Final = {victory: Text(victory.name.lower()) for victory in Victory} | {
    Victory.VOTES: lazy("votes"),
    Victory.ECONOMICS: lazy("economics"),
    Victory.POPULATION: lazy("population"),
    Victory.CULTURE: lazy("culture"),
}
PHASE_NAMES: Final = {
    Phase.SETUP: lazy("setup"),
    Phase.SELECT: lazy("select"),
    Phase.BUILD: lazy("build"),
    Phase.MOVE: lazy("move"),
    Phase.INCOME: lazy("income"),
    Phase.VOTE: lazy("vote"),
    Phase.POLLUTION: lazy("pollution"),
    Phase.COUNCIL: lazy("council"),
    Phase.VISIT: lazy("visit"),
    Phase.OVER: lazy("over"),
}
MODULE_TITLES: Final = {
    "godzillas": lazy("Godzillas"),
    "doctors": lazy("Doctors"),
    "mayor": lazy("Mayor variant"),
    "action_cards": lazy("New action cards"),
    "promise_cards": lazy("New promise cards"),
    "new_buildings": lazy("New buildings"),
    "real_buildings": lazy("Real buildings"),
    "power_plants": lazy("Power plants"),
}
_CARDS: Final = {
    Card.MAYOR: lazy("mayor"),
    Card.ARCHITECT: lazy("architect"),
    Card.MEDIATOR: lazy("mediator"),
    Card.ENGINEER: lazy("engineer"),
    Card.SUPPORTER: lazy("supporter"),
    Card.PLANNER: lazy("planner"),
    Card.COUNCILOR: lazy("councilor"),
    Card.OPPONENT: lazy("opponent"),
    Card.PHYSICIAN: lazy("physician"),
    Card.ARTIST: lazy("artist"),
}
_BOARDS: Final = {
    Board.BASE_EASY: lazy("Plain, easy"),
    Board.BASE_EXPERT: lazy("Plain, expert"),
    Board.MOUNTAIN_EASY: lazy("Mountain, easy"),
    Board.MOUNTAIN_EXPERT: lazy("Mountain, expert"),
    Board.RIVER_EASY: lazy("River, easy"),
    Board.RIVER_EXPERT: lazy("River, expert"),
    Board.SEOUL: lazy("Seoul"),
}
_FAMILIES: Final = {
    Family.RESIDENTIAL: lazy("Residential {level}"),
    Family.COMMERCIAL: lazy("Commercial {level}"),
    Family.FACTORY: lazy("Factory {level}"),
    Family.PARK: lazy("Park {level}"),
}
_TITLES: Final = {
    Kind.WAREHOUSE: lazy("Warehouse"),
    Kind.REFINERY: lazy("Refinery"),
    Kind.HARBOR: lazy("Harbor"),
    Kind.SCHOOL: lazy("School"),
    Kind.LIBRARY: lazy("Library"),
    Kind.MUSEUM: lazy("Museum"),
    Kind.METRO: lazy("Metro Station"),
    Kind.CLINIC: lazy("Clinic"),
    Kind.UNIVERSITY: lazy("University"),
    Kind.POLICE: lazy("Police Station"),
    Kind.FIRE: lazy("Fire Station"),
    Kind.CITY_HALL: lazy("City Hall"),
    Kind.PORT: lazy("Port"),
    Kind.MONASTERY: lazy("Monastery"),
    Kind.AIRPORT_8: lazy("Airport 8"),
    Kind.AIRPORT_9: lazy("Airport 9"),
    Kind.BANK: lazy("Bank"),
    Kind.BIG_BEN: lazy("Big Ben"),
    **{tile.kind: tile.title for tile in ROWS if tile.title},
}


def tile_title(kind: Kind) -> str:
    """A tile as a heading: Park 1."""
    family = Family(int(TILES[kind]["family"]))
    if family in _FAMILIES:
        return _FAMILIES[family].fill(level=TILES[kind]["level"])
    return str(_TITLES.get(kind) or NAMES[kind].replace("-", " ").title())


def tile_name(kind: Kind) -> str:
    """A tile in a sentence: in English as it can be typed, elsewhere its title."""
    return NAMES[kind] if current() == ENGLISH else tile_title(kind)


def board_title(board: Board) -> str:
    """A board as a heading: River, easy."""
    return str(_BOARDS.get(board) or BOARD_IDS[board].replace("-", " ").title())


def board_name(board: Board) -> str:
    """A board in a sentence: in English as it can be typed, elsewhere its title."""
    return BOARD_IDS[board] if current() == ENGLISH else board_title(board)


def module_name(module: str) -> str:
    """A module in a sentence: in English as it can be typed, elsewhere its title."""
    return module if current() == ENGLISH else str(MODULE_TITLES.get(module, module))


def dollars(n: int) -> str:
    """An amount of money."""
    return _("${n}", n=n)


def card_name(card: Card) -> str:
    """An action card, in lower case."""
    return str(_CARDS.get(card) or card.name.lower())
