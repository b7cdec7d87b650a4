"""Encode the answers to a question for the net's priors, from everything the game holds (see encode.py)."""

from smallcity_env.library import kernel, reads, writes
from smallcity_env.rules import actions
from smallcity_env.rules._library import library
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.borough import kind_at
from smallcity_env.rules.modules.mayor import ACROSS, DOWN
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.spaces import NOWHERE, around, at, count, each, first, has, nonempty, of, tile
from smallcity_env.rules.tables import SEATS, SPACES, Ask
from smallcity_env.rules.tables.tiles import KINDS, TILES, Kind

from .layout import ANSWER, AROUND, PERSONS, put

OWN, OWN_WORKED, GUEST = 1, 2, 3  # persons
PERSON_COUNT = len(PERSONS)
SIDES = (ACROSS, DOWN)


@library.long_entry(
    states=reads(STATE, "n"), seats=reads("i8", "n"), legal=reads("?", "n", ACTIONS),
    codes=writes("u2", "codes"), ends=writes("i8", "answers"),
)  # fmt: skip
def encode_answers(states, seats, legal, codes, ends):
    """Encode every legal answer of every game, one row an answer; the codes of row i end at `ends[i]`."""
    row, begin = 0, 0
    for i in range(len(states)):
        for action in range(ACTIONS):
            if legal[i, action]:
                begin += write_answer(states[i], seats[i], action, codes[begin:])
                ends[row] = begin
                row += 1


@kernel
def write_answer(s, p, action, codes):
    """Write the codes of an answer of seat p; return their number."""
    n = put(codes, 0, ANSWER.answer + s.ask * ACTIONS + action)
    n = put(codes, n, ANSWER.left + max(s.rules.rounds - s.round_no, 0) * ACTIONS + action)
    n = put(codes, n, ANSWER.players + s.rules.players * ACTIONS + action)
    n = put(codes, n, ANSWER.card + s.borough[p].card * ACTIONS + action)
    n = put(codes, n, ANSWER.board + s.rules.board[p] * ACTIONS + action)
    if actions.SEAT <= action < actions.SEAT + SEATS:
        place = (action - actions.SEAT - p) % s.rules.players
        n = put(codes, n, ANSWER.seat + s.ask * SEATS + place)
    k = _borough(s, p)
    spaces = _spaces(s, action)
    if s.ask == Ask.MOVE or s.ask == Ask.ABROAD:
        there = kind_at(s.borough[k], first(spaces)) if nonempty(spaces) else Kind.NONE + 0
        here = kind_at(s.borough[s.asked_borough], s.space)
        n = put(codes, n, ANSWER.moved + int(here) * KINDS + int(there))
    if nonempty(spaces):
        return _place(s, p, s.borough[k], spaces, codes, n)
    return n


@kernel
def _borough(s, p):
    """The borough whose spaces are the answers."""
    if s.ask == Ask.ABROAD:
        return s.destination
    if s.ask == Ask.STREET or s.ask == Ask.STREET_WAY or s.ask == Ask.SPEECH or s.ask == Ask.SPEECH_WAY:
        return s.host
    return p


@kernel
def _spaces(s, action):
    """The spaces an answer names: itself, or those of a tile that lies this way; none for other answers."""
    if action < actions.BUILD:
        return at(action)
    if s.ask == Ask.WAY and actions.WAY <= action < actions.HEADING:
        return tile(TILES[s.kind].way[action - actions.WAY], s.anchor)
    if s.ask == Ask.STREET_WAY or s.ask == Ask.SPEECH_WAY:
        return tile(SIDES[action - actions.WAY], s.space)
    return NOWHERE


@kernel
def _place(s, p, b, spaces, codes, n):
    """What stands on and around the spaces."""
    space = first(spaces)
    near = around(spaces)
    n = put(codes, n, ANSWER.here + s.ask * KINDS + int(kind_at(b, space)))
    n = put(codes, n, ANSWER.person + s.ask * PERSON_COUNT + _person(b, p, space))
    free = count((near & of(b.zone)) - of(b.tiled))
    n = put(codes, n, ANSWER.free + s.ask * (AROUND + 1) + min(free, AROUND))
    n = put(codes, n, ANSWER.site + s.kind * SPACES + space)
    for space in each(near & of(b.tiled)):
        n = put(codes, n, ANSWER.near + s.ask * KINDS + int(kind_at(b, space)))
        if s.kind != Kind.NONE:
            n = put(codes, n, ANSWER.beside + s.kind * KINDS + int(kind_at(b, space)))
    return n


@kernel
def _person(b, p, space):
    """Who stands on a space, for seat p."""
    if has(of(b.citizens[p]), space):
        return OWN_WORKED if has(of(b.worked), space) else OWN
    for q in range(SEATS):
        if has(of(b.citizens[q]), space):
            return GUEST
    return 0
