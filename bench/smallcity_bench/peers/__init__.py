"""The peers: one file each, which describes what one run does and what it counts."""

from ..measure import Case
from . import catanatron, envpool, open_spiel, pettingzoo, pgx, rlcard


def cases() -> list[Case]:
    """All cases of the peers."""
    files = (catanatron, open_spiel, envpool, pgx, pettingzoo, rlcard)
    return [case for file in files for case in file.cases()]
