"""The end of a game: what the points come from, and how far promises are kept (E1)."""

from collections.abc import Iterator
from typing import Any, Final

from ..language import _, lazy
from ..rules import scoring
from ..rules.tables import Victory
from ..rules.tables.names import VICTORY_NAMES
from ..rules.tables.promises import BY_NUMBER, NO_LIMIT, Need
from .lines import POINTS, Later, Line

_CONDITIONS: Final = {
    Victory.VOTES: lazy("Votes"),
    Victory.ECONOMICS: lazy("Economics: money, materials, shops and factories"),
    Victory.POPULATION: lazy("Population: citizens and homes"),
    Victory.CULTURE: lazy("Culture: cultural, service and real buildings"),
}


def final_lines(s: Any) -> Iterator[Line]:
    """The parts of every score."""
    for p in range(s.rules.players):
        b = s.borough[p]
        condition = int(scoring.condition(s, b, p))
        victory = Victory(int(s.rules.victory))
        title = _CONDITIONS.get(victory, VICTORY_NAMES[victory])
        yield Line(p, title, {POINTS: condition})
        for number, points in promise_points(s, p):
            yield Line(p, _promise(s, p, number, points), {POINTS: points})
        if b.pollution:
            yield Line(p, lazy("Pollution"), {POINTS: -int(b.pollution)})
        if radiation := int(scoring.radiation_points(s, b)):
            yield Line(p, lazy("Radiation, Stockholm variant"), {POINTS: radiation})


def _promise(s: Any, p: int, number: int, points: int) -> Any:
    name, progress = BY_NUMBER[number].name, Later(progress_words, s, p, number)
    if points > 0:
        return lazy("{promise} kept: {progress}", promise=name, progress=progress)
    return lazy("{promise} broken: {progress}", promise=name, progress=progress)


def promise_points(s: Any, p: int) -> list[tuple[int, int]]:
    """The number of every promise of a seat with the points it brings or costs."""
    b = s.borough[p]
    held = {int(b.promise): scoring.promise_points(s, p), int(b.special): scoring.special_points(s, p)}
    return [(number, int(points)) for number, points in held.items() if number]


def progress_words(s: Any, p: int, number: int) -> str:
    """How far a promise is kept: 8 of at most 10."""
    needs = BY_NUMBER[number].needs
    return ", ".join(_need_words(int(scoring.measure(s, p, need.metric)), need) for need in needs)


def _need_words(have: int, need: Need) -> str:
    if need.low > -NO_LIMIT:
        return _("{have} of {need}", have=have, need=need.low)
    return _("{have} of at most {need}", have=have, need=need.high)
