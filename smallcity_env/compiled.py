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
from .rules import engine, layout
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
NO_PLANES = np.zeros((0, 0), np.uint8)
NO_OBSERVATIONS = Buffers(int(Form.COMPACT), np.zeros((0, layout.SIZE), np.float32), NO_PLANES)
FORM, UNSEEN, _ = NO_OBSERVATIONS
NO_STATES = np.zeros(0, STATE)
NOTHING = engine.PICK, NO_STATES, NO_STREAMS, NO_MASKS, NO_OUT, *NO_OBSERVATIONS, NO_ACTIONS
_ARRAY, _GAME = np.ndarray, STATE
_UNFIT = engine.UNFIT
REFUSED = TypeError, ValueError, AttributeError, NumbaError  # no arrays the entry was compiled for
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
    if observations is NO_OBSERVATIONS:
        status = attempt(command, states, actions, streams, legal, out)
    else:
        status = _attempt_seen(command, states, actions, streams, legal, out, observations)
    if status == _UNFIT:
        return _fitted(command, states, actions, streams, legal, out, observations)
    return status


def attempt(command: int, states: Any, actions: Any, streams: Any, legal: Any, out: Any = NO_OUT) -> int:
    """Call the entry point without observations; UNFIT, and nothing done, for arrays it was not compiled for.

    Written out for speed: the entry itself checks arrays, but neither the dtype of games nor their class.
    """
    try:
        if states.__class__ is legal.__class__ is streams.__class__ is _ARRAY and states.dtype is _GAME:
            return code(command, states, streams, legal, out, FORM, UNSEEN, NO_PLANES, actions)
        return _dispatched(command, states, streams, legal, out, *NO_OBSERVATIONS, actions)
    except REFUSED:
        return _UNFIT


def _attempt_seen(
    command: int, states: Any, actions: Any, streams: Any, legal: Any, out: Any, observations: Any
) -> int:
    """The same with observations."""
    try:
        given = command, states, streams, legal, out, *observations, actions
        arrays = states, streams, legal, observations.vector, observations.planes
        own = all(array.__class__ is _ARRAY for array in arrays) and states.dtype is _GAME
        return code(*given) if own and observations.form.__class__ is int else _dispatched(*given)
    except REFUSED:
        return _UNFIT


def _dispatched(*given: Any) -> int:
    """Call the entry point by numba's dispatch, which compares types; UNFIT if there is only plain Python."""
    if code is _dispatched:
        runner()
    if code is _dispatched:
        return _UNFIT
    status: int = engine.run(*given)
    return status


code: Callable[..., int] = _dispatched  # the compiled entry itself, once it is loaded


def entry_code() -> Callable[..., int]:
    """The entry point, compiled or loaded once; it checks arrays, but not that records are games."""
    global code
    with _loading:
        if not JIT:
            return engine.run
        if code is _dispatched:
            code = _loaded()
        return code


def _loaded() -> Callable[..., int]:
    engine.run(*NOTHING)
    engine.run.disable_compile()  # type: ignore[attr-defined]
    return code_of(engine.run)


def runner() -> Callable[..., int]:
    """The entry point, or what stands in for it until it is compiled."""
    elsewhere = _compiling or _compiled_elsewhere()
    return run_meanwhile if elsewhere and code is _dispatched else entry_code()


def _compiled_elsewhere() -> background.Compiling | None:
    """How another process compiles the entry, if it is not compiled and can be."""
    global _compiling
    with _loading:
        if JIT and code is _dispatched and _compiling is None:
            _compiling = background.compiling(NOTHING)
    return _compiling


def run_meanwhile(command: int, states: States, *others: Any) -> int:
    """Run a command in plain Python if that is quick and the rules are being compiled; else wait for them."""
    if code is not _dispatched:
        return code(command, states, *others)
    actions = others[-1]
    if not arguments.fits(actions, NO_ACTIONS.dtype, 1):
        raise TypeError("not an array of the type the entry is compiled for")  # as the entry itself does
    quick = background.is_quick(command, max(len(states), len(actions)))
    if quick and _compiling and _compiling.goes_on():
        return background.run(command, states, *others)
    entry_code()
    status: int = engine.run(command, states, *others)  # checks types
    return status


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
    run = run_meanwhile if code is _dispatched else engine.run
    status: int = run(command, games, advanced, mask, out, *seen, actions)
    if status == engine.UNFIT:
        raise ArgumentError(_unfit(games, NO_ACTIONS if command == engine.RESULT else actions))
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
