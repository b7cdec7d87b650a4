"""Arguments from callers, checked once before compiled code sees them.

Compiled code does not check bounds, and takes arrays of one dtype and layout only.
So every array is brought to the dtype, shape and layout the kernels are compiled for: used as is if it fits;
copied if nothing is lost, with results copied back (`give_back`). Everything else is refused
in one sentence.
"""

import operator
import sys
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from .refusal import Refused
from .rules import planes
from .rules.actions import ACTIONS
from .rules.layout import Buffers, Form
from .rules.schema import STATE
from .rules.tables import SEATS

Array: TypeAlias = "np.ndarray[Any, Any]"

_WHOLE: Final = np.dtype(np.int64)
STREAM: Final = np.dtype(np.uint64)
MASK: Final = np.dtype(np.bool_)
SEEN: Final = np.dtype(np.float32)
PLANE: Final = np.dtype(np.uint8)
_BOOLS: Final = (bool, np.bool_)
_LARGEST: Final = int(np.iinfo(np.int64).max)
_MOST: Final = 2**31  # largest count: more records than any memory holds


class ArgumentError(Refused, ValueError):
    """An argument that cannot be used; the message names what is needed instead."""


class IllegalAction(ArgumentError):
    """An action the rules do not allow; the game is left unchanged."""


# -- one value


def whole(value: object, what: str, low: int, high: int) -> int:
    """A whole number from low to high; bools are refused."""
    number = index(value)
    if number is None or not low <= number <= high:
        raise ArgumentError(f"{what} must be a whole number from {low} to {high}, not {shown(value)}")
    return number


def index(value: object) -> int | None:
    """The value as an int, if it is a whole number."""
    try:
        return operator.index(_not_bool(value))
    except TypeError:
        return None


def shown(value: object) -> str:
    """A value for use in a sentence: on one line, truncated."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def seed(value: object) -> int:
    """A seed: a whole number of 64 bits, not negative."""
    return whole(value, "a seed", 0, int(np.iinfo(np.uint64).max))


def count(value: object, what: str, low: int = 0) -> int:
    """A number of things."""
    return whole(value, what, low, _MOST)


def action(value: object) -> int:
    """The number of an action, legal or not."""
    number = index(value)
    if number is None or abs(number) > _LARGEST:
        raise IllegalAction(f"an action is a whole number from 0 to {ACTIONS - 1}, not {shown(value)}")
    return number


def seat(value: object, players: int) -> int:
    """A seat in a game with this many players."""
    number = index(value)
    if number is None or not 0 <= number < players:
        raise ArgumentError(f"there is no seat {shown(value)}: {players} players have 0 to {players - 1}")
    return number


def text(value: object, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ArgumentError(f"{what} must be a text, not {shown(value)}")
    return value


# -- arrays of numbers: always a copy, which the engine may write to


def actions(values: Any, n: int) -> npt.NDArray[np.int64]:
    """One action for each of N games."""
    if type(values) is np.ndarray and values.dtype is _WHOLE and values.shape == (n,):
        return values.copy()
    return _whole_numbers(values, n, "actions", error=IllegalAction)


def seeds(values: npt.ArrayLike, n: int) -> npt.NDArray[np.uint64]:
    """One seed for each of N games; for one game, a single number is accepted."""
    return _whole_numbers([values] if _is_one(values) else values, n, "seeds", STREAM)


def one_each(values: npt.ArrayLike, n: int, what: str) -> npt.NDArray[np.int64]:
    """One number for each of N games, or one for all."""
    if _is_one(values):
        return np.full(n, _whole_numbers([values], 1, what)[0])
    return _whole_numbers(values, n, what)


def seats(values: npt.ArrayLike, games: Array) -> npt.NDArray[np.int64]:
    """One seat with a player for each of these games, or one for all."""
    who, players = one_each(values, len(games), "seats"), games["rules"]["players"]
    if not ((who >= 0) & (who < players)).all():
        game = int(((who < 0) | (who >= players)).argmax())
        raise ArgumentError(no_seat(int(who[game]), game, int(players[game])))
    return who


def no_seat(seat: int, game: int, players: int) -> str:
    """One sentence about a seat without a player in a game."""
    return f"there is no seat {seat} in game {game}: its {players} players have 0 to {players - 1}"


def rows(values: npt.ArrayLike, n: int) -> npt.NDArray[np.int64]:
    """Rows of a batch of N games."""
    chosen = _whole_numbers(values, size(values, "rows"), "rows")
    if len(chosen) and not 0 <= chosen.min() <= chosen.max() < n:
        wrong = chosen[(chosen < 0) | (chosen >= n)][0]
        raise ArgumentError(f"there is no row {wrong}: {n} games have rows 0 to {n - 1}")
    return chosen


def table(values: npt.ArrayLike, what: str, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Whole numbers or bools of a shape (n, players)."""
    given = _array(values, what, written=False)
    if given.dtype.kind not in "biu" or given.ndim != 2 or given.shape != shape:
        raise ArgumentError(f"{what} must be an array (n, players) of whole numbers, not {kind_of(given)}")
    return np.array(given, _WHOLE, order="C")


