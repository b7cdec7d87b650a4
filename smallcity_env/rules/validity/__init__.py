"""Whether a record is a position of a game, so that compiled rules can play on from it safely.

Every number is within its limits, the sets and tables of tiles agree with the tiles, what the rules conserve
is all there, and the question fits the phase and has an answer. `fault` returns the first thing that is
wrong; `in_words` puts it into words.
"""

from ...library import kernel
from ..limits import HIGH, LOW, WORDS
from .boroughs import wrong_borough
from .counts import wrong_count
from .faults import FAULTS as FAULTS
from .faults import Fault as Fault
from .faults import in_words as in_words
from .moment import wrong_moment


@kernel
def fault(s, words, legal):
    """The first thing that is wrong with a game and what it is about, (NONE, 0) if nothing is."""
    word = _out_of_range(words)
    if word >= 0:
        return Fault.RANGE, word
    wrong, about = wrong_borough(s, words)
    if wrong == Fault.NONE:
        wrong, about = wrong_count(s, words)
    if wrong == Fault.NONE:
        wrong, about = wrong_moment(s, legal)
    return wrong, about


@kernel
def _out_of_range(words):
    """The first word of the record outside its limits; -1 for none."""
    bad = False
    for i in range(WORDS):
        bad |= (words[i] < LOW[i]) | (words[i] > HIGH[i])
    if bad:
        for i in range(WORDS):
            if words[i] < LOW[i] or words[i] > HIGH[i]:
                return i
    return -1
