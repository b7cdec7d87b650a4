"""Godzillas as people see them: the dice, where each walks, whom it eats and what is lost (G1 - G9)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..language import lazy, lazy_n
from ..rules.actions import space_name
from ..rules.modules.trample import GONE, WALKING
from ..rules.phases.pollution import TRAMPLING, WAKING
from ..rules.tables import Ask, Phase
from ..rules.turns import playing
from .lines import Line, count, spaces_words
from .steps import Step

Lines = Iterator[Line]


class Walk(NamedTuple):
    """A part of a walk, from one question to the next."""

    number: int  # of the answer in the log
    seat: int
    die: int
    path: list[int]  # the spaces of its head, the one it comes from first


class Roll(NamedTuple):
    """The dice of a round."""

    number: int  # of the answer that reveals them
    dice: list[int]  # of every seat; 0: out of the game


def rolled(number: int, step: Step) -> Roll | None:
    """The dice rolled in a step, if any."""
    if step.before["die"].any() or not step.after["die"].any():
        return None
    return Roll(number, [int(n) for n in step.after["die"][: step.players]])


def walked(number: int, steps: list[Step]) -> Walk | None:
    """Where a godzilla walks after an answer, if the answer sends it on its way."""
    first = steps[0]
    if first.ask not in (Ask.LEAVE_WAY, Ask.TURN):
        return None
    seat = first.seat
    path = [int(first.before["space" if first.ask is Ask.LEAVE_WAY else "head"])]
    for step in steps:
        if step.after["stage"] == WALKING and step.after["head"] != path[-1]:
            path.append(int(step.after["head"]))
        elif step.after["stage"] != WALKING:
            break
    return Walk(number, seat, int(first.before["die"][seat]), path)


def trampling(step: Step) -> Lines:
    """The lines of the godzillas, in any step before pollution is measured."""
    if step.phase is not Phase.POLLUTION or step.before["part"] not in (WAKING, TRAMPLING):
        return
    if step.before["part"] == WAKING:
        yield from _break_and_dice(step)
    elif 0 <= step.before["turn"] < step.players:
        yield from _walk(step)


def _break_and_dice(step: Step) -> Lines:
    """Last round's godzillas leave Radiation; then all roll (G1, G2)."""
    for p in range(step.players):
        before = step.before["borough"][p]
        if count(before["godzilla"]) > count(step.after["borough"][p]["godzilla"]):
            where = spaces_words(before["godzilla"])
            yield Line(p, lazy("The godzilla left Radiation on {spaces}", spaces=where), step.gains[p])
    yield from _dice(step)


def _dice(step: Step) -> Lines:
    """Who is spared, and at equal dice why not (G2)."""
    dice, hosts = step.after["die"][: step.players], step.after["hosts"][: step.players] != 0
    spared = [int(die) for die in dice[~hosts]]
    for p, die in ((p, int(die)) for p, die in enumerate(dice) if die):
        if not (playing(step.before, p) and hosts[p]):
            text = lazy("Rolled {die}, the lowest: spared", die=die)
        elif die in spared:
            text = lazy(
                "Rolled {die}, as low, but with more pollution or factory spaces: a godzilla comes", die=die
            )
        else:
            text = lazy("Rolled {die}: a godzilla comes", die=die)
        yield Line(p, text)


def _walk(step: Step) -> Lines:
    p = step.seat
    before, after = step.boroughs(p)
    eaten, stands = _people(before) - _people(after), spaces_words(after["godzilla"])
    if not count(before["godzilla"]) and count(after["godzilla"]):
        yield Line(p, lazy("A godzilla appeared on {spaces}", spaces=stands), step.gains[p])
        yield from _eaten(p, eaten)
    elif eaten or step.gains[p]:
        where = space_name(int(step.after["head"]))
        yield Line(p, lazy("The godzilla entered {space}", space=where), step.gains[p])
        yield from _eaten(p, eaten)
    if step.change(p, "doctor") < 0:
        yield Line(p, lazy("The Doctor is eaten"))
    if step.after["stage"] == GONE != step.before["stage"]:
        if stands:
            yield Line(p, lazy("The godzilla stands on {spaces}", spaces=stands))
        else:
            yield Line(p, lazy("The godzilla found no factory and no Harbor and wandered off"))


def _eaten(p: int, n: int) -> Lines:
    if n:
        yield Line(p, lazy_n("{n} citizen eaten", "{n} citizens eaten", n))


def _people(b: Any) -> int:
    """Everybody in a borough."""
    return count(b["citizens"]) + int(b["riders"].sum())
