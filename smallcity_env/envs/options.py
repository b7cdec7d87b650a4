"""What every environment can be told besides the configuration of the game, and its checks."""

from typing import Final, Literal, TypeAlias, get_args

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
