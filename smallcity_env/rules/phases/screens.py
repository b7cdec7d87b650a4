"""What others see while all build behind their screens (P2.1, SU2)."""

import numpy as np

from ...library import kernel
from ..schema import BOROUGH
from ..tables import SEATS, Phase

NOTHING = np.zeros(1, np.dtype((np.record, BOROUGH)))


@kernel
def conceal(s):
    """Put up the screens: from now on the others see every borough as it is at this moment."""
    for p in range(s.rules.players):
        s.shown[p] = s.borough[p]


@kernel
def reveal(s):
    """Lift the screens; what was shown is wiped, so that equal games have equal bytes."""
    for p in range(SEATS):
        s.shown[p] = NOTHING[0]
    s.took[:] = 0


@kernel
def secret(s):
    """Whether the boroughs of others are behind their screens (P2.1, SU2)."""
    return s.phase == Phase.BUILD or (s.phase == Phase.SETUP and s.part == 0)
