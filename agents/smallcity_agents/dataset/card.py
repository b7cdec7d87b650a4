"""The card of a dataset: everything that determines its games, and what its arrays hold."""

from collections.abc import Sequence
from typing import Any, Final

import smallcity_env
from smallcity_env.config import Config
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.layout import SIZE
from smallcity_env.rules.tables.in_force import FINGERPRINT, IDENTITY

from ..arena.results import game_of

CARD: Final = "card.json"
FORMAT: Final = 1  # of the arrays
ARRAYS: Final = {
    "observation": f"float32 (decisions, {SIZE}): what the seat asked may see, see docs/observations.md",
    "action_mask": f"bool (decisions, {ACTIONS}): the legal actions",
    "action": "int16 (decisions): the answer",
    "seat": "int8 (decisions): who answered",
    "reward": "float32 (decisions): the rank reward, on a seat's last decision of a game; 0 before",
    "last": "bool (decisions): whether it is the seat's last decision of the game",
    "start": "int64 (games + 1): game i has the decisions from start[i] up to start[i + 1]",
    "final_observation": f"float32 (games, players, {SIZE}): what each seat may see at the end",
    "seed": "int64 (games): of the game",
    "agent": "int8 (games, players): who had the seat, an index into the card's agents",
    "score": "int64 (games, players): at the end",
    "place": "int8 (games, players): 0 is first; ties share a place",
}


def card_of(config: Config, agents: Sequence[str], games: int, seed: int, size: int) -> dict[str, Any]:
    """The card of a dataset; two datasets with equal cards hold the same games."""
    return {
        "format": FORMAT,
        "version": smallcity_env.__version__,
        "rules": IDENTITY,
        "numbers": FINGERPRINT,
        "game": game_of(config),
        "agents": list(agents),
        "games": games,
        "first_seed": seed,
        "games_per_shard": size,
        "reward": "rank",
        "arrays": ARRAYS,
    }
