"""Options of all environments besides the configuration of the game, and their checks."""

from typing import Any, Final, Literal, TypeAlias, get_args

from gymnasium.vector import AutoresetMode

from .. import arguments
from ..arguments import shown
from ..config import ConfigError
from ..rules.layout import Form

Illegal: TypeAlias = Literal["raise", "terminate"]
"""What an illegal action does: it raises `IllegalAction`, or it ends the episode and its player loses."""

Observing: TypeAlias = Literal["compact", "vector", "planes"]
"""The form of observations (docs/observations.md)."""

RENDER_MODES: Final = ("ansi", "human", "rgb_array")


def checked_illegal(illegal: Illegal) -> Illegal:
    """What an illegal action does, or a ConfigError."""
    if illegal not in get_args(Illegal):
        raise ConfigError(f"illegal must be {' or '.join(get_args(Illegal))}, not {illegal!r}")
    return illegal


def checked_form(observation: Observing) -> Form:
    """The form of observations, or a ConfigError."""
    if observation not in get_args(Observing):
        known = ", ".join(get_args(Observing))
        raise ConfigError(f"there is no observation {observation!r}: choose from {known}")
    return Form[observation.upper()]


def checked_mode(mode: str | None, modes: tuple[str, ...] = RENDER_MODES) -> str | None:
    """A render mode, or a ConfigError."""
    if mode not in (None, *modes):
        raise ConfigError(f"there is no render mode {mode!r}: choose from {', '.join(modes)}")
    return mode


def checked_reset(options: Any) -> dict[str, Any]:
    """The options of a reset, or a ConfigError; None means no options."""
    if options is None:
        return {}
    if not isinstance(options, dict) or not all(isinstance(name, str) for name in options):
        raise ConfigError(f"reset options must be a dict by name, not {shown(options)}")
    return options


def checked_count(games: int) -> int:
    """The number of games of a batch, or an ArgumentError."""
    return arguments.count(games, "the number of games", low=1)


def checked_autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    """When ended games begin again, or a ConfigError."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(known.value for known in AutoresetMode)
        raise ConfigError(f"there is no autoreset mode {mode!r}: choose from {names}") from None


def checked_seat(seat: int | None, opponents: object, players: int) -> int | None:
    """The learner's seat, if it is fixed, or a ConfigError."""
    if seat is not None and opponents is None:
        raise ConfigError("seat fixes the learner's seat against opponents: name opponents too")
    return None if seat is None else arguments.seat(seat, players)
