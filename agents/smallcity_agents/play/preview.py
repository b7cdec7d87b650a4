"""Preview the effect of answers on one's own borough, in forks that redraw what is hidden."""

from typing import Any, Final

import numpy as np

from smallcity_env import batch
from smallcity_env.batch import SKIP, States
from smallcity_env.rules.tables import Ask, Material

DISCLAIMER: Final = "Simulated in a copy of the game that redraws everything you cannot see."
_FOLLOW_UPS: Final = {Ask.WHAT: (Ask.WHERE, Ask.WAY), Ask.ROW: (Ask.PAY,)}
_SEED: Final = 1


def effects(states: States, seat: int, answers: list[int]) -> dict[int, str]:
    """The changes each legal answer of one game would make, in words; empty for none.

    Follow-up questions get their first legal answer: a build is placed, an advance paid.
    """
    copies = batch.fork(np.repeat(states, len(answers)), seat, np.full(len(answers), _SEED))
    before = batch.clone(copies)
    legal = batch.masks(copies)
    actions = np.array(answers, np.int64)
    follow_ups = _FOLLOW_UPS.get(Ask(states[0]["ask"]), ())
    while (actions != SKIP).any():
        batch.step(copies, actions, legal)
        unfinished = np.isin(copies["ask"], follow_ups) & (copies["seat"] == seat)
        actions = np.where(unfinished, legal.argmax(axis=1), SKIP)
    pairs = zip(before["borough"][:, seat], copies["borough"][:, seat], strict=True)
    return {answer: ", ".join(changes(*pair)) for answer, pair in zip(answers, pairs, strict=True)}


def changes(before: Any, after: Any) -> list[str]:
    """The differences of a borough, in words."""
    parts = []
    if before["money"] != after["money"]:
        change = int(after["money"]) - int(before["money"])
        parts.append(f"{'-' if change < 0 else '+'}${abs(change)} (${after['money']} left)")
    for name in ("votes", "pollution"):
        if before[name] != after[name]:
            parts.append(f"{name} {after[name] - before[name]:+}")
    for material in Material:
        change = _count(after["materials"][material]) - _count(before["materials"][material])
        if change:
            parts.append(f"{material.name.lower()} {change:+}")
    if before["zone_side"] != after["zone_side"]:
        parts.append(f"zone {after['zone_side']} x {after['zone_side']}")
    if markers := _count(after["markers"]) - _count(before["markers"]):
        parts.append(f"radiation {markers:+}")
    if people := _count(after["citizens"]) - _count(before["citizens"]):
        parts.append(f"people {people:+}")
    return parts


def _count(spaces: Any) -> int:
    """Number of spaces in sets."""
    return int(np.bitwise_count(spaces).sum())
