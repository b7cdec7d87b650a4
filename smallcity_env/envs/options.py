"""What every environment can be told besides the configuration of the game, and its checks."""

from typing import Final, Literal, TypeAlias, get_args

from ..config import ConfigError

Illegal: TypeAlias = Literal["raise", "terminate"]
"""What an illegal action does: it raises `IllegalAction`, or it ends the episode and its player loses."""

RENDER_MODES: Final = ("ansi", "human", "rgb_array")


def checked_illegal(illegal: Illegal) -> Illegal:
    """What an illegal action does, or a ConfigError."""
    if illegal not in get_args(Illegal):
        raise ConfigError(f"illegal must be {' or '.join(get_args(Illegal))}, not {illegal!r}")
    return illegal


def checked_mode(mode: str | None, modes: tuple[str, ...] = RENDER_MODES) -> str | None:
    """A render mode, or a ConfigError."""
    if mode not in (None, *modes):
        raise ConfigError(f"there is no render mode {mode!r}: choose from {', '.join(modes)}")
    return mode
