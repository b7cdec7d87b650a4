"""How long a game can last: an upper bound on its answers, forced ones included, from the rules.

Every question belongs to a thing that runs out in its round or in the game, so no game is endless:

    set-up        City Hall (where, way) and a difficulty                     3 a player
    Phase 1       the Mayor's two spaces; Supporter; Engineer, 2 markers      2 + 1 + 3 a round
                  a card                                                      1 a player and round
    Phase 2       3 builds (what, where, way) and "no more"                  10 a player and round
                  a Warehouse that comes along (where, way): 3 a player       6 a player
                  power plants (what, where): 10 columns                     20 a player
    Phase 3       each of 20 citizens and the Pilgrim once                   21 a player and round
                  which space abroad: 2 Tourists to each other borough        2 (players - 1) of these
                  4 citizens of City Hall                                     4 a player and round
                  Tokyo's 12 parks grow twice                                24
    Phase 4       who worked trades, or his mountain stone is put somewhere  21 a player and round
                  16 spaces to store on (City Hall, 3 Warehouses, the port):
                  which product, and where                                   32 a player and round
                  products of Tourists, 2 from each other borough and 2 more
                  by the port: from where, and which                          4 players of these
                  the Doctor: pay, and who is revived                         2 a player and round
    Phase 6       from round 5, each host: arrive (2), leave (2), 5 turns     9 a host and round
                  a death (who, where) at 25, 50, 75 and each round from 5    2 (3 + rounds - 4) a player
    Phase 7 and   2 discs of 4 columns (row, pay, what, where, way)          40 a player
    Councilor     "no more"                                                   players + 1 a round
    Phase 8       the Pilgrim                                                 1 a round
"""

from smallcity_env import Config
from smallcity_env.rules.tables import POWER_ROUNDS, ROUNDS

PEOPLE = 21
WAKING_ROUNDS = 4  # rounds before godzillas wake and smog kills


def longest(config: Config) -> int:
    """An upper bound on the answers of a game."""
    players = config.players
    rounds = POWER_ROUNDS if "power_plants" in config.modules else ROUNDS
    phase_1 = 6 + players
    phase_2 = 10 * players
    phase_3 = players * (PEOPLE + 2 * (players - 1) + 4)
    phase_4 = players * (PEOPLE + 32 + 4 * players + 2)
    phase_7 = players + 1
    each_round = phase_1 + phase_2 + phase_3 + phase_4 + phase_7 + 1
    late = rounds - WAKING_ROUNDS
    godzillas = 9 * max(players - 1, 1) * late
    once = players * (3 + 6 + 20 + 2 * (3 + late) + 40)
    return once + rounds * each_round + godzillas + 24


LONGEST = max(longest(Config(players=n, modules=("power_plants",))) for n in range(1, 5))
