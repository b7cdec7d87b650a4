"""The agent protocol: answer a whole batch of games, from what the asked seats may see."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ClassVar, Final, TypeVar

import numpy as np
import numpy.typing as npt

from smallcity_env import arguments
from smallcity_env.batch import SKIP, Mask, States, fork, take
from smallcity_env.refusal import Refused
from smallcity_env.rules import rng

Actions = npt.NDArray[np.int64]
Streams = npt.NDArray[np.uint64]
FINITE: Final = 2**1000  # whole numbers that are floats too


class AgentError(Refused, ValueError):
    """An agent or checkpoint that cannot be used, with the reason."""


@dataclasses.dataclass
class Agent(ABC):
    """A player. Its dataclass fields are the options of its name: `search:sims=100,candidates=8`."""

    label: ClassVar[str]  # short name
    description: ClassVar[str]  # one line
    sees: ClassVar[str] = "state"  # "view": `act` gets states in which what the seat cannot see is resampled

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.sees == "view" and "act" in vars(cls):
            setattr(cls, "act", _with_views(cls.act))  # noqa: B010 - a plain assignment is no method to mypy

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            setattr(self, field.name, _option(self.label, field, getattr(self, field.name)))

    @property
    def name(self) -> str:
        """The name that `make` takes: the label and every option that is not the default."""
        options = [
            f"{field.name}={getattr(self, field.name)}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{self.label}:{','.join(options)}" if options else self.label

    @property
    def counts(self) -> dict[str, int]:
        """What the benchmark adds up over games besides time: illegal answers, forfeits, tokens."""
        return {}

    @abstractmethod
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """A legal answer for each game, for the seat in `seats`; ours return SKIP where none is legal.

        Draw randomness from `streams` only, one per game, advanced in place: then a game does not depend on
        the batch it is played in. Do not change the states, and read them only through `batch.observe` or
        `batch.fork`: they contain what other seats hide.
        """

    def act_in(
        self, games: Sequence[object], states: States, seats: Actions, legal: Mask, streams: Streams
    ) -> Actions:
        """`act`, for agents that remember games: a seat of a game always has the same key in `games`."""
        return self.act(states, seats, legal, streams)


def _option(label: str, field: "dataclasses.Field[Any]", value: Any) -> Any:
    """The value of an option in the type of its default; refuses any other type."""
    kind, given = type(field.default), value.item() if isinstance(value, np.generic) else value
    if kind not in (bool, int, float, str):
        return value
    if type(given) is kind:
        return given
    if kind is float and type(given) is int and abs(given) <= FINITE:
        return float(given)
    wrong = arguments.shown(value)
    raise AgentError(f"option {field.name} of {label} needs type {kind.__name__}, not {wrong}")


Result = TypeVar("Result")
Act = Callable[[Any, States, Actions, Mask, Streams], Result]


def checked(act: Act[Result]) -> Act[Result]:
    """Make `act` check its arrays and convert them for compiled code, or refuse them in one sentence."""

    @wraps(act)
    def checked_act(self: Any, states: States, seats: Actions, legal: Mask, streams: Streams) -> Result:
        games = arguments.games(states, written=False)
        who = arguments.seats(seats, games)
        mask = arguments.masks(legal, len(games), written=False)
        converted = arguments.streams(streams, len(games))
        chosen = act(self, games, who, mask, converted)
        arguments.give_back(converted, streams)
        return chosen

    return checked_act


def _with_views(act: Act[Actions]) -> Act[Actions]:
    """Make `act` receive states without what the seats cannot see; advances the streams once."""

    @wraps(act)
    def act_on_views(self: Any, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        return act(self, views(states, seats, streams), seats, legal, streams)

    return act_on_views


def views(states: States, seats: Actions, streams: Streams) -> States:
    """Games in which what the seats cannot see is resampled; advances the streams."""
    seen = fork(states, seats, streams)
    streams[:] = rng.streams(streams)
    return seen


def where_asked(act: Act[Actions]) -> Act[Actions]:
    """Make `act` receive only games with a legal answer, and return SKIP for the others."""

    @wraps(act)
    def answers(self: Any, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        asked = np.flatnonzero(legal.any(axis=1))
        if len(asked) == len(states) > 0:
            return act(self, states, seats, legal, streams)
        chosen = np.full(len(states), SKIP, np.int64)
        if len(asked):
            drawn = streams[asked]
            chosen[asked] = act(self, take(states, asked), seats[asked], legal[asked], drawn)
            streams[asked] = drawn
        return chosen

    return answers
