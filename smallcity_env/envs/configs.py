"""Different rules in one batch: the configuration of every game is drawn by the game's own seed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..arguments import shown
from ..batch import RULES_BYTES, States
from ..config import Config, ConfigError, blank, checked
from ..rules.tables import SEATS

Sampler: TypeAlias = Callable[[np.random.Generator], Config]
Given: TypeAlias = Sequence[Config] | Sampler
_TAG: Final = 0x636F6E66  # beside a game's seed: its configuration and its chance are not related


class Configs:
    """Configurations to draw from: a list, each as likely, or a function of a numpy Generator."""

    def __init__(self, given: Given) -> None:
        self._sampler = given if callable(given) else None
        self._listed = () if callable(given) else tuple(map(checked, _several(given)))
        self.players: int = max((config.players for config in self._listed), default=SEATS)  # at most

    def draw(self, seed: int) -> Config:
        """The configuration of the game with this seed."""
        random = np.random.default_rng([_TAG, seed])
        if self._sampler is not None:
            return checked(self._sampler(random))
        return self._listed[random.integers(len(self._listed))]

    def write(
        self, states: States, rows: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64], seat: int | None
    ) -> None:
        """Draw the configurations of games that begin; `seat` must be one of each."""
        rules = rules_of(states)
        for row, seed in zip(rows.tolist(), seeds.tolist(), strict=True):
            config = self.draw(seed)
            if seat is not None and seat >= config.players:
                raise ConfigError(f"there is no seat {seat} in a game of {config.players} players")
            rules[row] = rules_of(blank(1, config))[0]


def given(configs: Given | None, config: Config | None, variant: Mapping[str, Any]) -> Configs | None:
    """The configurations to draw from, if there are several; refuses a single one beside them."""
    if configs is not None and (config is not None or variant):
        raise ConfigError(f"give either configs or {', '.join(variant) or 'config'}, not both")
    return None if configs is None else Configs(configs)


def rules_of(states: States) -> npt.NDArray[np.uint8]:
    """A view of the rules of every game, as bytes."""
    return states.view(np.ndarray).view(np.uint8).reshape(len(states), -1)[:, RULES_BYTES]


def _several(given: Any) -> Sequence[Any]:
    """A list that is not empty."""
    if not isinstance(given, list | tuple) or not given:
        raise ConfigError(f"configs must be a list of Config or a function that draws one: {shown(given)}")
    return given
