"""The configuration of a game: players, modules, boards, victory, validated as a whole."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict

import numpy as np

from . import arguments
from .arguments import ArgumentError
from .rules.schema import STATE
from .rules.tables import ALL_ROUNDS, SEATS, Victory
from .rules.tables import MODULES as MODULES  # re-exported: games are configured here
from .rules.tables.maps import ASIAN, Board
from .rules.tables.maps import NAMES as BOARD_NAMES
from .rules.tables.modules import EXPANSIONS

_BOARDS: Final = {name: board for board, name in BOARD_NAMES.items()}
_VICTORIES: Final = {victory.name.lower(): victory for victory in Victory}
VICTORIES: Final = tuple(_VICTORIES)
EDITIONS: Final = ("2022", "2016")  # of the Godzillas rules; the first is the default
DEFAULT_BOARD: Final = BOARD_NAMES[Board.BASE_EASY]


class ConfigError(ArgumentError):
    """A configuration the rules do not allow; the message lists everything that is wrong with it."""


@dataclass(frozen=True, repr=False)
class Config:
    """The configuration of a game; the default is SU6: four players, base easy boards, Godzillas.

    players    1 to 4
    modules    any of MODULES; promise_cards needs new_buildings
    boards     one per player, or one name for all; the rules of terrain and Asian boards
               follow from them
    victory    votes, economics, population or culture (AD1)
    advanced   each player also draws a special promise (AD1)
    stockholm  each Radiation marker left scores 1 (G12)
    godzilla_rules  the edition of the Godzillas rules, 2022 or 2016 (G13)
    rounds     the game ends after this round, for short games to learn from; 0: after the last (E1, PP1)
    """

    players: int = SEATS
    modules: Iterable[str] = ("godzillas",)
    boards: Iterable[str] | str = field(default=DEFAULT_BOARD)
    victory: str = "votes"
    advanced: bool = False
    stockholm: bool = False
    godzilla_rules: str = EDITIONS[0]
    rounds: int = 0

    def __post_init__(self) -> None:
        for name in ("players", "rounds"):
            given = arguments.index(value := getattr(self, name))
            object.__setattr__(self, name, value if given is None else given)
        repeated = len(self._seats()) if isinstance(self.boards, str) else 1
        object.__setattr__(self, "modules", _names(self.modules, "modules"))
        object.__setattr__(self, "boards", _names(self.boards, "boards") * repeated)
        if wrong := [*self._wrong_names(), *self._wrong_mixes()]:
            raise ConfigError("; ".join(wrong))
        if self.rounds == self.all_rounds:
            object.__setattr__(self, "rounds", 0)

    def __repr__(self) -> str:
        """The arguments; `rounds` only of a game that is shorter."""
        shown = [name for name in self.__dataclass_fields__ if name != "rounds" or self.rounds]
        return f"Config({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    @property
    def all_rounds(self) -> int:
        """The rounds of a whole game (E1, PP1)."""
        return int(ALL_ROUNDS[int("power_plants" in self.modules)])

    def _seats(self) -> range:
        """The seats in play; empty if the number of players is invalid."""
        return range(self.players) if arguments.index(self.players) in range(1, SEATS + 1) else range(0)

    def _wrong_names(self) -> Iterable[str]:
        """Numbers out of range and unknown names."""
        if not self._seats():
            yield f"players must be 1 to {SEATS}, not {self.players!r}"
        elif len(tuple(self.boards)) != self.players:
            yield f"{self.players} players need {self.players} boards, not {len(tuple(self.boards))}"
        for module in self.modules:
            if module not in MODULES:
                yield f"there is no module {module!r}: choose from {', '.join(MODULES)}"
        for board in set(self.boards):
            if board not in _BOARDS:
                yield f"there is no board {board!r}: choose from {', '.join(_BOARDS)}"
        if self.victory not in VICTORIES:
            yield f"there is no victory {self.victory!r}: choose from {', '.join(_VICTORIES)}"
        for name in ("advanced", "stockholm"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                yield f"{name} must be True or False, not {getattr(self, name)!r}"
        if self.godzilla_rules not in EDITIONS:
            yield f"there are no godzilla rules {self.godzilla_rules!r}: choose from {', '.join(EDITIONS)}"

    def _wrong_mixes(self) -> Iterable[str]:
        """Combinations the rules do not allow (AS1, PC1, G12, G13)."""
        for module, count in Counter(self.modules).items():
            if count > 1:
                yield f"the module {module!r} is named {count} times"
        for module in (module for module in MODULES if module in self.modules):
            missing = [other for other in EXPANSIONS[module].needs if other not in self.modules]
            yield from (f"{module} needs {other}" for other in missing)
        if arguments.index(self.rounds) not in range(self.all_rounds + 1):
            yield f"rounds must be 0 (all) to {self.all_rounds} with these modules, not {self.rounds!r}"
        if self.stockholm and "godzillas" not in self.modules:
            yield "stockholm needs godzillas"
        if self.godzilla_rules == "2016" and "godzillas" not in self.modules:
            yield "the godzilla rules of 2016 need godzillas"
        cities = [board for board in self.boards if _BOARDS.get(board) in ASIAN]
        if cities and self.victory in VICTORIES and self.victory != "votes":
            yield f"the Asian boards ({', '.join(cities)}) allow only the victory 'votes'"
        for city, count in Counter(cities).items():
            if count > 1:
                yield f"the city {city!r} can be played once, not {count} times"

    def write(self, state: Any) -> None:
        """Write this configuration into a record."""
        rules = state["rules"]
        rules["players"] = self.players
        rules["rounds"] = self.rounds  # the set-up writes the rounds of a whole game for 0
        rules["victory"] = _VICTORIES[self.victory]
        rules["advanced"] = self.advanced
        rules["stockholm"] = self.stockholm
        rules["godzillas_2016"] = self.godzilla_rules == "2016"
        for module in MODULES:
            rules[module] = module in self.modules
        for seat, board in enumerate(self.boards):
            rules["board"][..., seat] = _BOARDS[board]

    @classmethod
    def of(cls, state: Any) -> "Config":
        """The configuration of the game in a record."""
        rules = state["rules"]
        players = int(rules["players"])
        return cls(
            players=players,
            modules=tuple(module for module in MODULES if rules[module]),
            boards=tuple(BOARD_NAMES[Board(b)] for b in rules["board"][:players]),
            victory=Victory(rules["victory"]).name.lower(),
            advanced=bool(rules["advanced"]),
            stockholm=bool(rules["stockholm"]),
            godzilla_rules="2016" if rules["godzillas_2016"] else EDITIONS[0],
            rounds=int(rules["rounds"]),
        )


def _names(given: object, what: str) -> tuple[str, ...]:
    """One or several names as a tuple."""
    if isinstance(given, str):
        return (given,)
    try:
        names = tuple(given) if isinstance(given, Iterable) else (None,)
    except TypeError:  # an array of no dimension
        names = (None,)
    if not all(isinstance(name, str) for name in names):
        raise ConfigError(f"{what} must be names, not {arguments.shown(given)}")
    return names


class ConfigArguments(TypedDict, total=False):
    """The arguments of `Config`, accepted by every environment; `Config` describes them."""

    players: int
    modules: Iterable[str]
    boards: Iterable[str] | str
    victory: str
    advanced: bool
    stockholm: bool
    godzilla_rules: str
    rounds: int


def configured(config: Config | None, given: ConfigArguments, players: int) -> Config:
    """The configuration of an environment, from `config` or its arguments; `players` is the default."""
    if unknown := sorted(set(given) - set(Config.__dataclass_fields__)):
        known = ", ".join(Config.__dataclass_fields__)
        raise TypeError(f"there is no argument {unknown[0]!r}: a game is configured by {known}")
    if config is None:
        merged: ConfigArguments = {"players": players}
        merged.update(given)
        return Config(**merged)
    if given:
        raise ConfigError(f"give either config or {', '.join(given)}, not both")
    return checked(config)


def checked(config: object) -> Config:
    """A configuration, or a ConfigError."""
    if not isinstance(config, Config):
        raise ConfigError(f"a game needs a Config, not {arguments.shown(config)}")
    return config


def blank(n: int, config: Config) -> "np.ndarray[Any, Any]":
    """N records with their configuration written and everything else zero."""
    states = np.zeros(n, STATE)
    checked(config).write(states)
    return states
