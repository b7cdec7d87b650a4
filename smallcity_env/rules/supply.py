"""The shared supply of tiles: taking, giving back, and what a player sees of it (C3, P2.1).

During the secret builds of Phase 2 `s.took` counts what each player took, minus what he gave back. A player
sees the supply as it was when the phase began, minus his own tiles; what others gave back is hidden.
"""

from ..library import kernel
from .tables import SEATS, Phase


@kernel
def take_tile(s, p, kind):
    """Take a tile from the supply for a player."""
    s.supply[kind] -= 1
    if s.phase == Phase.BUILD:
        s.took[p, kind] += 1


@kernel
def return_tile(s, p, kind):
    """Return a tile to the supply (C3)."""
    s.supply[kind] += 1
    if s.phase == Phase.BUILD:
        s.took[p, kind] -= 1


@kernel
def supply_seen(s, p, kind):
    """The number of tiles of a kind a player sees in the supply (P2.1)."""
    n = s.supply[kind] - s.took[p, kind]
    for q in range(SEATS):  # seats nobody plays took nothing
        n += s.took[q, kind]
    return n


@kernel
def at_hand(s, p, kind):
    """Whether a player can take a tile: he sees one, and it is not gone (P2.1)."""
    return s.supply[kind] > 0 and supply_seen(s, p, kind) > 0


@kernel
def put_back_builds(s, p):
    """Restore the supply as if a player had built nothing in this Phase 2."""
    for kind in range(len(s.supply)):
        s.supply[kind] += s.took[p, kind]
        s.took[p, kind] = 0
