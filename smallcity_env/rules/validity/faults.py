"""What can be wrong with a record, and the sentence for each fault."""

from enum import IntEnum
from typing import Any, Final

from ..limits import sentence
from ..tables import CITIZENS, COLUMNS, DISCS, ELIMINATED_AT, POWER_ROUNDS, RESERVE, ROUNDS, Card, every
from ..tables.cards import CARD_NAMES
from ..tables.expansions import MARKERS
from ..tables.tiles import NAMES as TILE_NAMES
from ..tables.tiles import Kind


class Fault(IntEnum):
    """What can be wrong with a record."""

    NONE = 0
    RANGE = 1
    ROUNDS = 2
    NOBODY = 3
    SHOWN = 4
    TILE = 5
    TABLES = 6
    ZONE = 7
    HALL = 8
    PRINTED = 9
    OUT = 10
    HOSTS = 11
    GOODS = 12
    PEOPLE = 13
    MATERIALS = 14
    GROUND = 15
    COUNCIL = 16
    CITIZENS = 17
    SUPPLY = 18
    TOOK = 19
    PLANTS = 20
    MARKERS = 21
    GODZILLAS = 22
    DOCTORS = 23
    CARDS = 24
    ROUND = 25
    TURN = 26
    QUESTION = 27
    BUILD = 28
    WAITING = 29
    PILGRIM = 30
    ANSWER = 31


FAULTS: Final = {  # {0}: the seat or kind it is about
    Fault.ROUNDS: f"rounds must be 1 to {ROUNDS}, or to {POWER_ROUNDS} with power plants",
    Fault.NOBODY: "borough {0} must be empty, because nobody sits there",
    Fault.SHOWN: "shown {0} must be the borough before its secret builds, and empty at any other time",
    Fault.TILE: "borough {0} has a tile of no kind, off the map, the wrong way round or over another",
    Fault.TABLES: "borough {0} must list the tiles that stand in it, and no others",
    Fault.ZONE: "the zone of borough {0} must be the land of its size and what tiles cover",
    Fault.PRINTED: "borough {0} must have the tiles printed on its board that nothing replaces",
    Fault.HALL: "borough {0} must have one City Hall",
    Fault.PEOPLE: "borough {0} has a citizen where nobody can be, or two on a space",
    Fault.MATERIALS: "borough {0} has a material where none can lie, or two on a space",
    Fault.GROUND: "borough {0} has a grave, a marker, a godzilla or the Mayor where it cannot be",
    Fault.COUNCIL: f"seat {{0}} must have at most {DISCS} discs on the council, in columns 1 to {COLUMNS}",
    Fault.CITIZENS: f"seat {{0}} must have {CITIZENS + RESERVE} citizens, the dead and the reserve included",
    Fault.SUPPLY: "the supply of {0} and those that stand must add up to all there are",
    Fault.TOOK: "seat {0} must have taken what stands behind the screen and was not shown",
    Fault.PLANTS: "seat {0} must have plants above as many columns as they power",
    Fault.MARKERS: f"there must be {MARKERS} Radiation markers with the godzillas, none without",
    Fault.GODZILLAS: "the godzillas in the supply and in the boroughs must add up",
    Fault.DOCTORS: "the Doctors in the supply and in Clinics must add up",
    Fault.CARDS: "the card {0} must be in one place: in the circle or with one player",
    Fault.OUT: f"seat {{0}} must be out at {ELIMINATED_AT} pollution, without Tourists, and not before",
    Fault.HOSTS: "only while godzillas walk there are hosts and dice, at most one host for each godzilla",
    Fault.ROUND: "the round must be 0 in the set-up, and 1 to the last one after it",
    Fault.TURN: "seat, turn, part and stage must fit the phase, and the seat must be in the game",
    Fault.QUESTION: "the question must be one of this phase, put to the seat whose turn it is",
    Fault.BUILD: "the build under way must be one that the player can pay for and finish",
    Fault.GOODS: "products must be waiting only while they are made or given, those from abroad in Phase 4",
    Fault.WAITING: "who is waiting in borough {0} must stand there, and the spaces open to them must be free",
    Fault.PILGRIM: "the Pilgrim must stand in Ulaanbaatar",
    Fault.ANSWER: "the question must have a legal answer",
}
every(set(Fault) - {Fault.NONE, Fault.RANGE}, FAULTS, "sentence")


def in_words(words: Any, fault: int, about: int) -> str:
    """What is wrong with a record, given as int16."""
    if fault == Fault.RANGE:
        return sentence(about, int(words[about]))
    if fault == Fault.SUPPLY:
        return FAULTS[Fault.SUPPLY].format(TILE_NAMES[Kind(about)])
    if fault == Fault.CARDS:
        return FAULTS[Fault.CARDS].format(CARD_NAMES[Card(about)])
    return FAULTS[Fault(fault)].format(about)
