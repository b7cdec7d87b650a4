"""The card of a dataset: everything that determines its games, and what its arrays hold."""

from pathlib import Path
from typing import Any, Final

import msgspec

import smallcity_env
from smallcity_env import batch, files
from smallcity_env.envs.options import Observing, checked_form
from smallcity_env.refusal import Refused
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SIDE
from smallcity_env.rules.tables.in_force import FINGERPRINT, IDENTITY

CARD: Final = "card.json"
FORMAT: Final = 2  # of the arrays


class Card(msgspec.Struct, kw_only=True):
    """Two datasets with equal cards hold the same games."""

    format: int = FORMAT
    version: str = smallcity_env.__version__
    rules: str = IDENTITY
    numbers: str = FINGERPRINT
    game: dict[str, Any]  # arguments of Config
    agents: list[str]
    games: int
    first_seed: int
    games_per_shard: int
    observation: Observing
    reward: str
    arrays: dict[str, str]


def read(folder: Path) -> Card:
    """The card in a folder; refuses a folder without one."""
    path = folder / CARD
    if not path.is_file():
        raise Refused(f"{folder} is not a dataset: it has no {CARD}")
    try:
        return msgspec.json.decode(files.read_bytes(path, "the card"), type=Card)
    except (ValueError, RecursionError) as wrong:
        raise Refused(f"{path} is not the card of a dataset: {wrong}") from None


def arrays_of(observation: Observing, players: int) -> dict[str, str]:
    """What each array holds, its type and shape first."""
    _, vector, board = batch.new_observations(0, checked_form(observation), players)
    numbers, planes = vector.shape[1], f"{board.shape[1] // SIDE**2}, {SIDE}, {SIDE}"
    boards = {
        "planes": f"uint8 (decisions, {planes}): the planes of the boroughs",
        "final_planes": f"uint8 (games, players, {planes}): those that each seat may see at the end",
    }
    return {
        "observation": f"float32 (decisions, {numbers}): what the seat asked may see (docs/observations.md)",
        "action_mask": f"bool (decisions, {ACTIONS}): the legal actions",
        "action": "int16 (decisions): the answer",
        "seat": "int8 (decisions): who answered",
        "reward": "float32 (decisions): the seat's reward until its next decision or the end",
        "last": "bool (decisions): whether it is the seat's last decision of the game",
        "start": "int64 (games + 1): game i has the decisions from start[i] up to start[i + 1]",
        "final_observation": f"float32 (games, players, {numbers}): what each seat may see at the end",
        "seed": "int64 (games): of the game",
        "agent": "int8 (games, players): who had the seat, an index into the card's agents",
        "score": "int64 (games, players): at the end",
        "place": "int8 (games, players): 0 is first; ties share a place",
    } | (boards if board.shape[1] else {})
