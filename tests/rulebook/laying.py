"""Steps for tests about building: where a tile may begin, and every way it may lie."""

import re
from collections.abc import Iterator

from smallcity_env import Game
from smallcity_env.rules.actions import space_name
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.tiles import NAMES, Kind
from smallcity_env.text.grid import each_cell, lines_of, members
from tests.rulebook.words import spaces

KIND_NAMED = {name: kind for kind, name in NAMES.items()}


def starts(game: Game, what: str) -> set[str]:
    """The spaces this build may begin on; none when it is not offered."""
    if not game.mask()[game.parse(what)]:
        return set()
    after = game.clone()
    before = len(after.log)
    after.step(what)
    only = [entry for entry in after.log.entries[before:] if entry.ask is Ask.WHERE]
    return {space_name(only[0].action)} if only else spaces(after)


def marked(drawn: str, sign: str = "o") -> set[str]:
    """The spaces of a picture where a sign stands."""
    return {space_name(cell.space) for cell in each_cell(lines_of(drawn)) if cell.word == sign}


def assert_starts(game: Game, what: str, drawn: str) -> None:
    """Assert that the build may begin on the spaces drawn as `o` and on no other."""
    assert starts(game, what) == marked(drawn)


def layouts(game: Game, what: str) -> set[str]:
    """Every way the build can lie, tried out: the spaces it would cover, as "A1 B1"."""
    if not game.mask()[game.parse(what)]:
        return set()
    return set(_tried(game, game.parse(what), game.seat, len(game.log), what.split()[-1]))


def layouts_asked(game: Game) -> set[str]:
    """The same for the build whose place is being asked."""
    assert game.ask is Ask.WHERE
    tile, before = NAMES[Kind(game.state.kind)], len(game.log)
    return {
        layout for answer in game.legal() for layout in _tried(game, int(answer), game.seat, before, tile)
    }


def _tried(game: Game, action: int, seat: int, before: int, tile: str) -> Iterator[str]:
    """Try every answer until the tile is placed."""
    after = game.clone()
    after.step(action)
    laid = [entry for entry in after.log.entries[before:] if entry.ask is Ask.WAY]
    if not laid:
        for answer in after.legal():
            yield from _tried(after, int(answer), seat, before, tile)
        return
    where = next(entry for entry in after.log.entries[before:] if entry.ask is Ask.WHERE)
    borough = after.state.borough[seat]
    assert borough.kind[where.action] == KIND_NAMED[tile]
    covered = [n for n in members(borough.tiled) if borough.first[n] == where.action]
    yield " ".join(map(space_name, covered))


def shape(layout: str) -> str:
    """The shape of a layout, pushed into the top left corner and drawn: "##/#."."""
    cells = [(int(name[1:]), ord(name[0])) for name in layout.split()]
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    return "/".join(
        "".join("#" if (row, col) in cells else "." for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


def shapes(game: Game, what: str) -> set[str]:
    """The shapes a build can have, turned and mirrored in every way it can lie."""
    return {shape(layout) for layout in layouts(game, what)}


def stocked(drawn: str, materials: str) -> str:
    """The picture with these materials (w, s, m) in City Hall, one on each of its spaces."""
    for material in materials:
        drawn = re.sub(r"\bHl\b(?!:)", f"Hl:{material}", drawn, count=1)
    return drawn


def build_somewhere(game: Game, what: str) -> Game:
    """Build it on the first space and the first way round offered."""
    before = len(game.log)
    game.step(what)
    while all(entry.ask is not Ask.WAY for entry in game.log.entries[before:]):
        game.step(int(game.legal()[0]))
    return game
