"""A dataset as Minari stores it: one episode for every seat of every game."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from smallcity_env.arguments import shown
from smallcity_env.refusal import Refused, needing
from smallcity_env.rules.actions import ACTIONS

from . import card
from .card import CARD
from .shards import Arrays, load


def library(dataset_id: str) -> Any:
    """Minari, if it is installed; refuses a name that it does not take, or has taken."""
    with needing("minari"):
        import minari
        from minari.dataset.minari_dataset import parse_dataset_id
    try:
        parse_dataset_id(dataset_id)
    except (ValueError, TypeError):  # TypeError: without a version
        raise Refused(f"Minari's datasets have names like small/city-v0, not {shown(dataset_id)}") from None
    if dataset_id in minari.list_local_datasets():
        raise Refused(f"there is a Minari dataset {dataset_id} already: choose another name")
    return minari


def export(folder: Path, dataset_id: str) -> int:
    """Create the Minari dataset `dataset_id` from a folder of shards; return its number of episodes."""
    minari, dataset = library(dataset_id), None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # authors and links that Minari recommends: see the card
        for arrays in load(folder):
            episodes = list(_episodes(arrays))
            if dataset is None:
                dataset = minari.create_dataset_from_buffers(dataset_id, episodes, **_metadata(folder))
            else:
                dataset.update_dataset_from_buffer(episodes)
    return 0 if dataset is None else int(dataset.total_episodes)


def _metadata(folder: Path) -> dict[str, Any]:
    """What Minari stores beside the episodes; its environment is the game against the first agent."""
    import gymnasium

    made = card.read(folder)
    seen: dict[str, Any] = {"observation": made.observation, "observation_key": "observation"}
    env = gymnasium.make("SmallCity-v0", **made.game, opponents=made.agents[0], reward=made.reward, **seen)
    return {"env": env, "algorithm_name": "smallcity dataset", "description": (folder / CARD).read_text()}


def _episodes(arrays: Arrays) -> Iterator[Any]:
    """One episode for every seat of every game of a shard: its decisions, and what it saw at the end."""
    from minari.data_collector import EpisodeBuffer

    games, players = arrays["agent"].shape
    for game in range(games):
        part = slice(arrays["start"][game], arrays["start"][game + 1])
        for seat in range(players):
            rows = np.arange(part.start, part.stop)[arrays["seat"][part] == seat]
            masks = np.vstack([arrays["action_mask"][rows], np.ones((1, ACTIONS), np.bool_)])
            yield EpisodeBuffer(
                seed=int(arrays["seed"][game]),
                observations={
                    "observation": _seen(arrays, rows, game, seat),
                    "action_mask": masks.astype(np.int8),
                },
                actions=arrays["action"][rows].astype(np.int64),
                rewards=arrays["reward"][rows],
                terminations=arrays["last"][rows],
                truncations=np.zeros(len(rows), np.bool_),
            )


def _seen(arrays: Arrays, rows: Any, game: int, seat: int) -> Any:
    """What a seat saw at its decisions and at the end, in the structure of the environments."""

    def whole(name: str) -> Any:
        return np.concatenate([arrays[name][rows], arrays[f"final_{name}"][game, seat][None]])

    vector = whole("observation")
    return {"planes": whole("planes"), "vector": vector} if "planes" in arrays else vector
