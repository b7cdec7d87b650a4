"""Numbers of the other Winter modules (section 15)."""

# Doctors
DOCTORS = 1  # a player (C4)
SALARY = 2  # money, each round (D3)

# Mayor variant
LISTENERS = 6  # at most (M4)

# terrain boards
PLAIN_STONES = 24  # at most on the plain spaces of all boroughs together (C3)
RIVER_MATERIALS = 1  # for each river space newly covered (TB2)

# Asian boards
TOKYO_RESIDUAL = 5  # pollution (AS5)
BEIJING_ADVANCES = 2  # AS6
FLOOD_ROUNDS = (2, 4, 6)  # AS7
FLOOD_MONEY = 1  # for each flood-plain space newly covered (AS7)
HARBOR_RIVER = 2  # river spaces Bangkok's Harbor covers (AS7)
DELHI_FIRST, DELHI_LAST = 5, 8  # rounds in which citizens die (AS8)
DELHI_DEATHS = 1  # in each of them

# new action cards
SPECIALIST_VOTES = 2  # a citizen of the Physician's factories or the Artist's Museum (AC2, AC3)
PHYSICIAN_LEVEL = 3  # of those factories (AC2)

# new buildings
BANK_SAVES = 1  # money, on a commercial build (NB2)
BANK_LEAST_PRICE = 0  # of a commercial build with Bank and Mediator (NB2)
RESIDENCES_SAVED = 1  # that a commercial tile needs less (NB2)
BANK_INCOME = 2  # NB2
RECYCLERS = 10  # active citizens a Recycling Center asks for (NB3)
RECYCLED = 5  # pollution (NB3)
PASSENGERS = 1  # citizens a Tramway Station brings each round (NB5)

# real buildings
BEN_PARKS = 5  # park spaces around Big Ben (RB1)
BEN_ADVANCES = 1  # free ones, each Phase 7 (RB1)
OPERA_VOTES = 3  # RB3

# power plants
PLANTS_IN_HAND = 1  # of each level, a player (PP2)
