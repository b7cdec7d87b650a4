"""Every way to place a tile or the Mayor's street, so that one gesture answers what, where and which way."""

from typing import Any, Final

from smallcity_env.game import Game
from smallcity_env.rules import actions
from smallcity_env.rules.tables import SIDE, SPACES, Ask
from smallcity_env.rules.tables.shapes import WAYS
from smallcity_env.rules.tables.tiles import TILES, Kind

_WAYS_OF: Final = {Ask.WHERE: Ask.WAY, Ask.STREET: Ask.STREET_WAY, Ask.SPEECH: Ask.SPEECH_WAY}
PLACED: Final = tuple(_WAYS_OF)


def placements(game: Game, build: int | None = None) -> list[dict[str, Any]]:
    """The placements of a build, or of what is being placed: the spaces covered and the answers."""
    before, first = game.clone(), [] if build is None else [build]
    if build is not None:
        before.step(build)
        if before.seat != game.seat or before.ask not in (Ask.WHERE, Ask.WAY):
            return [_only(game, before, first)]
    if before.ask is Ask.WAY:
        return [_placed(before, [*first, int(before.state["anchor"])], way) for way in before.legal()]
    return [placed for space in before.legal() for placed in _at(before, first, int(space))]


def _at(game: Game, first: list[int], space: int) -> list[dict[str, Any]]:
    """The placements with this first space."""
    if space >= SPACES:
        return []
    ask, kind = game.ask, Kind(int(game.state["kind"]))
    if ask is Ask.WHERE and TILES[kind]["plant"]:
        columns = range(space, space + int(TILES[kind]["level"]))
        return [
            {
                "cells": [SIDE * row + col for row in range(SIDE) for col in columns],
                "answers": [*first, space],
            }
        ]
    after = game.clone()
    before = len(after.log)
    after.step(space)
    if after.ask is _WAYS_OF[ask] and after.seat == game.seat:
        return [_placed(after, [*first, space], way) for way in after.legal()]
    forced = next((e.action for e in after.log.entries[before:] if e.ask is _WAYS_OF[ask]), None)
    cells = [space] if forced is None else _cells(kind, ask, space, forced)
    return [{"cells": cells, "answers": [*first, space]}]


def _placed(game: Game, answers: list[int], way: int) -> dict[str, Any]:
    """A placement one way round."""
    ask = next(asked for asked, way_ask in _WAYS_OF.items() if way_ask is game.ask)
    cells = _cells(Kind(int(game.state["kind"])), ask, answers[-1], int(way))
    return {"cells": cells, "answers": [*answers, int(way)]}


def _only(game: Game, after: Game, answers: list[int]) -> dict[str, Any]:
    """The placement of a build that fits only one way and was placed automatically."""
    entries = after.log.entries[len(game.log) :]
    kind = Kind(int(actions.KIND_OF[answers[0]]))
    where = next((e.action for e in entries if e.ask is Ask.WHERE), 0)
    way = next((e.action for e in entries if e.ask is Ask.WAY), actions.WAY)
    return {"cells": [] if TILES[kind]["plant"] else _cells(kind, Ask.WHERE, where, way), "answers": answers}


def _cells(kind: Kind, ask: Ask, first: int, way: int) -> list[int]:
    """The spaces a tile covers; a street is as long as a Library."""
    row = TILES[kind if ask is Ask.WHERE else Kind.LIBRARY]
    return [first + SIDE * down + right for down, right in WAYS[int(row["way"][way - actions.WAY])]]
