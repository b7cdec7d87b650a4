"""An answer step by step: the answer itself, then each step of the rules until the next question."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from .. import batch
from ..calls import change
from ..rules import entries
from ..rules.tables import Ask, Phase
from ..rules.turns import mover
from .lines import Gains, gains_of

BY_THE_RULES: Final = -1  # as an action: what follows from the last answer


class Step:
    """One step of a game, with the states before and after it."""

    def __init__(self, before: Any, after: Any, action: int) -> None:
        self.before, self.after, self.action = before, after, action
        self.ask = Ask(before["ask"])  # NONE: a step of the rules
        self.phase = Phase(before["phase"])
        self.players = int(before["rules"]["players"])

    @cached_property
    def gains(self) -> list[Gains]:
        """What the step changed in every borough."""
        return [gains_of(*self.boroughs(p)) for p in range(self.players)]

    @property
    def seat(self) -> int:
        """Who answers, or whose turn it is."""
        return int(self.before["seat"] if self.ask else mover(self.before))

    @property
    def own(self) -> Gains:
        """What the step changed for who answers."""
        return self.gains[self.seat]

    def boroughs(self, p: int) -> tuple[Any, Any]:
        """A borough before and after the step."""
        return self.before["borough"][p], self.after["borough"][p]

    def change(self, p: int, field: str) -> int:
        """How much a number of a borough has changed."""
        before, after = self.boroughs(p)
        return int(after[field]) - int(before[field])

    def new(self, p: int, field: str) -> Any:
        """The spaces that a set of a borough has gained."""
        before, after = self.boroughs(p)
        return after[field] & ~before[field]


def steps(states: batch.States, action: int) -> Iterator[Step]:
    """Give an answer in one game, step by step."""
    before = states[0].copy()
    batch.apply(states, [action])
    after = states[0].copy()
    yield Step(before, after, action)
    while after["ask"] == Ask.NONE:
        change(entries.proceed, states)
        before, after = after, states[0].copy()
        yield Step(before, after, BY_THE_RULES)
