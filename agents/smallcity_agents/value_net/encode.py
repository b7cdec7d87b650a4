"""Encode a seat for the value net, from everything its game holds.

A search evaluates determinised games (`batch.fork`), whose hidden promises and builds are drawn again: there
every seat may be encoded with its own promise. A real game must be forked first.
"""

from smallcity_env.library import kernel, reads, writes
from smallcity_env.rules._library import library
from smallcity_env.rules.borough import cells, kind_at
from smallcity_env.rules.modules import played
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.spaces import count, each, has, of
from smallcity_env.rules.tables import COLUMNS, MODULES, ROWS, SEATS, SPACES, Phase
from smallcity_env.rules.tables.cards import ALL_CARDS
from smallcity_env.rules.tables.tiles import KINDS, Kind

from ..evaluation import seat_value
from ..evaluation.schema import FEATURES, WEIGHTS
from ..evaluation.sites import influence
from .layout import GREEDY_VALUE, NUMBER_COUNT, START, WORDS, put

MODULE_COUNT = len(MODULES)
WORD_COUNT, PHASES = len(WORDS), len(Phase)


@library.long_entry(
    states=reads(STATE, "n"), weights=reads(WEIGHTS, 1), features=writes(FEATURES, 1),
    words=writes("f8", FEATURES.itemsize // 8), codes=writes("u2", "codes"), ends=writes("i8", "lines"),
    numbers=writes("f4", "lines", NUMBER_COUNT),
)  # fmt: skip
def encode_all(states, weights, features, words, codes, ends, numbers):
    """Encode every seat of every game, one row a seat; the codes of row i end at `ends[i]`."""
    row, begin = 0, 0
    for i in range(len(states)):
        s = states[i]
        for p in range(s.rules.players):
            begin += write_codes(s, p, codes[begin:])
            write_numbers(s, p, weights[0], features, words, numbers[row])
            ends[row] = begin
            row += 1


@kernel
def write_codes(s, p, codes):
    """Write the codes of a seat; return their number."""
    n = _tiles(s.borough[p], codes)
    n = _people(s, p, codes, n)
    n = _seat(s, p, codes, n)
    n = _turn(s, p, codes, n)
    n = _table(s, p, codes, n)
    return _rules(s, codes, n)


@kernel
def _tiles(b, codes):
    """The tiles, and what lies under markers and godzillas."""
    n = 0
    for t in each(b.firsts):
        for space in each(cells(b, t)):
            n = put(codes, n, START.tile + int(b.kind[t]) * SPACES + space)
    for space in each(of(b.markers)):
        n = put(codes, n, START.marker + int(kind_at(b, space)))
    for space in each(of(b.godzilla)):
        n = put(codes, n, START.godzilla + int(kind_at(b, space)))
    return n


@kernel
def _people(s, p, codes, n):
    """Own citizens by where they stand, at home and abroad, and guests."""
    for q in range(s.rules.players):
        if q == p:
            n = _citizens(s.borough[p], p, START.citizen, codes, n)
        else:
            n = _citizens(s.borough[q], p, START.abroad, codes, n)
            for space in each(of(s.borough[p].citizens[q])):
                n = put(codes, n, START.guest + int(kind_at(s.borough[p], space)))
    return n


@kernel
def _citizens(b, p, start, codes, n):
    """The citizens of a colour in a borough: where they stand, and whether they have worked."""
    for space in each(of(b.citizens[p])):
        n = put(codes, n, start + int(kind_at(b, space)) + KINDS * has(of(b.worked), space))
    return n


@kernel
def _seat(s, p, codes, n):
    """The seat's own board, card, discs and promises."""
    b = s.borough[p]
    n = put(codes, n, START.board + s.rules.board[p])
    n = put(codes, n, START.card + b.card)
    for row in range(ROWS):
        n = put(codes, n, START.council + row * (COLUMNS + 1) + int(b.council[row]))
    n = put(codes, n, START.difficulty + b.difficulty)
    n = put(codes, n, START.promise + b.promise)
    n = put(codes, n, START.special + b.special)
    return put(codes, n, START.out + (b.out > 0))


@kernel
def _turn(s, p, codes, n):
    """Its place in turn order, the question, and the tile being placed."""
    place = (p - s.host) % s.rules.players
    asked = s.seat == p
    n = put(codes, n, START.order + place * (SEATS + 1) + s.rules.players)
    n = put(codes, n, START.turn + s.phase + PHASES * (place < s.turn))
    n = put(codes, n, START.ask + 2 * s.ask + asked)
    if asked and s.kind != Kind.NONE:
        n = put(codes, n, START.building + s.kind + KINDS * (s.upgrade > 0))
    return n


@kernel
def _table(s, p, codes, n):
    """The round, the cards on offer, the boards of the others."""
    n = put(codes, n, START.left + max(s.rules.rounds - s.round_no, 0))
    for card in range(ALL_CARDS + 1):
        if s.circle[card] > 0:
            n = put(codes, n, START.circle + card)
    for q in range(s.rules.players):
        if q != p:
            n = put(codes, n, START.rival + s.rules.board[q])
    return n


@kernel
def _rules(s, codes, n):
    """Players, victory, modules and variants."""
    r = s.rules
    n = put(codes, n, START.players + r.players)
    n = put(codes, n, START.victory + r.victory)
    for i in range(MODULE_COUNT):
        if played(s, i + 1):
            n = put(codes, n, START.module + i)
    for i, on in enumerate((r.advanced, r.stockholm, r.godzillas_2016)):
        if on:
            n = put(codes, n, START.variant + i)
    return n


@kernel
def write_numbers(s, p, w, features, words, out):
    """Write the numbers of a seat; `words` is the memory of the features record as float64."""
    b = s.borough[p]
    out[GREEDY_VALUE] = seat_value(s, p, p, w, features[0])
    for i in range(WORD_COUNT):
        out[i] = words[WORDS[i]]
    n = put(out, GREEDY_VALUE + 1, b.pollution_made)
    n = put(out, n, b.busy_factories)
    n = put(out, n, b.flood)
    n = put(out, n, s.builds if s.seat == p else 0)
    n = put(out, n, count(of(b.zone)))
    n = _land(b, out, n)
    n = put(out, n, count(of(b.markers)))
    put(out, n, s.die[p] if s.hosts[p] > 0 else 0)


@kernel
def _land(b, out, n):
    """Empty land away from factories, by how many public buildings influence it."""
    one, two, three, four, empty, shadow = influence(b)
    for near in (one, two, three, four):
        n = put(out, n, count((near & empty) - shadow))
    return n
