"""Draw positions for tests: scene(picture, picture, ..., phase="build", money=5) returns a Game.

One picture (smallcity_env/text/grid.py) for each player; rows at the bottom and spaces at the end of a row
may be left out. The defaults: supplies are full except for what is drawn, six citizens are in the reserve,
and everybody who is neither drawn nor dead is in the Career Center. Money and votes are 0, and nobody has a
promise.

A keyword is a field of the schema. A borough's field is given for seat 0, or as a dict by seat; its value is
a number, a name, a list of numbers or a dict by name:

    scene("R1:0", "", phase="move", money={1: 4}, card="engineer", council={"finance": 2})
    scene("Hl Hl\\nHl Hl", supply={"park-1": 0}, reserve=0, powered="AB", plants=[2, 0, 0])

The game starts at the beginning of the phase or, with `seat`, of that player's turn in it. With dice
(`phase="pollution", die={0: 5}`) every seat that has one hosts a godzilla, and their walks come next. Forced
answers are played: the game stands at the first question with more than one answer.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from smallcity_env import Config, Game
from smallcity_env.config import EDITIONS, blank
from smallcity_env.rules.phases.pollution import TRAMPLING
from smallcity_env.rules.rng import streams
from smallcity_env.rules.schema import BOROUGH
from smallcity_env.rules.tables import BUILDS, CITIZENS, POWER_ROUNDS, RESERVE, ROUNDS, SEATS, SIDE, Phase
from smallcity_env.rules.tables.cards import BASE_CARDS
from smallcity_env.rules.tables.expansions import GODZILLAS, MARKERS
from smallcity_env.rules.tables.maps import NAMES, PRINTED, START_POLLUTION, ZONE_START, Board
from smallcity_env.rules.tables.tiles import FEWER, PER_PLAYER, TILES, Kind
from smallcity_env.text import fields as notation_fields
from smallcity_env.text.grid import OUTSIDE, draw, each_cell, lines_of, members, read_picture
from smallcity_env.text.notation import BOROUGH_FIELDS, STATE_FIELDS

_HERE = 1  # the number of a text's only line, for fields


def scene(
    *pictures: str,
    phase: str = "build",
    round: int = 1,
    host: int = 0,
    seat: int | None = None,
    modules: Iterable[str] = (),
    boards: Iterable[str] | str = NAMES[Board.BASE_EASY],
    victory: str = "votes",
    advanced: bool = False,
    stockholm: bool = False,
    godzilla_rules: str = EDITIONS[0],
    seed: int = 1,
    size: int | Mapping[int, int] | None = None,
    **given: Any,
) -> Game:
    """A game with these boroughs at the beginning of a phase."""
    config = Config(len(pictures), modules, boards, victory, advanced, stockholm, godzilla_rules)
    states = blank(1, config)
    s = states[0]
    s.rules.rounds = POWER_ROUNDS if s.rules.power_plants else ROUNDS
    s.round_no, s.phase, s.host, s.stream = round, Phase[phase.upper()], host, streams(seed)[0]
    for p, drawn in enumerate(pictures):
        _draw_borough(s, p, drawn, _by_seat(size).get(p))
    _fill_supply(s)
    _give_all(s, given)
    _take_from_supply(s, given)
    _count_people(s, given)
    _begin(s, seat)
    return Game._from_state(states)


# -- boroughs


def _draw_borough(s: Any, p: int, drawn: str, size: int | None) -> None:
    """A borough as drawn; its zone reaches as far as the drawing, if no size is given."""
    board = int(s.rules.board[p])
    if size is None:
        cells = [cell for cell in each_cell(lines_of(drawn)) if cell.word != OUTSIDE]
        reach = [max(divmod(cell.space, SIDE)) + 1 for cell in cells]
        size = max([*reach, int(ZONE_START[board])])
    s.borough[p].pollution = START_POLLUTION[board]
    read_picture(drawn, board, size, s.borough[p])


def _by_seat(value: Any) -> dict[int, Any]:
    """What each seat is given: one value is for seat 0."""
    if value is None:
        return {}
    if isinstance(value, Mapping) and all(isinstance(key, int) for key in value):
        return dict(value)
    return {0: value}


def _words(value: Any) -> list[str]:
    """A value as notation would write it."""
    if isinstance(value, str):
        return value.split()
    if isinstance(value, IntEnum):
        return [value.name.lower().replace("_", "-")]
    if isinstance(value, Mapping):
        return [word for pair in value.items() for part in pair for word in _words(part)]
    if isinstance(value, Iterable):
        return [word for part in value for word in _words(part)]
    return [str(int(value))]


def _give_all(s: Any, given: Mapping[str, Any]) -> None:
    """Put the keywords into the record."""
    for name, value in given.items():
        word = name.replace("_", "-")
        if word in BOROUGH_FIELDS:
            for p, part in _by_seat(value).items():
                notation_fields.read(_HERE, BOROUGH_FIELDS[word], _words(part), s.borough[p])
        elif word in STATE_FIELDS:
            _give_common(s, STATE_FIELDS[word], value)
        else:
            raise TypeError(f"{name!r} is no field: say one of {[*BOROUGH_FIELDS, *STATE_FIELDS]}")


def _give_common(s: Any, field: notation_fields.Field, value: Any) -> None:
    """Put a keyword that belongs to no borough into the record."""
    by_seat = field.shape[:1] == (SEATS,) and not field.places
    if field.by_seat:
        for p, part in _by_seat(value).items():
            notation_fields.read(_HERE, field, [str(p), *_words(part)], s)
    elif by_seat and not isinstance(value, list | tuple):
        for p, number in _by_seat(value).items():
            s[field.name][p] = number
    else:
        notation_fields.read(_HERE, field, _words(value), s)


# -- supplies


def _fill_supply(s: Any) -> None:
    """The full supplies at the start of a game (C3, C4, D1, PP2)."""
    players = int(s.rules.players)
    shares = {PER_PLAYER: players, FEWER: max(players - 1, 1)}
    for kind in list(Kind)[1:]:
        supply = int(TILES[kind].supply)
        s.supply[kind] = shares.get(supply, supply)
    if s.rules.godzillas:
        s.markers, s.godzillas = MARKERS, GODZILLAS[players]
    if s.rules.doctors:
        s.doctors = players
    if s.rules.power_plants:
        s.supply[Kind.PLANT_1 : Kind.PLANT_3 + 1] -= players


def _take_from_supply(s: Any, given: Mapping[str, Any]) -> None:
    """Take what stands in the boroughs out of the supplies that are not given."""
    named = dict(given.get("supply", {}))
    taken = sum(_tiles_of(s, p) for p in range(s.rules.players))
    for kind in Kind:
        if kind.name.lower().replace("_", "-") not in named:
            s.supply[kind] -= taken[kind]
    boroughs = s.borough[: s.rules.players]
    if s.rules.godzillas and "markers" not in given:
        s.markers -= sum(len(members(b.markers)) for b in boroughs)
    if s.rules.godzillas and "godzillas" not in given:
        s.godzillas -= sum(any(b.godzilla) for b in boroughs)
    if s.rules.doctors and "doctors" not in given:
        s.doctors -= sum(b.doctor for b in boroughs)


def _tiles_of(s: Any, p: int) -> Any:
    """How many tiles of each kind a player took: not printed ones, nor the plants he began with."""
    b = s.borough[p]
    taken = b.built.astype(int)
    for kind, way, first in PRINTED[s.rules.board[p]]:
        taken[kind] -= bool(kind and b.kind[first] == kind and b.way[first] == way)
    taken[Kind.PLANT_1 : Kind.PLANT_3 + 1] += np.maximum(b.plants - 1, 0)
    return taken


def _count_people(s: Any, given: Mapping[str, Any]) -> None:
    """Put the citizens not drawn into the reserve, six at most, and the Career Center (C5)."""
    for p in range(s.rules.players):
        left = CITIZENS + RESERVE - _seen(s, p)
        if p not in _by_seat(given.get("reserve")):
            s.reserve[p] = max(min(left, RESERVE), 0)
        if p not in _by_seat(given.get("career")):
            s.borough[p].career = max(left - s.reserve[p], 0)


def _seen(s: Any, p: int) -> int:
    """How many citizens of a colour the pictures show, the dead among them."""
    boroughs = s.borough[: s.rules.players]
    alive = sum(len(members(b.citizens[p])) + int(b.riders[p]) for b in boroughs)
    return alive + len(members(s.borough[p].cemetery))


# -- whose turn it is


def _begin(s: Any, seat: int | None) -> None:
    """The beginning of the phase, or of one player's turn in it."""
    s.turn = -1
    if s.phase == Phase.POLLUTION and any(s.die):
        _let_walk(s)
        return
    if s.phase == Phase.SETUP and seat is None:
        seat = int(s.host)
    if seat is not None and s.phase in _IN_TURNS:
        _take_turn(s, seat)


