"""Drawn positions that random play hardly ever reaches: every kind of tile is at work in one of them.

states = crowded(n, seed)      # n games in round 4 of boroughs full of buildings and people
"""

import numpy as np

from smallcity_env import MODULES, batch
from smallcity_env.rules.rng import streams
from tests.scene import scene

METROPOLIS = """
R5:0 R5:0 Me  Me  Un:0 Un   C4:0 C4   C4:0 C4
R5:0 R5   Sc  P3a Un   Un   R2:0 R2   Li   Li
R5   Mu   Mu  P3a P3a  Hl:0 Hl:0 R1:0 .    .
Cl   Mu:0 P3b Bb  R3   Hl   Hl:m Rc   Rc   Rc
Cl:0 .    P3b P3b R3   R3   .    .    .    Rc
Cl   .    C2a C2a .    .    .    .    Wa:w Wa:s
.    .    Ba  Ba  .    .    F3   F3   F3   .
Ha   Ha   Ba  Ba  .    Re   A8   A8   A8   A8
Ha   Ha   .   .   .    .    A8   A8   A8   A8
Tr   Tr   Tr  Tr  Tr   .    .    .    .    .
"""
MOUNTAINS = """
F1:1 ^    ^    F1   .   .   .
.    .    ^    ^    Wa  Wa  .
.    Hl:1 Hl:1 .    .   F1  ^
.    Hl:1 Hl:s .    Sc  .   ^
^    .    R1:1 R1   .   .   .:s
^    ^    .    .    .:+ ^   .
.    C2   C2   Li   Li  ^   ^
"""
HARBOR_TOWN = """
Ha   Ha   .    Me  Me  .   P1
Ha   Ha   F3   .   .   .   .
Re   .    F3:2 .   Hl:2 Hl:2 R1:2
.    .    F3   .   Hl:2 Hl  Sc
Wa   Wa:m .    .   C3  C3:2 C3:2
.    .    .    .   .   Op  Op
.    .    .    .   .   Op  Op
"""
SHANGHAI = """
.  .  F1:0 .    .    .    .    .  # #
.  .  .    Hl:0 Hl   C1   .    .  # #
.  F2 F2   Hl:0 Hl   R1:0 .    .  # #
Pt Pt F1   .    Re   Sc   P2   P2 # #
Pt Pt F1   .    .    .    .    .  # #
Pt Pt .    .    .    .    .    .  # #
"""
TOKYO = """
.  .    .  .    .    .    .    . # #
.  R1:1 .  Sc   .    .    R1:1 . # #
.  .    .  P1   P1   .    .    . # #
.  .    B  P2   B    B    .    . # #
.  .    B  P2   B    B    Mu   . # #
.  .    .  B    B    Mu   Mu   . # #
.  R1   C1 Hl:1 Hl:1 .    R1   . # #
.  .    .  Hl   Hl   .    .    . # #
"""
ULAANBAATAR = """
Tr   Tr   Tr   Tr   Tr   .    .    . # #
.    R1:2 .    .    .    .    Mo   . # #
.    .    C1:0 Sc   .    .    .    . # #
.    R2:2 R2   Hl:2 Hl:2 R1   .    . # #
.    .    C2   Hl:2 Hl   .    .    . # #
F1   .    C2:2 .    .    .    .    . # #
Waa  Waa:w .   Li   Li   .    .    . # #
"""
BANGKOK = """
.    .    .    f    ~    f    .    .    . #
.    .    .    f    ~    f    .    .    . #
Hl:3 Hl:3 f    f    ~    f    .    C1:3 . #
Hl   Hl:3 f    Ha   Ha   f    .    .    . #
R1:3 .    f    Ha   Ha   f    F1   .    . #
.    Sc   f    ~    f    .    Wa   Wa   . #
"""


def _started(game_states: batch.States, n: int, seed: int) -> batch.States:
    """n copies of a game, each with its own random stream."""
    states = np.repeat(game_states, n)
    states["stream"] = streams(seed + np.arange(n))
    return states


def crowded(n: int, seed: int) -> batch.States:
    """Three boroughs with every building, one of them in the mountains."""
    game = scene(
        METROPOLIS, MOUNTAINS, HARBOR_TOWN,
        phase="select", round=4, modules=MODULES, stockholm=True, advanced=True,
        boards=("base-easy", "mountain-expert", "base-easy"),
        money={0: 20, 1: 12, 2: 15}, votes={0: 12, 1: 6, 2: 9}, pollution={0: 15, 1: 20, 2: 10},
        powered={0: "ABCDEFGHIJ", 1: "ABCD", 2: "ABCDE"},
        plants={0: [1, 3, 1], 1: [2, 1, 0], 2: [0, 1, 1]},
        riders={0: [1, 0, 1]}, doctor={0: 1},
    )  # fmt: skip
    return _started(game.states, n, seed)


def asian(n: int, seed: int) -> batch.States:
    """Four cities, with a port, growing parks, a tram for the Pilgrim and a river harbor."""
    game = scene(
        SHANGHAI, TOKYO, ULAANBAATAR, BANGKOK,
        phase="select", round=3, modules=[m for m in MODULES if m not in ("mayor", "power_plants")],
        boards=("shanghai", "tokyo", "ulaanbaatar", "bangkok"),
        money={0: 12, 1: 12, 2: 12, 3: 12}, votes={0: 4, 1: 5, 2: 3, 3: 2},
        riders={2: [1, 0, 2]},
    )  # fmt: skip
    return _started(game.states, n, seed)
