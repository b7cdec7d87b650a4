"""Setting up games in the browser: the choices, ready-made tables, and a game from a form."""

from typing import Any, Final

from smallcity_env.config import EDITIONS, MODULES, VICTORIES, Config
from smallcity_env.refusal import Refused
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables import SEATS
from smallcity_env.rules.tables.in_force import FINGERPRINT
from smallcity_env.rules.tables.maps import NAMES as BOARD_NAMES

from .. import AGENTS, load, make
from ..level import LEVELS, Level
from ..play.match import HUMAN

LARGEST_SEED: Final = 2**31
READY_MADE: Final = [
    {
        "name": "First game",
        "words": "You and a friendly opponent, the plain rules, no monsters.",
        "players": ["human", "greedy"],
        "modules": [],
    },
    {
        "name": "Godzillas",
        "words": "Four mayors. From round five somebody wakes what sleeps in the bay.",
        "players": ["human", "greedy", "culture", "merchant"],
        "modules": ["godzillas"],
    },
    {
        "name": "Everything",
        "words": "Every module on four different boards.",
        "players": ["human", "greedy", "green", "industrialist"],
        "modules": list(MODULES),
        "boards": ["base-easy", "river-easy", "mountain-easy", "base-expert"],
    },
    {
        "name": "Alone",
        "words": "Solo, against the scale of titles.",
        "players": ["human"],
        "modules": ["godzillas"],
    },
    {
        "name": "Watch",
        "words": "Four agents play; you lean back.",
        "players": ["greedy", "culture", "merchant", "green"],
        "modules": ["godzillas"],
    },
]


def choices() -> dict[str, Any]:
    """Everything the set-up page offers."""
    agents = {name: load(name).description for name in AGENTS if name not in (HUMAN, Level.label)}
    levels = {f"{Level.label}:{n + 1}": vars(level)["description"] for n, level in enumerate(LEVELS)}
    return {
        "seats": SEATS,
        "modules": list(MODULES),
        "boards": list(BOARD_NAMES.values()),
        "victories": list(VICTORIES),
        "editions": list(EDITIONS),
        "levels": levels,
        "agents": agents,
        "ready": READY_MADE,
        "numbers": "" if FINGERPRINT == STANDARD else FINGERPRINT,
    }


def config_of(form: dict[str, Any]) -> Config:
    """The game a form describes; impossible mixes are refused in Config's own words."""
    names = players_of(form)
    boards = _words(form, "boards") or ["base-easy"]
    return Config(
        players=len(names),
        modules=tuple(_words(form, "modules")),
        boards=boards[0] if len(boards) == 1 else tuple(boards[: len(names)]),
        victory=str(form.get("victory", VICTORIES[0])),
        advanced=form.get("advanced") is True,
        stockholm=form.get("stockholm") is True,
        godzilla_rules=str(form.get("edition", EDITIONS[0])),
    )


def players_of(form: dict[str, Any]) -> list[str]:
    """The agent of each seat; a form cannot name the user's own agents."""
    names = _words(form, "players")
    if not 1 <= len(names) <= SEATS:
        raise Refused(f"a table has 1 to {SEATS} players, not {len(names)}")
    for name in names:
        if name.partition(":")[0] not in AGENTS:
            raise Refused(f"there is no agent {name!r}: choose from {', '.join(AGENTS)}")
    return [name if name == HUMAN else make(name).name for name in names]


def seed_of(form: dict[str, Any], chance: int) -> int:
    """The seed of a form, or a random one."""
    seed = form.get("seed")
    if seed in (None, ""):
        return chance % LARGEST_SEED
    if not isinstance(seed, int) or not 0 <= seed < LARGEST_SEED:
        raise Refused(f"a seed is a whole number from 0 to {LARGEST_SEED - 1}, not {seed!r}")
    return seed


def _words(form: dict[str, Any], key: str) -> list[str]:
    """A list of words in a form."""
    words = form.get(key, [])
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise Refused(f"{key} must be a list of names")
    return words
