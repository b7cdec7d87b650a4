"""Setting up games in the browser: the choices, ready-made tables, and a game from a form."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from smallcity_env.config import EDITIONS, MODULES, VICTORIES, Config
from smallcity_env.language import _, lazy, translated
from smallcity_env.refusal import Refused
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables import SEATS
from smallcity_env.rules.tables.expansions import WAKE_ROUND
from smallcity_env.rules.tables.in_force import FINGERPRINT
from smallcity_env.rules.tables.maps import NAMES as BOARD_NAMES
from smallcity_env.rules.tables.names import MODULE_TITLES, VICTORY_NAMES, board_title

from .. import AGENTS, COMMAND, load, make
from ..benchmark import anchors
from ..level import LEVELS, Level
from ..play.match import HUMAN
from . import guide, puzzles
from .forms import NewTable
from .mixes import impossible

MOST: Final = {  # of the options of agents that a form may set: a decision takes a quarter of a second
    "sims": 256,
    "seconds": 0.2,
    "candidates": 50,
    "c_ucb": 10.0,
    "widening": 10.0,
    "prior_net": 1.0,
    "prior_weight": 10.0,
    "noise": 10.0,
    "temperature": 10.0,
}
READY_MADE: Final[list[dict[str, Any]]] = [
    {
        "id": "first",
        "name": lazy("First game"),
        "words": lazy("A guide explains what is new, for {n} rounds; then you are free.", n=guide.ROUNDS),
        "players": ["human", guide.OPPONENT],
        "modules": [],
        "seed": guide.SEED,
        "guided": True,
    },
    {
        "id": "second",
        "name": lazy("Second game"),
        "words": lazy("The plain rules again, against a little more resistance."),
        "players": ["human", guide.NEXT],
        "modules": [],
    },
    {
        "id": "godzillas",
        "name": lazy("Godzillas"),
        "words": lazy("Four mayors. From round {n} somebody wakes what sleeps in the bay.", n=WAKE_ROUND),
        "players": ["human", "level:3", "level:2", "level:4"],
        "modules": ["godzillas"],
    },
    {
        "id": "everything",
        "name": lazy("Everything"),
        "words": lazy("Every module on four different boards."),
        "players": ["human", "level:5", "level:4", "level:6"],
        "modules": list(MODULES),
        "boards": ["base-easy", "river-easy", "mountain-easy", "base-expert"],
    },
    {
        "id": "alone",
        "name": lazy("Alone"),
        "words": lazy("Solo, against the scale of titles."),
        "players": ["human"],
        "modules": ["godzillas"],
    },
    {
        "id": "watch",
        "name": lazy("Watch"),
        "words": lazy("Four agents play; you lean back."),
        "players": ["level:8", "level:7", "level:6", "level:5"],
        "modules": ["godzillas"],
    },
]

OFFERED: Final[list[str]] = []  # agents of the command line: a form may name exactly these, and no other code


def offer(names: Iterable[str]) -> None:
    """Let forms and stored tables name these agents too."""
    OFFERED[:] = [make(name).name for name in names]


def choices() -> dict[str, Any]:
    """Everything the set-up page offers."""
    listed = [name for name in AGENTS if name not in (Level.label, COMMAND)]
    agents = {name: translated(load(name).description) for name in listed}
    agents |= dict.fromkeys(OFFERED, _("named on the command line"))
    known = [translated(vars(level)["description"]) for level in LEVELS]
    levels = {f"{Level.label}:{n}": words for n, words in enumerate(known, start=1)}
    return {
        "seats": SEATS,
        "modules": {module: str(MODULE_TITLES.get(module, module)) for module in MODULES},
        "boards": {name: board_title(board) for board, name in BOARD_NAMES.items()},
        "victories": {
            name: str(words) for name, words in zip(VICTORIES, VICTORY_NAMES.values(), strict=True)
        },
        "editions": list(EDITIONS),
        "levels": levels,
        "agents": agents,
        "ready": [table | {"name": str(table["name"]), "words": str(table["words"])} for table in READY_MADE],
        "puzzles": len(puzzles.shipped()),
        "scale": scale(),
        "numbers": "" if FINGERPRINT == STANDARD else FINGERPRINT,
    }


@cache
def scale() -> list[float]:
    """The strengths of the levels, from that of random on; none by other numbers or nets."""
    try:
        return anchors.load(anchors.SHIPPED).scales["duel"].strengths
    except Refused:
        return []


def config_of(form: NewTable) -> Config:
    """The game a form describes; impossible mixes are refused."""
    names, boards = players_of(form), form.boards or ["base-easy"]
    if wrong := " ".join(impossible(form)):
        raise Refused(wrong)
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
        raise Refused(_("a table has 1 to {most} players, not {n}", most=SEATS, n=len(form.players)))
    return [name if name == HUMAN else _agent(name) for name in form.players]


def _agent(name: str) -> str:
    """The whole name of an agent; a form names no files and no agents of the user, and they think briefly."""
    if name in OFFERED:
        return name
    label, _colon, options = name.partition(":")
    if label not in AGENTS or label == COMMAND:
        known = ", ".join(other for other in AGENTS if other != COMMAND)
        raise Refused(_("there is no agent “{name}”: choose from {known}", name=name, known=known))
    for option in options.split(",") if label != Level.label else []:
        if option and option.partition("=")[0] not in MOST:
            known = ", ".join(MOST)
            raise Refused(
                _("at a table agents take the options {known}, not “{option}”", known=known, option=option)
            )
    agent = make(name)
    for option, most in MOST.items():
        if getattr(agent, option, 0) > most:
            raise Refused(
                _(
                    "at a table the option {option} of {agent} is {most} at most",
                    option=option,
                    agent=label,
                    most=f"{most:g}",
                )
            )
    return agent.name


def again(config: Config, names: list[str], automatic: bool, hot_seat: bool) -> NewTable:
    """The form of another game at the same table: everybody moves on by a seat, boards stay."""
    return NewTable(
        players=[names[-1], *names[:-1]],
        modules=list(config.modules),
        boards=list(config.boards),
        victory=config.victory,
        advanced=config.advanced,
        stockholm=config.stockholm,
        edition=config.godzilla_rules,
        automatic=automatic,
        hot_seat=hot_seat,
    )
