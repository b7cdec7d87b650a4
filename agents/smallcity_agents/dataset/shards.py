"""Write games of agents as arrays, one file of whole games at a time.

    folder = dataset.write(Config(players=2), ["greedy", "random"], games=1000, folder=Path("runs/dataset"))
    for arrays in dataset.load(folder): ...

Which games are in which shard follows from the card alone, and a shard appears under its name only when it
is complete: after an interruption the same call writes the shards that are missing, and no game twice.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from smallcity_env.config import Config
from smallcity_env.refusal import Refused

from ..arena.runner import named
from ..arena.schedule import Fixture, schedule
from .card import CARD, card_of
from .record import record

SIZE: Final = 32  # games of a shard: some 100 MB in memory while it is written
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Shard:
    """Some games and the file they belong in: all that a worker has to know."""

    config: Config
    agents: tuple[str, ...]
    fixtures: tuple[Fixture, ...]
    path: Path


Map: TypeAlias = Callable[[Callable[[Shard], Path], Iterable[Shard]], Iterable[Path]]


def write(
    config: Config,
    agents: Sequence[str],
    games: int,
    folder: Path,
    seed: int = 0,
    size: int = SIZE,
    map_shards: Map = map,
    progress: Callable[[int, int], None] = lambda done, shards: None,
) -> Path:
    """Write the shards that are missing; `map_shards` (the built-in map, a pool's, a cluster's) runs them."""
    names = tuple(agent.name for agent in named(agents))
    fixtures = schedule(len(names), config.players, games, seed)
    _claim(folder, card_of(config, names, len(fixtures), seed, size))
    parts = [tuple(fixtures[k : k + size]) for k in range(0, len(fixtures), size)]
    shards = [Shard(config, names, part, folder / f"shard-{k:05d}.npz") for k, part in enumerate(parts)]
    missing = [shard for shard in shards if not shard.path.exists()]
    progress(done := len(shards) - len(missing), len(shards))
    for _ in map_shards(write_shard, missing):
        done += 1
        progress(done, len(shards))
    return folder


def write_shard(shard: Shard) -> Path:
    """Play the games of a shard and write them; the file gets its name when it is complete."""
    arrays = record(shard.config, shard.agents, shard.fixtures)
    part = shard.path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
        file.flush()
        os.fsync(file.fileno())
    part.replace(shard.path)
    return shard.path


def load(folder: Path) -> Iterator[Arrays]:
    """The arrays of every shard, one shard at a time; refuses a folder without a card."""
    if not (folder / CARD).is_file():
        raise Refused(f"{folder} is no dataset: it has no {CARD}")
    for path in sorted(folder.glob("shard-*.npz")):
        with np.load(path) as arrays:
            yield dict(arrays)


def _claim(folder: Path, card: dict[str, Any]) -> None:
    """Check that the folder holds this dataset or none yet, and remove unfinished parts."""
    path = folder / CARD
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write_card(path, card)
        known = json.loads(path.read_text())
    except OSError as error:
        raise Refused(f"the dataset {folder} cannot be written: {error.strerror}") from None
    except ValueError:
        raise Refused(f"{path} is no card of a dataset: it is not JSON") from None
    if other := [key for key in card if known.get(key) != card[key]]:
        raise Refused(f"{folder} holds another dataset: not the same {', '.join(other)}; name another folder")
    for left in folder.glob("shard-*.part"):
        left.unlink()


def _write_card(path: Path, card: dict[str, Any]) -> None:
    """Write the card; like a shard, it gets its name when it is complete."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(card, indent=2) + "\n")
    part.replace(path)
