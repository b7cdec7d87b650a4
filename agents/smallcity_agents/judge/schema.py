"""A city in figures, and the weights it is judged by: two records.

Everything is worth what it adds to the score: one vote is 1 where votes win the game.
"""

from enum import IntEnum
from typing import Final

import numpy as np

from smallcity_env.rules.tables import MATERIALS
from smallcity_env.rules.tables.tiles import KINDS

LEVELS = 5  # of residences


class Work(IntEnum):
    """What a citizen can do away from home, each paid by the visit."""

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
    PLANNED = 15  # places still to be built


WORKS = len(Work)

_N = "f8"
FIGURES = np.dtype(
    [
        # the rest of the game
        ("left", _N),  # Phases 3 to 5 to come
        ("measures", _N),  # Phases 6 to come
        ("phases", _N),  # Phases 2 to come, this one included
        ("plans", _N),  # Phases 2 after this round's
        ("councils", _N),  # Phases 7 to come, this one included
        ("vote", _N),  # what a vote is worth
        ("coin", _N),  # what a $ is worth
        ("victory", "i8"),
        # people
        ("active", _N),  # citizens at home or at work, abroad too
        ("abroad", _N),
        ("at_home", _N),  # who stand in a residence, to go to work next
        ("waiting", _N),  # in City Hall
        ("career", _N),
        ("living", _N),  # in the borough
        ("hall_room", _N),  # free spaces of City Hall
        # spaces
        ("homes", _N, (LEVELS + 1,)),  # residential spaces that can be used, by level
        ("rooms", _N, (WORKS,)),  # places of work that can be used
        ("pay", _N, (WORKS,)),  # what a visit there is worth
        ("order", "i8", (WORKS,)),  # places of work, the best paid first
        ("from_home", _N),  # what the later rounds hold for a citizen who ends this one at home
        ("from_work", _N),  # ... at work
        ("jobs", _N),  # factory spaces nobody stands on
        ("parks", _N),  # that can be used
        ("spread", _N, (4,)),  # spaces by family, usable or not
        ("tiled", _N),
        ("gaps", _N),
        ("empty", _N),  # spaces to build on
        ("publics", _N),  # public buildings
        # things
        ("money", _N),
        ("votes", _N),
        ("pollution", _N),
        ("goods", _N, (MATERIALS,)),
        ("good", _N, (MATERIALS,)),  # what one of them is worth
        ("need", _N, (MATERIALS,)),  # how many of them there is a use for
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
        ("thrift", _N),  # what one more $ does for them
        ("hoard", _N),  # ... one more material
        ("promise", "i8"),
        ("special", "i8"),
        ("difficulty", "i8"),
    ],
    align=True,
)

