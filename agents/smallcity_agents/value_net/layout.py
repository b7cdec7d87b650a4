"""What the value net reads for one seat: codes of what is there, and numbers.

A code names one fact ("a School on D4", "a citizen of ours at work in a Factory 2"); the first layer of the
net is the sum of the embeddings of all codes that hold. A code that holds twice is added twice.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.rules._jit import kernel
from smallcity_env.rules.tables import (
    COLUMNS,
    MODULES,
    POWER_ROUNDS,
    ROWS,
    SEATS,
    SPACES,
    Ask,
    Phase,
    Victory,
)
from smallcity_env.rules.tables.cards import ALL_CARDS, DIFFICULTIES
from smallcity_env.rules.tables.maps import BOARDS
from smallcity_env.rules.tables.promises import PROMISE_COUNT
from smallcity_env.rules.tables.tiles import KINDS

from ..judge.schema import FEATURES

CODES: Final = {  # name: number of codes
    "tile": KINDS * SPACES,  # the kind on every space
    "marker": KINDS,  # what lies under each Radiation marker
    "godzilla": KINDS,
    "citizen": 2 * KINDS,  # own, where they stand, and whether they have worked
    "guest": KINDS,  # others' citizens in this borough
    "abroad": 2 * KINDS,  # own citizens elsewhere
    # the seat
    "board": BOARDS,
    "card": ALL_CARDS + 1,
    "council": ROWS * (COLUMNS + 1),
    "difficulty": len(DIFFICULTIES),
    "promise": PROMISE_COUNT + 1,
    "special": PROMISE_COUNT + 1,
    "order": SEATS * (SEATS + 1),  # place in turn order, by players
    "turn": 2 * len(Phase),  # by phase, whether its turn is over
    "ask": 2 * len(Ask),  # the question, and whether this seat is asked
    "building": 2 * KINDS,  # the tile it is placing, and whether it is an upgrade
    "out": 2,
    # the table
    "left": POWER_ROUNDS + 1,  # rounds after this one
    "players": SEATS + 1,
    "victory": len(Victory),
    "module": len(MODULES),
    "variant": 3,  # advanced, Stockholm, Godzillas of 2016
    "circle": ALL_CARDS + 1,  # cards that can be taken
    "rival": BOARDS,  # boards of the others
}
_ENDS: Final = np.cumsum([*CODES.values()])
START: Final = {name: int(end) - size for (name, size), end in zip(CODES.items(), _ENDS, strict=True)}
CODE_COUNT: Final = int(_ENDS[-1])
MOST_CODES: Final = 1024  # of one seat: tiles, citizens, guests and markers on 100 spaces each, and the rest

UNREAD: Final = ("pay", "lost")  # features of greedy's judge that are left out
EXTRAS: Final = (  # numbers besides the features of greedy's judge
    "greedy_value",  # greedy's expected final score
    "made",
    "smoke",
    "flood",
    "builds",
    "zone",
    "land_1",  # empty land away from factories with one public building near, with two, ...
    "land_2",
    "land_3",
    "land_4",
    "markers",
    "die",  # of a godzilla to come
)


def _words() -> npt.NDArray[np.int64]:
    """Which words of a features record are numbers the net reads."""
    fields: Any = FEATURES.fields
    words: list[int] = []
    for name, (kind, offset, *_) in fields.items():
        if kind.base == np.float64 and name not in UNREAD:
            length = int(np.prod(kind.shape, dtype=int))
            words += range(offset // 8, offset // 8 + length)
    return np.array(words, np.int64)


WORDS: Final = _words()
NUMBER_COUNT: Final = len(WORDS) + len(EXTRAS)
GREEDY_VALUE: Final = len(WORDS)  # the first of the extras


@kernel
def put(out, n, value):
    """Write a code or a number; return where the next one goes."""
    out[n] = value
    return n + 1
