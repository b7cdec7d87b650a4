"""What an answer would do to one's own borough, tried out in a copy in which what is hidden is drawn anew."""

from typing import Any, Final

import numpy as np

from smallcity_env import batch
from smallcity_env.batch import SKIP, States
from smallcity_env.rules.tables import Ask, Material

HONEST: Final = "Tried out in a copy of the game in which everything you cannot see is drawn anew."
_BEGUN: Final = {Ask.WHAT: (Ask.WHERE, Ask.WAY), Ask.ROW: (Ask.PAY,)}  # what belongs to such an answer
_SEED: Final = 1


def effects(states: States, seat: int, answers: list[int]) -> dict[int, str]:
    """For each legal answer of one game what would change, in words; nothing: an empty text.

    A build is followed until the tile lies, on the first space and way there is; an advance is paid.
    """
    copies = batch.fork(np.repeat(states, len(answers)), seat, np.full(len(answers), _SEED))
    before = batch.clone(copies)
    legal = batch.masks(copies)
    actions = np.array(answers, np.int64)
    follow = _BEGUN.get(Ask(states[0]["ask"]), ())
    while (actions != SKIP).any():
        batch.step(copies, actions, legal)
        begun = np.isin(copies["ask"], follow) & (copies["seat"] == seat)
        actions = np.where(begun, legal.argmax(axis=1), SKIP)
    pairs = zip(before["borough"][:, seat], copies["borough"][:, seat], strict=True)
    return {answer: ", ".join(changes(*pair)) for answer, pair in zip(answers, pairs, strict=True)}


def changes(before: Any, after: Any) -> list[str]:
    """How a borough differs, in words."""
    found = []
    if before["money"] != after["money"]:
        change = int(after["money"]) - int(before["money"])
        found.append(f"{'-' if change < 0 else '+'}${abs(change)} (${after['money']} left)")
    for name in ("votes", "pollution"):
        if before[name] != after[name]:
            found.append(f"{name} {after[name] - before[name]:+}")
    for material in Material:
        change = _count(after["materials"][material]) - _count(before["materials"][material])
        if change:
            found.append(f"{material.name.lower()} {change:+}")
    if before["size_"] != after["size_"]:
        found.append(f"zone {after['size_']} x {after['size_']}")
    if markers := _count(after["markers"]) - _count(before["markers"]):
        found.append(f"radiation {markers:+}")
    people = int(np.bitwise_count(after["citizens"]).sum()) - int(np.bitwise_count(before["citizens"]).sum())
    if people:
        found.append(f"people {people:+}")
    return found


def _count(spaces: Any) -> int:
    """How many spaces a set has."""
    return int(np.bitwise_count(spaces).sum())
