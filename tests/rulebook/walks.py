"""Steps for tests of godzillas: where things lie, and how a godzilla leaves its start and walks."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from smallcity_env import Ask, Game, batch
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Way
from smallcity_env.text.grid import members
from tests.random_games import Answer, bit
from tests.reference.position import spaces_of
from tests.reference.walk import Walk
from tests.rulebook.words import play
from tests.scene import scene


def spaces_with(game: Game, field: str, seat: int = 0) -> str:
    """The spaces of a borough with markers, a godzilla, the Mayor ..., in reading order."""
    return " ".join(map(actions.space_name, members(game.state.borough[seat][field])))


def ways_out(game: Game) -> set[str]:
    """Every way the only godzilla of the round can leave its start: A4 north ..."""
    if game.ask in (Ask.LEAVE, Ask.LEAVE_WAY):
        after = [play(game.clone(), actions.name(int(action))) for action in game.legal()]
        return set().union(*map(ways_out, after))
    answers = {entry.ask: actions.name(entry.action) for entry in game.log.entries}
    if Ask.LEAVE not in answers:
        return set()
    return {f"{answers[Ask.LEAVE].removeprefix('at ')} {answers[Ask.LEAVE_WAY]}"}


class Ended(NamedTuple):
    """How a walk ended."""

    stands: list[int]
    markers: list[int]


class Followed(NamedTuple):
    """A walk of the game, and the same walk by the reference."""

    ended: Ended
    expected: Ended


def followed(answers: Iterable[Answer]) -> Iterator[Followed]:
    """Every walk of a game; one whose host is eliminated afterwards is left out."""
    begun, turns = None, []
    for before, _, action, after in answers:
        if before["ask"] == Ask.LEAVE_WAY:
            begun, turns = before, [Way(action - actions.HEADING)]
        elif before["ask"] == Ask.TURN:
            turns.append(Way(action - actions.HEADING))
        if begun is not None and after["ask"] != Ask.TURN:
            b = after["borough"][int(begun["seat"])]
            if b["out"] == 0:
                ended = Ended(sorted(spaces_of(b["godzilla"])), sorted(spaces_of(b["markers"])))
                yield Followed(ended, _expected(Walk(begun, turns[0]), turns[1:]))
            begun = None


def _expected(walk: Walk, turns: list[Way]) -> Ended:
    walk.go(turns)
    return Ended(sorted(walk.stands), sorted(walk.markers))


HOLES = 0.45  # share of the spaces of a maze that are not in the zone
WAY_OUT = {actions.space_number("D3"), actions.space_number("D4")}


def maze(seed: int, die: int) -> batch.States:
    """A godzilla has come to a level-1 factory in a zone full of holes."""
    game = scene(".\n.\n.\n. . . F1", "", phase="pollution", modules=["godzillas"], die=die, money=1)
    states, rng = batch.clone(game.states), np.random.default_rng([seed, die])
    b = states[0].borough[0]
    for space in sorted(spaces_of(b.zone) - WAY_OUT):
        if rng.random() < HOLES:
            b.zone ^= bit(space)
    return states