def size(values: Any, what: str = "states") -> int:
    """The number of rows of an array."""
    try:
        return len(values)
    except (TypeError, OverflowError):
        raise ArgumentError(
            f"{what} must be an array with a row for each game, not {shown(values)}"
        ) from None


def _is_one(values: Any) -> bool:
    """Whether this is a single value."""
    return not isinstance(values, list | tuple | range) and np.ndim(values) == 0


def _whole_numbers(
    values: Any,
    n: int,
    what: str,
    dtype: "np.dtype[Any]" = _WHOLE,
    error: type[ArgumentError] = ArgumentError,
) -> Array:
    """N whole numbers as a new array of a dtype that holds them all."""
    try:
        if _has_gaps(values) or (isinstance(values, range) and len(values) != n):  # maybe longer than memory
            raise TypeError
        given = np.array(values)
        if given.dtype is not dtype:
            given = _converted(values, given, dtype)
    except (TypeError, ValueError, OverflowError):
        wrong = kind_of(values) if isinstance(values, np.ndarray) else shown(values)
        raise error(f"{n} games need {n} whole numbers as {what}, not {wrong}") from None
    if given.shape != (n,):
        raise error(f"{n} games need {n} whole numbers as {what}, not {kind_of(given)}")
    return given


def _has_gaps(values: Any) -> bool:
    """Whether a masked array lacks numbers; whoever has one has imported numpy.ma, so we need not."""
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)  # None while a thread imports it
    return masked is not None and isinstance(values, masked) and bool(np.any(values.mask))


def _converted(values: Any, given: Array, dtype: "np.dtype[Any]") -> Array:
    """Convert whole numbers of another dtype, or misread by numpy, if all fit this dtype."""
    if given.size == 0:
        return np.zeros(given.shape, dtype)
    if given.dtype.kind in "iu":
        numbers = given
    elif isinstance(values, np.ndarray) and given.dtype != object:
        raise TypeError
    else:  # objects, or large and small numbers mixed
        numbers = np.array([operator.index(_not_bool(value)) for value in values], object)
    limits = np.iinfo(dtype)
    if not limits.min <= int(numbers.min()) <= int(numbers.max()) <= limits.max:
        raise OverflowError
    return numbers.astype(dtype)


def _not_bool(value: Any) -> Any:
    if isinstance(value, _BOOLS):
        raise TypeError
    return value


# -- arrays the compiled rules work on


def fits(array: Any, dtype: "np.dtype[Any]", dimensions: int) -> bool:
    """Whether this is an array with this many dimensions that compiled code can use."""
    return (
        array.__class__ is np.ndarray
        and array.dtype is dtype
        and array.ndim == dimensions
        and array.flags.carray
    )