_IN_TURNS = (Phase.SETUP, Phase.SELECT, Phase.BUILD, Phase.MOVE, Phase.INCOME, Phase.COUNCIL)


def _take_turn(s: Any, seat: int) -> None:
    """Make it this player's turn, after all before him have had theirs."""
    players = s.rules.players
    s.seat, s.turn = seat, (seat - s.host) % players
    if s.phase in (Phase.SETUP, Phase.BUILD):
        s.shown[:players] = s.borough[:players]
    if s.phase == Phase.BUILD and s.builds == 0:
        s.builds = BUILDS
    if s.phase == Phase.SELECT and not any(s.circle):
        s.circle[1 : BASE_CARDS + 1] = 1
        s.circle[s.borough["card"]] = 0


def _let_walk(s: Any) -> None:
    """Let every seat with a die host a godzilla, in reverse turn order (G6)."""
    players = int(s.rules.players)
    s.part = TRAMPLING
    s.hosts[:players] = s.die[:players] > 0
    s.turn = max((p - s.host) % players for p in range(players) if s.hosts[p])
    s.seat = (s.host + s.turn) % players


# -- looking


def picture(game: Game, seat: int = 0) -> str:
    """The picture of a borough."""
    return draw(game.state.borough[seat], int(game.state.rules.board[seat]))


def assert_picture(game: Game, seat: int, expected: str) -> None:
    """Assert that the borough looks like this; spacing and optional parts of a picture do not matter."""
    b = np.zeros(1, np.dtype((np.record, BOROUGH)))[0]
    board = int(game.state.rules.board[seat])
    read_picture(expected, board, int(game.state.borough[seat].zone_side), b)
    assert picture(game, seat) == draw(b, board)
