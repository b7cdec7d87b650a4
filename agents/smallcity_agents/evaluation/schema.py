"""Two records: the features of a city, and the weights that value them.

Everything is valued in points of the score: where votes win the game, a vote is 1.
"""

from enum import IntEnum
from typing import Final

import numpy as np

from smallcity_env.rules.tables import MATERIALS
from smallcity_env.rules.tables.tiles import KINDS

LEVELS = 5  # of residences


class Workplace(IntEnum):
    """Places of work, paid per visit."""

    SHOP_A = 0
    SHOP_B = 1
    SHOP_C = 2
    SHOP_D = 3
    WOOD = 4
    STONE = 5
    METAL = 6
    LECTURE = 7
    BANK = 8
    OPERA = 9
    CLINIC = 10
    MUSEUM = 11
    RECYCLING = 12
    PARK = 13
    TRAMWAY = 14
    PLANNED = 15  # not built yet


WORKPLACES = len(Workplace)

_N = "f8"
_FEATURES = np.dtype(
    [
        # the rest of the game
        ("left", _N),  # Phases 3 to 5 to come
        ("measures", _N),  # Phases 6 to come
        ("phases", _N),  # Phases 2 to come, this one included
        ("plans", _N),  # Phases 2 after this round's
        ("councils", _N),  # Phases 7 to come, this one included
        ("vote", _N),  # value of a vote
        ("coin", _N),  # value of $1
        ("victory", "i8"),
        # people
        ("active", _N),  # citizens at home or at work, abroad too
        ("abroad", _N),
        ("at_home", _N),  # in a residence: they go to work next
        ("waiting", _N),  # in City Hall
        ("career", _N),
        ("living", _N),  # in the borough
        ("hall_room", _N),  # free spaces of City Hall
        # spaces
        ("homes", _N, (LEVELS + 1,)),  # usable residential spaces, by level
        ("rooms", _N, (WORKPLACES,)),  # usable places of work
        ("pay", _N, (WORKPLACES,)),  # value of a visit there
        ("order", "i8", (WORKPLACES,)),  # places of work by pay, best first
        ("from_home", _N),  # value of the later rounds for a citizen who ends this one at home
        ("from_work", _N),  # ... at work
        ("jobs", _N),  # factory spaces without people
        ("parks", _N),  # usable park spaces
        ("spaces", _N, (4,)),  # spaces by family, usable or not
        ("tiled", _N),
        ("gaps", _N),
        ("empty", _N),  # spaces to build on
        ("publics", _N),  # public buildings
        # things
        ("money", _N),
        ("votes", _N),
        ("pollution", _N),
        ("goods", _N, (MATERIALS,)),
        ("good", _N, (MATERIALS,)),  # value of one of them
        ("need", _N, (MATERIALS,)),  # how many of them have a use
        ("store", _N),  # free storage
        ("graves", _N),
        ("guests", _N),  # own citizens in the Museum
        ("riders", _N),
        ("columns", _N),  # powered
        ("plants", _N),
        ("clean", _N),  # 1: a city without pollution (AS8)
        ("residual", _N),
        ("built", _N, (KINDS,)),
        ("lost", _N, (KINDS,)),  # of those, the ones that do not count at the end (G13)
        # promises
        ("thrift", _N),  # what $1 more adds to them
        ("hoard", _N),  # ... one more material
        ("promise", "i8"),
        ("special", "i8"),
        ("difficulty", "i8"),
    ],
    align=True,
)
FEATURES = np.dtype((np.record, _FEATURES))

