"""The peers: one file each, with what one run does and what it counts."""

from ..measure import Case
from . import catanatron, envpool, open_spiel, pettingzoo, pgx, rlcard


def cases() -> list[Case]:
    """Everything that is measured of others."""
    files = (catanatron, open_spiel, envpool, pgx, pettingzoo, rlcard)
    return [case for file in files for case in file.cases()]
