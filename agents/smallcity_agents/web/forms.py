"""What requests bring, by types, and refusals in a short sentence."""

from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from smallcity_env import typed
from smallcity_env.batch import IllegalAction
from smallcity_env.config import EDITIONS, VICTORIES
from smallcity_env.log import BadLog
from smallcity_env.refusal import Refused

from ..play.match import CannotUndo

MOST_ANSWERS: Final = 4  # in one gesture: what, where, which way, and one more
LARGEST_SEED: Final = 2**31
LONGEST_REFUSAL: Final = 500  # letters
Name = Annotated[str, Meta(max_length=200)]
Names = Annotated[list[Name], Meta(max_length=50)]
FormT = TypeVar("FormT", bound=msgspec.Struct)
REFUSALS: Final = (Refused, BadLog, CannotUndo, IllegalAction, ValueError)


class Unknown(Refused):
    """A link without a table."""


class Stale(Refused):
    """An answer to an earlier question."""


def refusal(error: Exception) -> tuple[int, dict[str, str]]:
    """The status of a refusal, and why in one short sentence."""
    status = 404 if isinstance(error, Unknown) else 409 if isinstance(error, Stale) else 400
    return status, {"wrong": shortened(str(error))}


def shortened(sentence: str) -> str:
    """A sentence that does not repeat everything it was sent."""
    return sentence if len(sentence) <= LONGEST_REFUSAL else f"{sentence[:LONGEST_REFUSAL]} ..."


def form_of(body: bytes, kind: type[FormT]) -> FormT:
    """The JSON object of a request; keys that it does not know are ignored."""
    try:
        return typed.convert(typed.decode(body), kind, "the request")
    except ValueError as wrong:
        raise Refused(str(wrong)) from None


class NewTable(msgspec.Struct):
    """A game to begin."""

    players: Names = []  # the agent of each seat, or human
    modules: Names = []
    boards: Names = []  # one for all players, or one each
    victory: Name = VICTORIES[0]
    advanced: bool = False
    stockholm: bool = False
    edition: Name = EDITIONS[0]  # of the Godzillas' rules
    seed: Annotated[int, Meta(ge=0, lt=LARGEST_SEED)] | None = None  # None: by chance
    automatic: bool = True  # answers without a decision are given by themselves
    hot_seat: bool = False  # one link for all people
    guided: bool = False  # a first game, explained


class Request(msgspec.Struct, kw_only=True):
    """What somebody at a table does."""

    version: Any = None  # of the question it answers
    next: bool = False  # whether to wait for the agents, and to send the next question


class Answer(Request):
    """Answers in one gesture."""

    answers: Annotated[list[int], Meta(min_length=1, max_length=MOST_ANSWERS)]


class Move(Request):
    """Moves of citizens: [borough, space, answer, answer ...] each."""

    moves: list[Annotated[list[int], Meta(min_length=3)]]

    @property
    def plan(self) -> dict[tuple[int, int], list[int]]:
        """The answers for the citizen on each space."""
        return {(move[0], move[1]): move[2:] for move in self.moves}


class Switch(Request):
    """A kind of automatic answers, on or off."""

    name: Name
    on: bool = False


class Undo(Request):
    """The last answer, or the whole turn."""

    turn: bool = False


class Substitute(Request):
    """Who plays a seat: an agent, or its person again."""

    seat: int
    agent: Name = ""


class Called(Request):
    """What a person wants to be called."""

    name: Annotated[str, Meta(min_length=1, max_length=24)]


class Speed(Request):
    """How fast agents answer."""

    speed: Name


class Numbers(msgspec.Struct):
    """A file of numbers."""

    text: str


class NewReplay(msgspec.Struct):
    """A log to show again, or the link of a game that is over."""

    log: str = ""
    token: str | None = None