# name, start value for the tuning, meaning
WEIGHT_TABLE: Final = [
    # resources
    ("vote_elsewhere", 0.35, "a vote where votes do not win"),
    ("money", 1.6, "$1 with many rounds to come"),
    ("money_fades", 4.0, "Phases 2 left at which $1 has half that value"),
    ("money_use", 4.0, "money that one Phase 2 can use well"),
    ("money_spare", 0.3, "share of its value that money beyond that keeps"),
    ("wood", 1.7, "a wood"),
    ("stone", 2.2, "a stone"),
    ("metal", 3.2, "a metal"),
    ("glut", 0.35, "share of its value that a material without use keeps"),
    ("pollution", 1.2, "each pollution, deaths and ties included"),
    ("smoke", 1.0, "share of that for the pollution of production"),
    ("doom", 3.0, "each expected pollution beyond the safe level"),
    ("death", 1.5, "a citizen's death"),
    # people
    ("hall", 0.8, "share of an active citizen's value for one still to come"),
    ("newcomers", 0.8, "citizens an empty factory space brings per round"),
    ("pump", 0.5, "citizens a small home takes in per round"),
    ("pump_built", 0.4, "citizens that small homes not built yet take in per round"),
    ("cycle", 0.5, "share of the rounds in which a place is used"),
    ("home", 1.0, "a vote at home relative to one elsewhere"),
    ("idle_home", 0.15, "share of its value that a home keeps if its citizen has no work"),
    ("shop_b", 1.4, "a trade for money"),
    ("shop_d", 2.2, "a trade for votes"),
    ("clinic", 0.5, "a visit to the Clinic"),
    ("museum", 0.3, "a visit to the Museum"),
    ("recycling", 2.5, "a visit to the Recycling Center"),
    ("growing", 2.0, "a visit to a park that grows"),
    ("host", 0.3, "share of the pollution and fee of a guest that count for the rival host"),
    ("next_work", 0.5, "a visit to work in a later round, without the money"),
    ("next_money", 1.0, "the money of such a visit"),
    ("next_home", 0.7, "share of the votes of a visit home in a later round"),
    ("keep_small", 0.5, "a small home left to those in City Hall"),
    ("open_job", 0.4, "a factory space left empty to attract a newcomer"),
    # building
    ("public", 0.45, "a public building per round, for the homes to come"),
    ("public_3", 0.4, "... the third, in addition"),
    ("public_4", 0.2, "... the fourth, in addition"),
    ("refinery", 0.15, "a Refinery per round"),
    ("harbor", 0.1, "a Harbor per round"),
    ("metro", 0.2, "a Metro Station per round"),
    ("storage", 0.15, "a storage space per round"),
    ("build", 0.2, "a build left unused"),
    ("room", 0.15, "each missing space to build on, per round"),
    ("room_wanted", 3.0, "spaces to build on needed per round"),
    ("power", 0.25, "a powered space per round"),
    # not built yet: gives a first home some value before there is work, and vice versa
    ("plan_work", 0.8, "places of work added by each later Phase 2"),
    ("plan_pay", 1.5, "a visit to one of them"),
    ("plan_homes", 0.6, "homes of level 2 added by each later Phase 2"),
    ("plan_parks", 0.5, "park spaces added by each later Phase 2"),
    # sites
    ("site_public", 1.2, "a residence: each public building that influences it"),
    ("site_raise", 0.5, "a public building: land it improves, more for each level"),
    ("site_land", 0.35, "good land covered by a tile that does not need it, by level"),
    ("site_shadow", 0.4, "good land a factory spoils, by level"),
    ("site_cluster", 0.3, "factories side by side"),
    ("site_grow", 0.12, "a residence: empty spaces beside it"),
    ("site_snug", 0.1, "no gaps beside it"),
    ("site_shops", 0.15, "a residence beside residences and shops"),
    ("site_market", 0.2, "a shop: residential spaces around it"),
    ("site_middle", 0.5, "City Hall: land around it"),
    # cards and council
    ("card_mayor", 0.1, "hosting the Mayor next round"),
    ("card_mediator", 2.2, "builds the Mediator makes cheaper"),
    ("card_engineer", 0.8, "share of the pollution the Engineer saves"),
    ("card_marker", 0.8, "a marker removed"),
    ("card_planner", 1.0, "land the Urban Planner adds"),
    ("card_architect", 0.8, "share of the material the Architect saves"),
    ("card_councilor", 0.9, "share of an advance"),
    ("row_finance", 0.4, "a step in the Finance row, in addition to its reward"),
    ("row_supplies", 0.0, "... Supplies"),
    ("row_construction", 0.3, "... Construction"),
    ("row_tourism", 0.0, "... Tourism"),
    ("doctor", 1.5, "a Doctor instead of a citizen"),
    # promises
    ("promise", 1.0, "share of the expected points of promises that counts"),
    ("promise_pace", 1.0, "how fast promises can be fulfilled"),
    ("easy", 5.0, "choosing a promise of the first pile"),
    ("middling", 8.0, "... the second"),
    ("hard", 3.0, "... the third"),
    # godzillas
    ("ruin", 0.35, "a ruined space of a building, per round"),
    ("ruin_home", 1.5, "... factor for residences, shops and public buildings"),
    # the style of a personality, in votes
    ("love_homes", 0.0, "a residential space"),
    ("love_shops", 0.0, "a commercial space"),
    ("love_mills", 0.0, "a factory space"),
    ("love_parks", 0.0, "a park space"),
    ("love_culture", 0.0, "a cultural building"),
]
WEIGHT_NAMES: Final = tuple(name for name, _, _ in WEIGHT_TABLE)
WEIGHTS = np.dtype((np.record, [(name, _N) for name in WEIGHT_NAMES]))