def games(states: Array, written: bool = True) -> Array:
    """An array of games."""
    if fits(states, STATE, 1):
        return states
    given = _array(states, "states", written)
    if given.dtype != STATE or given.ndim != 1:
        raise ArgumentError(
            f"states must be an array (n,) of game records, as batch.new makes it, not {kind_of(given)}"
        )
    return _copied(given.view(STATE))


def masks(legal: Array, n: int, written: bool = True) -> Array:
    """The masks of N games: bools, or whole numbers with 0 for illegal."""
    return _buffer(legal, (n, ACTIONS), MASK, "biu", "legal", written)


def streams(given: Array, n: int) -> Array:
    """The streams of N games, to be advanced."""
    return _buffer(given, (n,), STREAM, "u", "streams", written=True)


def observations(given: Any, states: Array) -> Buffers:
    """Observation buffers for these games; those for more players are accepted."""
    if not isinstance(given, Buffers):
        raise ArgumentError(
            f"observations must be buffers, as batch.new_observations makes them, not {shown(given)}"
        )
    kind = form(given.form)
    players = int(states["rules"]["players"].clip(1, SEATS).max(initial=1))
    fitting = [planes.sizes(kind, seats) for seats in range(players, SEATS + 1)]
    columns = tuple(np.shape(array)[-1:] for array in given[1:])
    numbers, spaces = next((sizes for sizes in fitting if columns == tuple((n,) for n in sizes)), fitting[0])
    vector = _buffer(given.vector, (len(states), numbers), SEEN, "f", "observations", written=True)
    board = _buffer(given.planes, (len(states), spaces), PLANE, "biu", "planes of observations", written=True)
    return Buffers(int(kind), vector, board)


def form(value: object) -> Form:
    """A form of observations."""
    number = index(value)
    if number is None or number not in range(len(Form)):
        names = ", ".join(f"{kind.name.lower()} ({kind})" for kind in Form)
        raise ArgumentError(f"observations have the forms {names}, not {shown(value)}")
    return Form(number)


def give_back(made: Array, given: Array) -> None:
    """Copy results from a copy back into the caller's array."""
    if made is not given:
        given[...] = made


def give_back_observations(made: Buffers, given: Buffers) -> None:
    """Copy observations back into the caller's buffers."""
    give_back(made.vector, given.vector)
    give_back(made.planes, given.planes)


def _buffer(
    given: Array, shape: tuple[int, ...], dtype: "np.dtype[Any]", kinds: str, what: str, written: bool
) -> Array:
    """An array of this shape that can be converted to this dtype."""
    if given.__class__ is np.ndarray and given.dtype is dtype and given.shape == shape and given.flags.carray:
        return given
    array = _array(given, what, written)
    if array.shape != shape or array.dtype.kind not in kinds or (kinds == "u" and array.dtype != dtype):
        raise ArgumentError(f"{what} must be an array {shape} of {dtype}, not {kind_of(array)}")
    return _copied(array, dtype)


def _array(given: Any, what: str, written: bool) -> Array:
    """Any array; writable if needed."""
    if written and not isinstance(given, np.ndarray):
        raise ArgumentError(f"{what} must be a numpy array, which is written to, not {shown(given)}")
    try:
        array = np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{what} must be a numpy array, not {shown(given)}") from None
    if _has_gaps(given):
        raise ArgumentError(f"{what} must be an array without gaps, not a masked one with some")
    if written and not array.flags.writeable:
        raise ArgumentError(f"{what} must be an array that can be written to, not a read-only one")
    return array


def kind_of(array: Array) -> str:
    """The dtype and shape of an array, for use in a sentence."""
    return f"{'records' if array.dtype.names else array.dtype} of shape {array.shape}"


def _copied(array: Array, dtype: "np.dtype[Any] | None" = None) -> Array:
    """A copy that compiled code can use."""
    return np.array(array, dtype, order="C", copy=True, subok=False)
