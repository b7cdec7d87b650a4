"""Options of all environments besides the configuration of the game, and their checks."""

from typing import Any, Final, Literal, TypeAlias, get_args

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from .. import arguments
from ..arguments import shown
from ..config import ConfigError
from ..rules.layout import Form

Illegal: TypeAlias = Literal["raise", "terminate"]
"""What an illegal action does: it raises `IllegalAction`, or it ends the episode and its player loses."""

Observing: TypeAlias = Literal["compact", "planes"]
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


def checked_start(options: dict[str, Any]) -> dict[str, Any]:
    """Reset options of one game; unknown ones raise only a warning, as PettingZoo's own test requires."""
    if unknown := set(options) - {"text", "save", "names"}:
        names = ", ".join(map(repr, sorted(unknown)))
        gymnasium.logger.warn("unknown reset option %s: only text, save and names are known", names)
    if not isinstance(options.get("names", False), bool):
        raise ConfigError(f"the option names must be True or False, not {shown(options['names'])}")
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


def rows_to_reset(options: dict[str, Any], n: int) -> npt.NDArray[np.int64]:
    """The rows in which the `reset` of a batch begins a new game."""
    if unknown := set(options) - {"reset_mask"}:
        raise ConfigError(f"unknown reset option {', '.join(map(repr, unknown))}: only 'reset_mask' is known")
    if "reset_mask" not in options:
        return np.arange(n)
    mask = np.asarray(options["reset_mask"])
    if mask.shape != (n,) or mask.dtype != np.bool_:
        raise ConfigError(f"reset_mask must be {n} bools, not {mask.dtype} of shape {mask.shape}")
    return np.flatnonzero(mask)


def row_seeds(seed: Any, kept: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A seed for every row; None keeps the row's own."""
    n = len(kept)
    if not isinstance(seed, list | tuple) and np.ndim(seed) == 0:
        return np.arange(n).astype(np.uint64) + np.uint64(arguments.seed(seed))
    if len(seed) != n:
        raise ConfigError(f"{n} games need one seed or {n}, not {len(seed)}")
    given = [k if s is None else s for s, k in zip(seed, kept.tolist(), strict=True)]
    return arguments.seeds(given, n)
