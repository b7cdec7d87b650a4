"""What the value net reads: codes of what is there and numbers for a seat, codes for an answer.

A code names one fact ("a School on D4", "a citizen of ours at work in a Factory 2"); the first layer of the
net is the sum of the embeddings of all codes that hold. A code that holds twice is added twice. So is an
answer the sum of the embeddings of what it is and of what stands where it leads.
"""

from collections import namedtuple
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from smallcity_env.library import kernel
from smallcity_env.rules.tables import SEATS

from ..evaluation.schema import FEATURES, LEVELS, WEIGHT_NAMES, Workplace
from ..names import Families, Names, used
from ..vocabulary import AXES, count

CODES: Final[dict[str, Sequence[str]]] = {  # family: its axes
    "tile": ("tile", "space"),  # the kind on every space
    "marker": ("tile",),  # what lies under each Radiation marker
    "godzilla": ("tile",),
    "citizen": ("worked", "tile"),  # own, whether they have worked, and where they stand
    "guest": ("tile",),  # others' citizens in this borough
    "abroad": ("worked", "tile"),  # own citizens elsewhere
    # the seat
    "board": ("board",),
    "card": ("card",),
    "council": ("council row", "council column"),
    "difficulty": ("difficulty",),
    "promise": ("promise",),
    "special": ("promise",),
    "order": ("place", "players"),  # place in turn order, by players
    "turn": ("over", "phase"),  # whether its turn of the phase is over
    "ask": ("question", "asked"),  # the question, and whether this seat is asked
    "building": ("upgrade", "tile"),  # the tile it is placing, and whether it is an upgrade
    "out": ("out",),
    # the table
    "left": ("rounds left",),  # rounds after this one
    "players": ("players",),
    "victory": ("victory",),
    "module": ("module",),
    "variant": ("variant",),
    "circle": ("card",),  # cards that can be taken
    "rival": ("board",),  # boards of the others
}
ANSWERS: Final[dict[str, Sequence[str]]] = {  # family of codes of an answer: its axes
    "answer": ("question", "answer"),
    "left": ("rounds left", "answer"),
    "players": ("players", "answer"),
    "card": ("card", "answer"),  # the asked seat's card
    "board": ("board", "answer"),
    "moved": ("tile", "tile"),  # the kinds a citizen moves from and to
    "seat": ("question", "place"),  # a seat, counted from the asked one
    # where the answer is a space, or a way to lie on one
    "here": ("question", "tile"),  # the kind on the space
    "person": ("question", "person"),
    "free": ("question", "near"),  # empty spaces of the zone around it
    "near": ("question", "tile"),  # the kind on every other space around it
    "site": ("tile", "space"),  # the kind being placed
    "beside": ("tile", "tile"),  # ... and the kinds around it
}
MOST_CODES: Final = 1024  # of one seat: tiles, citizens, guests and markers on 100 spaces each, and the rest
MOST_ANSWER_CODES: Final = 128  # of one answer: twice the spaces around the largest tile, and the rest
AROUND: Final = 16  # spaces around the largest tile
PERSONS: Final = ("nobody", "own", "own worked", "guest")
KNEES: Final = np.array([20, 4, 1, 0.25], np.float32)  # points below greedy's best answer: more do not matter

UNREAD: Final = ("pay", "lost")  # features of greedy's evaluation that are left out
FEATURE_AXES: Final = {  # of the features that are arrays
    "homes": "level",
    "rooms": "work",
    "spaces": "family",
    "goods": "material",
    "good": "material",
    "need": "material",
    "built": "tile",
}
EXTRAS: Final = (  # numbers besides the features of greedy's evaluation
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


def _features() -> dict[str, tuple[int, int]]:
    """The features of the evaluation that the net reads: their first word in the record, and their length."""
    fields: Any = FEATURES.fields
    return {
        name: (offset // 8, int(np.prod(kind.shape, dtype=int)))
        for name, (kind, offset, *_) in fields.items()
        if kind.base == np.float64 and name not in UNREAD
    }


def _names() -> Names:
    """The names of everything the net has weights for."""
    axes = AXES | {"players": count(SEATS), "level": count(LEVELS)}
    axes["work"] = [work.name.lower() for work in Workplace]
    axes |= dict.fromkeys(("worked", "over", "asked", "upgrade", "out"), ("no", "yes"))
    axes |= {"near": count(AROUND), "person": PERSONS}
    axes["variant"] = ("advanced", "stockholm", "godzillas of 2016")
    numbers: dict[str, Sequence[str]] = {}
    for name, (_, length) in _FEATURES.items():
        axis = FEATURE_AXES.get(name, f"{length} numbers")
        axes.setdefault(axis, count(length, 1))
        numbers[name] = (axis,) if length > 1 else ()
    numbers |= dict.fromkeys(EXTRAS, ())
    weights = dict.fromkeys(WEIGHT_NAMES, ())
    tables: dict[str, Families] = {"codes": CODES, "numbers": numbers, "weights": weights, "answers": ANSWERS}
    tables |= {"paces": {"pace": ("rounds left", "players")}, "knees": {"knee": ("question",)}}
    return used(axes, tables)


_FEATURES: Final = _features()
WORDS: Final = np.concatenate([first + np.arange(length) for first, length in _FEATURES.values()])
NAMES: Final = _names()
START: Any = namedtuple("Start", CODES)(**NAMES.starts("codes"))  # the first code of every family
ANSWER: Any = namedtuple("Answer", ANSWERS)(**NAMES.starts("answers"))  # likewise
CODE_COUNT: Final = NAMES.size("codes")
ANSWER_COUNT: Final = NAMES.size("answers")
QUESTIONS: Final = NAMES.size("knees")
NUMBER_COUNT: Final = NAMES.size("numbers")
GREEDY_VALUE: Final = NAMES.starts("numbers")["greedy_value"]  # the first of the extras


@kernel
def put(out, n, value):
    """Write a code or a number; return where the next one goes."""
    out[n] = value
    return n + 1
