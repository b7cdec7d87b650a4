"""Calls of the one compiled entry (engine.py): with the caller's arrays if they fit, else with copies,
or an ArgumentError.
"""

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba.core.errors import NumbaError

from . import arguments, background
from .arguments import ArgumentError
from .rules import engine, layout, limits
from .rules._jit import JIT, code_of
from .rules.actions import ACTIONS
from .rules.layout import Buffers, Form
from .rules.schema import STATE
from .rules.tables import SEATS

States: TypeAlias = "np.ndarray[Any, Any]"
Mask: TypeAlias = npt.NDArray[np.bool_]

NO_ACTIONS = np.zeros(0, np.int64)
NO_STREAMS = np.zeros(0, np.uint64)
NO_MASKS = np.zeros((0, ACTIONS), np.bool_)
NO_OUT = np.zeros((0, 0), np.int64)
NO_WORDS = np.zeros((0, 0), np.int16)
NO_PLANES = np.zeros((0, 0), np.uint8)
NO_OBSERVATIONS = Buffers(int(Form.COMPACT), np.zeros((0, layout.SIZE), np.float32), NO_PLANES)
_FORM, _UNSEEN, _ = NO_OBSERVATIONS
NO_STATES = np.zeros(0, STATE)
NOTHING = engine.PICK, NO_STATES, NO_ACTIONS, NO_STREAMS, NO_MASKS, NO_OUT, NO_WORDS, *NO_OBSERVATIONS
_ARRAY, _GAME, _MASK = np.ndarray, STATE, arguments.MASK
_TABLE = 2  # dimensions
_CHECK, _UNFIT = engine.CHECK, engine.UNFIT
_code: Callable[..., int] | None = None  # the compiled entry itself
_compiling: background.Compiling | None = None  # in another process
_loading = Lock()  # one thread loads it while the others wait


def call(
    command: int,
    states: States,
    actions: npt.NDArray[np.int64] = NO_ACTIONS,
    streams: npt.NDArray[np.uint64] = NO_STREAMS,
    legal: Mask = NO_MASKS,
    out: npt.NDArray[np.int64] = NO_OUT,
    observations: Buffers = NO_OBSERVATIONS,
) -> int:
    """Call the compiled entry point; arguments that do not fit are converted or refused."""
    run = _code
    if run is None:
        run = runner()
        if _code is None:  # plain Python
            return _fitted(command, states, actions, streams, legal, out, observations)
    try:
        if not _fits(states, streams, legal, observations):
            run = engine.run
        if observations is NO_OBSERVATIONS and command != _CHECK:  # unpacking none takes time, too
            status = run(command, states, actions, streams, legal, out, NO_WORDS, _FORM, _UNSEEN, NO_PLANES)
        else:
            status = run(command, states, actions, streams, legal, out, words(states), *observations)
    except (TypeError, ValueError, AttributeError, NumbaError):  # no arrays the entry was compiled for
        status = engine.UNFIT
    if status == _UNFIT:
        return _fitted(command, states, actions, streams, legal, out, observations)
    return status


def _fits(states: Any, streams: Any, legal: Any, observations: Any) -> bool:
    """Whether a caller's arrays have the types the entry was compiled for; all others are our own.

    Inlined for games and masks: a call of `arguments.fits` takes as long as its tests.
    """
    if states is not NO_STATES and not (
        states.__class__ is _ARRAY and states.dtype is _GAME and states.ndim == 1 and states.flags.carray
    ):
        return False
    if legal is not NO_MASKS and not (
        legal.__class__ is _ARRAY and legal.dtype is _MASK and legal.ndim == _TABLE and legal.flags.carray
    ):
        return False
    return (streams is NO_STREAMS or arguments.fits(streams, arguments.STREAM, 1)) and (
        observations is NO_OBSERVATIONS or _are_buffers(observations)
    )


def _are_buffers(observations: Any) -> bool:
    return (
        observations.__class__ is Buffers
        and observations.form.__class__ is int
        and arguments.fits(observations.vector, arguments.SEEN, 2)
        and arguments.fits(observations.planes, arguments.PLANE, 2)
    )


def entry_code() -> Callable[..., int]:
    """The entry point, compiled or loaded for these array types only: it does not check types."""
    global _code
    with _loading:
        if JIT and _code is None:
            _code = _loaded()
    return _code or engine.run


def _loaded() -> Callable[..., int]:
    engine.run(*NOTHING)
    engine.run.disable_compile()  # type: ignore[attr-defined]
    return code_of(engine.run)


def runner() -> Callable[..., int]:
    """The entry point, or what stands in for it until it is compiled; neither checks types."""
    elsewhere = _compiling or _compiled_elsewhere()
    return run_meanwhile if elsewhere and _code is None else entry_code()


def _compiled_elsewhere() -> background.Compiling | None:
    """How another process compiles the entry, if it is not compiled and can be."""
    global _compiling
    with _loading:
        if JIT and _code is None and _compiling is None:
            _compiling = background.compiling(NOTHING)
    return _compiling


def run_meanwhile(command: int, states: States, actions: Any, *others: Any) -> int:
    """Run a command in plain Python if that is quick and the rules are being compiled; else wait for them."""
    if _code is not None:
        return _code(command, states, actions, *others)
    quick = background.is_quick(command, max(len(states), len(actions)))
    if quick and _compiling and _compiling.goes_on():
        return background.run(command, states, actions, *others)
    entry_code()
    status: int = engine.run(command, states, actions, *others)  # checks types
    return status


def words(states: States) -> npt.NDArray[np.int16]:
    """A view of every game as int16."""
    return states.view(np.int16).reshape(len(states), limits.WORDS)


def _fitted(
    command: int, states: States, actions: Any, streams: Any, legal: Any, out: Any, observations: Any
) -> int:
    """The same with copies where needed, or an ArgumentError."""
    games = arguments.games(states, command in engine.CHANGING)
    n = len(actions) if command == engine.PICK else len(games)
    advanced = streams if streams is NO_STREAMS else arguments.streams(streams, n)
    mask, seen = legal, observations
    if legal is not NO_MASKS and command not in engine.SCRATCHING:
        mask = arguments.masks(legal, n, command in engine.ASKING)
    if observations is not NO_OBSERVATIONS:
        seen = arguments.observations(observations, games)
    run = run_meanwhile if _code is None else engine.run
    status: int = run(command, games, actions, advanced, mask, out, words(games), *seen)
    if status == engine.UNFIT:
        raise ArgumentError(_unfit(games, actions))
    if status == engine.DONE:
        arguments.give_back(games, states if command in engine.CHANGING else games)
        arguments.give_back(mask, legal if command in engine.ASKING else mask)
        arguments.give_back(advanced, streams)
        arguments.give_back(seen.vector, observations.vector)
        arguments.give_back(seen.planes, observations.planes)
    return status


def _unfit(games: States, seats: npt.NDArray[np.int64]) -> str:
    """One sentence about the first record that is not a game, or the first seat without a player."""
    for game, players in enumerate(games["rules"]["players"].tolist()):
        if not 0 < players <= SEATS:
            return f"game {game} is not a game: it has {players} players instead of 1 to {SEATS}"
        if len(seats) and not 0 <= seats[game] < players:
            return arguments.no_seat(int(seats[game]), game, players)
    raise AssertionError("these games fit")
