"""Write games of agents as arrays, one file of whole games at a time.

    folder = dataset.write(Config(players=2), ["greedy", "random"], games=1000, folder=Path("runs/dataset"))
    for arrays in dataset.load(folder): ...

The card alone determines which games are in which shard, and a shard appears under its name only when it
is complete: after an interruption the same call writes the missing shards, and no game twice.
Workers (cluster.py) play the games and compress them, in any order; this process writes the files.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from smallcity_env import arguments, files
from smallcity_env.config import Config
from smallcity_env.envs.options import Observing, checked_form
from smallcity_env.envs.rewards import checked
from smallcity_env.refusal import Refused
from smallcity_env.terminal import MOST

from ..arena.results import game_of
from ..arena.runner import named
from ..arena.schedule import Fixture, schedule
from ..cluster import Done, Workers
from . import card
from .card import CARD, Card, arrays_of
from .record import record

SIZE: Final = 32  # games per shard: about 100 MB in memory while it is written
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Shard:
    """Some games and the file they belong in."""

    fixtures: tuple[Fixture, ...]
    name: str


def write(
    config: Config,
    agents: Sequence[str],
    games: int,
    folder: Path,
    seed: int = 0,
    size: int = SIZE,
    executor: Workers | None = None,
    progress: Callable[[int, int], None] = lambda done, shards: None,
    observation: Observing = "compact",
    reward: str = "rank",
) -> Path:
    """Write the missing shards; without an executor, this process plays the games."""
    games, size = (arguments.whole(n, "a number of games", 1, MOST) for n in (games, size))
    names = tuple(agent.name for agent in named(agents))
    fixtures = schedule(len(names), config.players, games, arguments.seed(seed))
    checked_form(observation)
    wanted = Card(
        game=game_of(config),
        agents=list(names),
        games=len(fixtures),
        first_seed=seed,
        games_per_shard=size,
        observation=observation,
        reward=checked(reward),
        arrays=arrays_of(observation, config.players),
    )
    _claim(folder, wanted)
    parts = [tuple(fixtures[k : k + size]) for k in range(0, len(fixtures), size)]
    shards = [Shard(part, f"shard-{k:05d}.npz") for k, part in enumerate(parts)]
    missing = [shard for shard in shards if not (folder / shard.name).exists()]
    progress(done := len(shards) - len(missing), len(shards))
    failures: list[Done] = []
    for ready in (executor or Workers()).map(play_shard, (config, names, observation, reward), missing):
        for shard in ready:
            if shard.error:
                failures.append(shard)
            else:
                files.write(folder / shard.item.name, shard.value)
                done += 1
        progress(done, len(shards))
    _refuse(failures)
    return folder


def _refuse(failures: list[Done]) -> None:
    """Name the seeds of a failed shard, after all others are written."""
    if failures:
        fixtures = failures[0].item.fixtures
        seeds = f"of seeds {fixtures[0].seed} to {fixtures[-1].seed}: {failures[0].error}"
        raise Refused(f"{len(failures)} shards could not be written, all others were; the first is {seeds}")


def play_shard(game: tuple[Config, tuple[str, ...], Observing, str], shard: Shard) -> bytes:
    """Play the games of a shard; return its file."""
    config, names, observation, reward = game
    return files.packed(record(config, names, shard.fixtures, observation, reward), compressed=True)


def load(folder: Path) -> Iterator[Arrays]:
    """The arrays of every shard, one shard at a time; refuses a folder without a card."""
    known = card.read(folder).arrays
    for path in sorted(folder.glob("shard-*.npz")):
        arrays = files.read_arrays(path, "the shard")
        if not _fit(arrays, known):
            raise Refused(f"{path} is not a shard of this dataset: its arrays do not fit each other")
        yield arrays


def _fit(arrays: Arrays, known: dict[str, str]) -> bool:
    """Whether these are the arrays of a shard, with a row for each game or decision."""
    if arrays.keys() != known.keys() or min(array.ndim for array in arrays.values()) < 1:
        return False
    games, start = len(arrays["seed"]), arrays["start"]
    decisions = start[-1] if len(start) == games + 1 and start.dtype.kind == "i" else -1
    rows = {name: games if "(games" in known[name] else decisions for name in known.keys() - {"start"}}
    ordered = (np.diff(start, prepend=0) >= 0).all()
    return bool(ordered and all(len(arrays[name]) == n for name, n in rows.items()))


def _claim(folder: Path, wanted: Card) -> None:
    """Check that the folder holds this dataset or none, and remove unfinished parts."""
    if not (folder / CARD).exists():
        files.write(folder / CARD, msgspec.json.format(msgspec.json.encode(wanted)) + b"\n")
    known = card.read(folder)
    if other := [key for key in Card.__struct_fields__ if getattr(known, key) != getattr(wanted, key)]:
        raise Refused(f"{folder} holds another dataset: not the same {', '.join(other)}; name another folder")
    for left in folder.glob(f".*{files.PART}"):
        left.unlink()
