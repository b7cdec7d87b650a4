"""Preview the effect of answers on one's own borough, in forks that resample what is hidden."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.history.lines import change_words, count
from smallcity_env.language import _, lazy
from smallcity_env.rules.tables import Ask, Material
from smallcity_env.rules.tables.names import MATERIAL_NAMES

DISCLAIMER: Final = lazy("Simulated in a copy of the game that redraws everything you cannot see.")
_TRACKS: Final = {"votes": lazy("votes"), "pollution": lazy("pollution")}
_FOLLOW_UPS: Final = {Ask.WHAT: (Ask.WHERE, Ask.WAY), Ask.ROW: (Ask.PAY,)}
_SEED: Final = 1


class Effect(NamedTuple):
    """What an answer changes, in words: by itself, and by what follows before the next question."""

    own: str
    follows: str


def effects(states: States, seat: int, answers: list[int]) -> dict[int, Effect]:
    """The effect of each legal answer of one game.

    Follow-up questions get their first legal answer: a build is placed, an advance paid.
    """
    copies = batch.fork(np.repeat(states, len(answers)), seat, np.full(len(answers), _SEED))
    before = batch.clone(copies)
    done = _apply(copies, seat, answers)
    _run_to_choice(copies)
    boroughs = (games["borough"][:, seat] for games in (before, done, copies))
    steps = zip(answers, *boroughs, strict=True)
    return {action: Effect(changes(a, b), changes(b, c)) for action, a, b, c in steps}


def _apply(copies: States, seat: int, answers: list[int]) -> States:
    """Apply the answers and their follow-ups; return the games before anything else happens."""
    follow_ups = _FOLLOW_UPS.get(Ask(copies[0]["ask"]), ())
    batch.apply(copies, answers)
    done = batch.clone(copies)
    open_games = np.arange(len(copies))
    while len(open_games):
        games = batch.take(copies, open_games)
        batch.run_to_question(games)
        asked = np.isin(games["ask"], follow_ups) & (games["seat"] == seat)
        games, open_games = batch.take(games, np.flatnonzero(asked)), open_games[asked]
        if len(games):
            batch.apply(games, batch.masks(games).argmax(axis=1))
            batch.put(copies, open_games, games)
            batch.put(done, open_games, games)
    return done


def _run_to_choice(copies: States) -> None:
    """Run to the next question with a choice, auto-playing forced answers."""
    batch.run_to_question(copies)
    forced: npt.NDArray[np.int64] = np.arange(len(copies))
    while len(forced):
        games = batch.take(copies, forced)
        legal = batch.masks(games)
        only = legal.sum(axis=1) == 1
        games, legal, forced = batch.take(games, np.flatnonzero(only)), legal[only], forced[only]
        batch.answer(games, legal.argmax(axis=1), legal)
        batch.put(copies, forced, games)


def changes(before: Any, after: Any) -> str:
    """The differences of a borough, in words."""
    parts = []
    if before["money"] != after["money"]:
        gained = change_words("money", int(after["money"]) - int(before["money"]))
        parts.append(_("{change} (${n} left)", change=gained, n=after["money"]))
    for name, words in _TRACKS.items():
        if before[name] != after[name]:
            parts.append(f"{words} {after[name] - before[name]:+}")
    for material in Material:
        change = count(after["materials"][material]) - count(before["materials"][material])
        if change:
            parts.append(f"{MATERIAL_NAMES[material]} {change:+}")
    if before["zone_side"] != after["zone_side"]:
        parts.append(_("zone {n} x {n}", n=after["zone_side"]))
    if markers := count(after["markers"]) - count(before["markers"]):
        parts.append(_("radiation {n}", n=f"{markers:+}"))
    if people := count(after["citizens"]) - count(before["citizens"]):
        parts.append(_("people {n}", n=f"{people:+}"))
    return ", ".join(parts)