# name, a start for the tuning, meaning
WEIGHT_TABLE: Final = [
    # what things are worth
    ("vote_elsewhere", 0.35, "a vote where votes do not win"),
    ("money", 1.6, "a $ with many rounds to come"),
    ("money_fades", 4.0, "Phases 2 left with which a $ is worth half of that"),
    ("money_use", 4.0, "money a Phase 2 can use well"),
    ("money_spare", 0.3, "share of its worth that money beyond that has"),
    ("wood", 1.7, "a wood"),
    ("stone", 2.2, "a stone"),
    ("metal", 3.2, "a metal"),
    ("glut", 0.35, "share of its worth a material has that no building needs"),
    ("pollution", 1.2, "each pollution, deaths and ties included"),
    ("smoke", 1.0, "share of a pollution that production costs"),
    ("doom", 3.0, "each pollution foreseen beyond what a city survives"),
    ("death", 1.5, "a citizen's death"),
    # people
    ("hall", 0.8, "share of a citizen's use one still to come has"),
    ("newcomers", 0.8, "citizens an empty factory space brings a round"),
    ("pump", 0.5, "citizens a small home takes in a round"),
    ("pump_built", 0.4, "citizens that small homes yet to be built take in a round"),
    ("cycle", 0.5, "share of the rounds a place is used"),
    ("home", 1.0, "a vote at home against one elsewhere"),
    ("idle_home", 0.15, "share of its worth a home has for whom there is no work"),
    ("shop_b", 1.4, "a trade for money"),
    ("shop_d", 2.2, "a trade for votes"),
    ("clinic", 0.5, "a visit to the Clinic"),
    ("museum", 0.3, "a visit to the Museum"),
    ("recycling", 2.5, "a visit to the Recycling Center"),
    ("growing", 2.0, "a visit to a park that grows"),
    ("host", 0.3, "share of a guest's cost and fee, where the host is a rival"),
    ("next_work", 0.5, "a visit to work in a later round, but for the money"),
    ("next_money", 1.0, "the $ of such a visit"),
    ("next_home", 0.7, "share of the votes that a visit home in a later round gives"),
    ("keep_small", 0.5, "a small home left to those in City Hall"),
    ("open_job", 0.4, "a factory space left empty for a newcomer to see"),
    # building
    ("public", 0.45, "a public building, a round, for the homes to come"),
    ("public_3", 0.4, "... the third, besides"),
    ("public_4", 0.2, "... the fourth, besides"),
    ("refinery", 0.15, "a Refinery, a round"),
    ("harbor", 0.1, "a Harbor, a round"),
    ("metro", 0.2, "a Metro Station, a round"),
    ("storage", 0.15, "a storage space, a round"),
    ("build", 0.2, "one of the three builds kept"),
    ("room", 0.15, "each space wanted and not there, a round"),
    ("room_wanted", 3.0, "spaces to build on that a round asks for"),
    ("power", 0.25, "a space under power, a round"),
    # what is not there yet, but will be: so that a home is worth something before there is work
    ("plan_work", 0.8, "places of work a later Phase 2 will add"),
    ("plan_pay", 1.5, "a visit to one of them"),
    ("plan_homes", 0.6, "homes of level 2 a later Phase 2 will add"),
    ("plan_parks", 0.5, "park spaces a later Phase 2 will add"),
    # where
    ("site_public", 1.2, "a residence: each public building that influences it"),
    ("site_raise", 0.5, "a public building: land it raises, more for each level"),
    ("site_land", 0.35, "good land covered by what needs none, by level"),
    ("site_shadow", 0.4, "good land a factory spoils, by level"),
    ("site_cluster", 0.3, "factories side by side"),
    ("site_grow", 0.12, "a residence: empty spaces beside it"),
    ("site_snug", 0.1, "no gaps beside it"),
    ("site_shops", 0.15, "a residence beside residences and shops"),
    ("site_market", 0.2, "a shop: residential spaces around it"),
    ("site_middle", 0.5, "City Hall: land around it"),
    # cards and council
    ("card_mayor", 0.1, "to host next round"),
    ("card_mediator", 2.2, "builds the Mediator makes cheaper"),
    ("card_engineer", 0.8, "share of the smoke the Engineer saves"),
    ("card_marker", 0.8, "a marker removed"),
    ("card_planner", 1.0, "room the Urban Planner makes"),
    ("card_architect", 0.8, "share of the material the Architect saves"),
    ("card_councilor", 0.9, "share of an advance"),
    ("row_finance", 0.4, "a step in the Finance row, besides its reward"),
    ("row_supplies", 0.0, "... Supplies"),
    ("row_construction", 0.3, "... Construction"),
    ("row_tourism", 0.0, "... Tourism"),
    ("doctor", 1.5, "a Doctor instead of a citizen"),
    # promises
    ("promise", 1.0, "share of a promise's worth in what is built for it"),
    ("promise_pace", 1.0, "how fast promises can be worked on"),
    ("easy", 5.0, "to choose a promise worth 6"),
    ("middling", 8.0, "... 12"),
    ("hard", 3.0, "... 18"),
    # godzillas
    ("ruin", 0.35, "a space of a building ruined, a round"),
    ("ruin_home", 1.5, "... of a residence or a shop, so many times that"),
    # emphasis of a personality, in votes
    ("love_homes", 0.0, "a residential space"),
    ("love_shops", 0.0, "a commercial space"),
    ("love_mills", 0.0, "a factory space"),
    ("love_parks", 0.0, "a park space"),
    ("love_culture", 0.0, "a cultural building"),
]
WEIGHT_NAMES: Final = tuple(name for name, _, _ in WEIGHT_TABLE)
WEIGHTS = np.dtype((np.record, [(name, _N) for name in WEIGHT_NAMES]))
