"""A line of a file of results, as an arena writes it."""

import json
from typing import Any

from smallcity_agents.arena.game_stats import GameStats
from smallcity_agents.arena.results import Result, as_json, game_of, pack
from smallcity_env import Config


def entry(**changed: Any) -> dict[str, Any]:
    """A game of two, with some values changed."""
    stats = GameStats.blank(1)
    stats.tracks[0, 1, 1, 3] = 7
    game = Result(
        game=game_of(Config(players=2)), seed=5, agents=["random", "first"], scores=[30, -2], places=[0, 1],
        out=[0, 4], rounds=8, promises=[[3, 1, 0, 0]] * 2, decisions=[40, 20], seconds=[0.1, 0.2],
        stats=pack(stats, 0),
    )  # fmt: skip
    return as_json(game) | changed


def line(**changed: Any) -> str:
    """The same as JSON."""
    return json.dumps(entry(**changed), separators=(",", ":"))
