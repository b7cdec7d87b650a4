"""Rule mixes: thousands of variants of one game, split into those to train on and those held out.

A mix is everything in a `Config` except the number of players. A hash of its canonical form decides its side,
so the split needs no list: one mix in five is held out. Train on `sample(seed, held_out=False)`
only; results on the others then show how well an agent plays rules it has never seen.
"""

import hashlib
import json
from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final

import numpy as np

from smallcity_env.config import EDITIONS, MODULES, VICTORIES, Config
from smallcity_env.rules.tables import SEATS
from smallcity_env.rules.tables.maps import ASIAN, NAMES
from smallcity_env.rules.tables.modules import EXPANSIONS

IN: Final = 5  # one mix in this many is held out
ASIA: Final = 0.3  # share of mixes with boards of Asian cities
CITIES: Final = [NAMES[board] for board in NAMES if board in ASIAN]
LANDSCAPES: Final = [NAMES[board] for board in NAMES if board not in ASIAN]


def is_held_out(config: Config) -> bool:
    """Whether the rule mix of a game is held out; the number and order of players do not matter."""
    mix: dict[str, Any] = {
        "modules": sorted(config.modules),
        "boards": sorted(set(config.boards)),
        "victory": config.victory,
        "advanced": config.advanced,
        "stockholm": config.stockholm,
        "godzilla_rules": config.godzilla_rules,
    }
    digest = hashlib.sha256(json.dumps(mix, sort_keys=True).encode()).digest()
    return int.from_bytes(digest[:8], "big") % IN == 0


def sample(seed: int, held_out: bool, players: int = 0) -> Iterator[Config]:
    """An endless stream of random mixes of one side of the split; `players` 0: 1 to 4."""
    for number in count():
        config = draw(np.random.default_rng([seed, number]), players)
        if is_held_out(config) == held_out:
            yield config


def first(n: int, seed: int, held_out: bool, players: int = 0) -> list[Config]:
    """The first n mixes of `sample`."""
    return list(islice(sample(seed, held_out, players), n))


def draw(rng: np.random.Generator, players: int = 0) -> Config:
    """Draw any mix the rules allow."""
    seats = players or int(rng.integers(1, SEATS + 1))
    likely = rng.random()
    chosen = [module for module in MODULES if rng.random() < likely]
    modules = {*chosen, *(needed for module in chosen for needed in EXPANSIONS[module].needs)}
    godzillas = "godzillas" in modules
    boards = _boards(rng, seats)
    only_votes = bool(set(boards) & set(CITIES))
    return Config(
        players=seats,
        modules=tuple(module for module in MODULES if module in modules),
        boards=tuple(boards),
        victory=VICTORIES[0] if only_votes else str(rng.choice(VICTORIES)),
        advanced=bool(rng.integers(2)),
        stockholm=godzillas and bool(rng.integers(2)),
        godzilla_rules=str(rng.choice(EDITIONS)) if godzillas else EDITIONS[0],
    )


def _boards(rng: np.random.Generator, players: int) -> list[str]:
    """One landscape for all, or one for each player, or different cities."""
    if rng.random() < ASIA:
        return [str(city) for city in rng.permutation(CITIES)[:players]]
    if rng.integers(2):
        return [str(rng.choice(LANDSCAPES))] * players
    return [str(rng.choice(LANDSCAPES)) for _ in range(players)]
