"""What requests bring, checked: JSON objects, answers, moves; and refusals in a short sentence."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from smallcity_env.batch import IllegalAction
from smallcity_env.log import BadLog
from smallcity_env.refusal import Refused

from ..play.match import CannotUndo

MOST_ANSWERS: Final = 4  # in one gesture: what, where, which way, and one more
MOST_WORDS: Final = 50  # in a list
LONGEST_WORD: Final = 200  # letters
LONGEST_REFUSAL: Final = 500  # letters
REFUSALS: Final = (Refused, BadLog, CannotUndo, IllegalAction, ValueError)


class Unknown(Refused):
    """A link without a table."""


class Stale(Refused):
    """An answer to an earlier question."""


def refusal(error: Exception) -> tuple[int, dict[str, str]]:
    """The status of a refusal, and why in one short sentence."""
    status = 404 if isinstance(error, Unknown) else 409 if isinstance(error, Stale) else 400
    return status, {"wrong": shortened(str(error))}


def shortened(sentence: str) -> str:
    """A sentence that does not repeat everything it was sent."""
    return sentence if len(sentence) <= LONGEST_REFUSAL else f"{sentence[:LONGEST_REFUSAL]} ..."


def form_of(body: bytes) -> dict[str, Any]:
    """The JSON object of a request."""
    try:
        form = msgspec.json.decode(body)
    except RecursionError:
        form = None
    if not isinstance(form, dict):
        raise Refused("a request must be a JSON object")
    return form


def words_of(form: dict[str, Any], key: str) -> list[str]:
    """A list of words in a form."""
    words = form.get(key, [])
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise Refused(f"{key} must be a list of names")
    if len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words):
        raise Refused(f"{key} may have {MOST_WORDS} names of {LONGEST_WORD} letters")
    return words


def answers_of(form: dict[str, Any]) -> list[int]:
    """The answers of a request."""
    answers = form.get("answers")
    if not isinstance(answers, list) or not 1 <= len(answers) <= MOST_ANSWERS:
        raise Refused(f"a request brings 1 to {MOST_ANSWERS} answers")
    if not _whole(answers):
        raise Refused("an answer is the number of an action")
    return answers


def plan_of(form: dict[str, Any]) -> dict[tuple[int, int], list[int]]:
    """The moves of a request: [borough, space, answer, answer ...] for each citizen."""
    moves = form.get("moves")
    if not isinstance(moves, list) or not all(
        isinstance(move, list) and len(move) >= 3 and _whole(move) for move in moves
    ):
        raise Refused("moves are lists of a borough, a space and answers")
    return {(move[0], move[1]): move[2:] for move in moves}


def _whole(values: Sequence[object]) -> bool:
    """Whether all values are whole numbers."""
    return all(type(value) is int for value in values)
