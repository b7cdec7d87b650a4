"""Setting up games in the browser: the choices, ready-made tables, and a game from a form."""

from collections.abc import Iterable
from typing import Any, Final

from smallcity_env.config import EDITIONS, MODULES, VICTORIES, Config
from smallcity_env.refusal import Refused
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables import SEATS
from smallcity_env.rules.tables.expansions import WAKE_ROUND
from smallcity_env.rules.tables.in_force import FINGERPRINT
from smallcity_env.rules.tables.maps import NAMES as BOARD_NAMES

from .. import AGENTS, COMMAND, load, make
from ..level import LEVELS, Level
from ..play.match import HUMAN
from .forms import NewTable

MOST: Final = {  # of the options of agents that a form may set: a decision takes a quarter of a second
    "sims": 256,
    "seconds": 0.2,
    "candidates": 50,
    "c_ucb": 10.0,
    "widening": 10.0,
    "prior_weight": 10.0,
    "noise": 10.0,
    "temperature": 10.0,
}
READY_MADE: Final = [
    {
        "name": "First game",
        "words": "You and a friendly opponent, the plain rules, no monsters.",
        "players": ["human", "greedy"],
        "modules": [],
    },
    {
        "name": "Godzillas",
        "words": f"Four mayors. From round {WAKE_ROUND} somebody wakes what sleeps in the bay.",
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

OFFERED: Final[list[str]] = []  # agents of the command line: a form may name exactly these, and no other code


def offer(names: Iterable[str]) -> None:
    """Let forms and stored tables name these agents too."""
    OFFERED[:] = [make(name).name for name in names]


def choices() -> dict[str, Any]:
    """Everything the set-up page offers."""
    agents = {name: load(name).description for name in AGENTS if name not in (HUMAN, Level.label, COMMAND)}
    agents |= dict.fromkeys(OFFERED, "named on the command line")
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


def config_of(form: NewTable) -> Config:
    """The game a form describes; impossible mixes are refused in Config's own words."""
    names, boards = players_of(form), form.boards or ["base-easy"]
    return Config(
        players=len(names),
        modules=tuple(form.modules),
        boards=boards[0] if len(boards) == 1 else tuple(boards[: len(names)]),
        victory=form.victory,
        advanced=form.advanced,
        stockholm=form.stockholm,
        godzilla_rules=form.edition,
    )


def players_of(form: NewTable) -> list[str]:
    """The agent of each seat."""
    if not 1 <= len(form.players) <= SEATS:
        raise Refused(f"a table has 1 to {SEATS} players, not {len(form.players)}")
    return [name if name == HUMAN else _agent(name) for name in form.players]


def _agent(name: str) -> str:
    """The whole name of an agent; a form names no files and no agents of the user, and they think briefly."""
    if name in OFFERED:
        return name
    label, _, options = name.partition(":")
    if label not in AGENTS or label == COMMAND:
        raise Refused(f"there is no agent {name!r}: choose from {', '.join(AGENTS)}")
    for option in options.split(",") if label != Level.label else []:
        if option and option.partition("=")[0] not in MOST:
            raise Refused(f"at a table agents take the options {', '.join(MOST)}, not {option!r}")
    agent = make(name)
    for option, most in MOST.items():
        if getattr(agent, option, 0) > most:
            raise Refused(f"at a table the option {option} of {label} is {most:g} at most")
    return agent.name
