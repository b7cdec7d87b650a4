"""The only functions Python calls, always with arrays: a batch of games is one array of STATE.

    states = batch.new(1024, Config(players=4), seeds=range(1024))
    legal = batch.masks(states)
    batch.step(states, actions, legal)      # answers, runs to the next question, writes the next masks
    batch.rollout(states, seeds)            # random legal play to the end, inside the kernel
    batch.fork(states, seats, seeds)        # clones for planning: what a seat cannot see is resampled

All of them go through one compiled entry (compiled.py), so that the rules are compiled once.
"""

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from . import arguments, compiled
from .arguments import ArgumentError
from .arguments import IllegalAction as IllegalAction
from .compiled import (
    FORM,
    NO_MASKS,
    NO_OBSERVATIONS,
    NO_OUT,
    NO_PLANES,
    NO_STATES,
    NO_STREAMS,
    REFUSED,
    UNSEEN,
    attempt,
    call,
)
from .compiled import Mask as Mask
from .compiled import States as States
from .config import Config, blank
from .rules import engine, limits, planes, rng
from .rules._words import words
from .rules.actions import ACTIONS, name
from .rules.layout import Buffers, Form
from .rules.layout import Seen as Seen
from .rules.modules.godzillas import wake_all
from .rules.schema import RULES, STATE, STATE_BYTES
from .rules.step import COUNTED
from .rules.tables import SEATS, Ask
from .rules.validity import in_words
from .rules.why_not import LINES as REASON_LINES

FAULT_LINES = 2  # the fault and what it is about
RULES_BYTES = slice(_offset := 2 * limits.word_of("rules"), _offset + RULES.itemsize)
SKIP = engine.SKIP  # as an action: leave this game unchanged


_ARRAY, _GAME, _STEP, _DONE, _PICK = np.ndarray, STATE, engine.STEP, engine.DONE, engine.PICK
_empty, _WHOLE = np.empty, np.dtype(np.int64)
_OVER = int(Ask.OVER)  # numpy compares with an enum in four times the time


class InvalidState(ArgumentError):
    """A record that is not a position of a game; `why` is the reason."""

    def __init__(self, game: int, why: str) -> None:
        super().__init__(f"game {game}: {why}")
        self.why = why


CHUNK = 256  # most games rolled out in one compiled call: about a tenth of a second


def validate(states: States) -> None:
    """Refuse records that are not positions of a game; InvalidState says which one and what is wrong.

    The other functions trust their states, which `new` and `step` keep valid. Use this for records from
    elsewhere; saves, texts and logs are validated as they are loaded.
    """
    games = arguments.games(states, written=False)
    out = _new_out(len(games), FAULT_LINES)
    call(engine.CHECK, games, legal=new_masks(1), out=out)
    if out[0].any():
        game = int(out[0].argmax())
        raise InvalidState(game, in_words(words(games)[game], *out[:, game].tolist()))
    _check_configs(games)


def _check_configs(games: States) -> None:
    """Refuse games of configurations that the rules do not allow; equal ones are checked once."""
    rules = _bytes(games)[:, RULES_BYTES]
    for row in {config.tobytes(): game for game, config in enumerate(rules)}.values() if len(games) else ():
        try:
            Config.of(games[row])
        except ArgumentError as wrong:
            raise InvalidState(row, str(wrong)) from None


def _new_out(n: int, lines: int = engine.LINES) -> npt.NDArray[np.int64]:
    """A buffer for what a command counts: one number per game in every line."""
    return np.zeros((lines, n), np.int64)


def _streams(n: int, seeds: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """One random stream per game."""
    return rng.streams(arguments.seeds(seeds, n))


def new_masks(n: int) -> Mask:
    """An empty buffer for n masks."""
    return np.zeros((arguments.count(n, "the number of masks"), ACTIONS), np.bool_)


def new(n: int, config: Config, seeds: npt.ArrayLike, legal: Mask | None = None) -> States:
    """N games at their first question, one per seed; writes their masks into `legal` if given."""
    states = blank(arguments.count(n, "the number of games"), config)
    states["stream"] = _streams(n, seeds)
    call(engine.BEGIN, states, legal=new_masks(n) if legal is None else legal)
    return states


def set_up(states: States) -> None:
    """Set games up to their first question, even if it has a single answer."""
    call(engine.BEGIN, states)


def masks(states: States, legal: Mask | None = None) -> Mask:
    """The legal answers of every game, written into `legal` if given; all False where the game is over."""
    legal = np.zeros((arguments.size(states), ACTIONS), np.bool_) if legal is None else legal
    ask(states, legal)
    return legal


def ask(states: States, legal: Mask) -> npt.NDArray[np.int64]:
    """Write the masks of every game into `legal`; return the number of answers of each."""
    out = _new_out(arguments.size(states), 1)
    call(engine.ASK, states, legal=legal, out=out)
    return out.reshape(-1)


def step(
    states: States, actions: npt.ArrayLike, legal: Mask, observations: Buffers = NO_OBSERVATIONS
) -> npt.NDArray[np.int64]:
    """Answer in every game (SKIP: leave it alone) and run on to the next question.

    `legal` holds the masks of the questions being answered and receives the next ones; `observations`
    (`new_observations`), if given, receive those of the seats asked next (after the end: of the seat that
    answered).
    Returns how many forced answers were auto-played in each game. If any action is illegal, no game is
    changed.
    """
    given: Any = actions
    arrays = states.__class__ is given.__class__ is legal.__class__ is _ARRAY
    forced: npt.NDArray[np.int64]  # actions in, counts of forced answers out
    if arrays and states.dtype is _GAME and observations is NO_OBSERVATIONS:  # `call` written out, for speed
        forced = given.copy()
        try:
            status = compiled.code(_STEP, states, NO_STREAMS, legal, NO_OUT, FORM, UNSEEN, NO_PLANES, forced)
            if status == _DONE:
                return forced
        except REFUSED:
            pass
    forced = arguments.actions(actions, arguments.size(states))
    wrong = call(engine.STEP, states, forced, NO_STREAMS, legal, NO_OUT, observations)
    if wrong >= 0:
        raise IllegalAction(refusal(states, wrong, int(forced[wrong]), legal[wrong]))
    return forced


def pick(legal: Mask, streams: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """A random legal answer for every mask, SKIP where there is none; advances the streams."""
    actions = _empty(arguments.size(legal, "legal"), _WHOLE)
    if attempt(_PICK, NO_STATES, actions, streams, legal) != _DONE:
        call(_PICK, NO_STATES, actions, streams, legal)
    return actions


def play_on(states: States, seats: npt.ArrayLike, streams: npt.NDArray[np.uint64], legal: Mask) -> None:
    """Play random legal answers in every game until its seat is asked, is out, or the game is over.

    `legal` receives the masks; the answers are drawn from the streams, which are advanced.
    """
    n = arguments.size(states)
    who = arguments.one_each(seats, n, "seats")
    call(engine.PLAY_ON, states, who, streams, legal, _new_out(n, COUNTED))


def refusal(states: States, game: int, action: int, legal: npt.NDArray[np.bool_]) -> str:
    """One sentence saying what was wrong and what is allowed."""
    shown = f"'{name(action)}' ({action})" if 0 <= action < ACTIONS else f"{action}"
    if states[game]["ask"] == Ask.OVER:
        return f"game {game} is over and takes no action, not even {shown}"
    asked = Ask(states[game]["ask"]).name.lower()
    allowed = ", ".join(name(int(a)) for a in np.flatnonzero(legal))
    return f"{shown} does not answer '{asked}' in game {game}: allowed are {allowed}"


def answer(states: States, actions: npt.ArrayLike, legal: Mask) -> None:
    """One answer in each game, without auto-playing the forced ones that follow; masks are not updated."""
    chosen = arguments.actions(actions, arguments.size(states))
    wrong = call(engine.ANSWER, states, actions=chosen, legal=legal)
    if wrong >= 0:
        raise IllegalAction(refusal(states, wrong, int(chosen[wrong]), legal[wrong]))


def answer_one(states: States, action: int) -> None:
    """One legal answer in one game, without auto-playing the forced ones that follow."""
    answer(states, [action], np.ones((1, ACTIONS), np.bool_))


def carry_out(states: States, actions: npt.ArrayLike) -> None:
    """One legal answer in each game, without what follows from it: `run_on` plays that."""
    chosen, legal = arguments.actions(actions, arguments.size(states)), masks(states)
    wrong = call(engine.CARRY_OUT, states, actions=chosen, legal=legal)
    if wrong >= 0:
        raise IllegalAction(refusal(states, wrong, int(chosen[wrong]), legal[wrong]))


def why_not(states: States) -> npt.NDArray[np.int64]:
    """Why the player whose turn it is cannot build each tile now, and what it costs, (n, why_not.LINES).

    The columns are a `why_not.Reason` for the new tiles by kind, the upgrades by kind and the enlargement
    of the zone; then the prices of new tiles, in money and in each material.
    """
    out = _new_out(arguments.size(states), REASON_LINES)
    call(engine.WHY_NOT, states, out=out)
    return out.T


def run_on(states: States) -> None:
    """Run games that have no open question on to their next one."""
    call(engine.RUN_ON, states)


def rollout(states: States, seeds: npt.ArrayLike, threads: int = 1) -> npt.NDArray[np.int64]:
    """Play every game to its end with random legal answers, in place.

    The answers come from separate streams (`seeds`), never from the games' own. Returns an array
    (n, 2): decisions (questions with more than one legal answer) and forced answers. `threads` splits
    the batch; the result is the same, byte for byte.
    """
    n = arguments.size(states)
    streams, workers = _streams(n, seeds), max(arguments.count(threads, "threads"), 1)
    counts = np.zeros((n, COUNTED), np.int64)
    queue, stop = iter(_chunks(n, workers)), threading.Event()

    def play() -> None:
        for chunk in queue:  # all threads take from it; between chunks Python sees signals
            if stop.is_set():
                return
            counts[chunk] = _roll_out(states[chunk], streams[chunk])

    if workers == 1 or n < workers:
        play()
        return counts
    with ThreadPoolExecutor(workers) as pool:
        try:
            for thread in [pool.submit(play) for _ in range(workers)]:
                thread.result()
        except BaseException:
            stop.set()
            raise
    return counts


def _chunks(n: int, threads: int) -> list[slice]:
    """The games of each compiled call; for several threads fewer and fewer, so that none waits long."""
    chunks, start = [], 0
    while start < n:
        fair = max((n - start) // (2 * threads), 1) if threads > 1 else n
        chunks.append(slice(start, min(start + min(CHUNK, fair), n)))
        start = chunks[-1].stop
    return chunks


def _roll_out(states: States, streams: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Play some games to their end; decisions and forced answers, (n, 2)."""
    out = _new_out(len(states), COUNTED)
    call(engine.ROLL_OUT, states, streams=streams, legal=new_masks(1), out=out)
    return out.T


def fork(states: States, seats: npt.ArrayLike, seeds: npt.ArrayLike) -> States:
    """Copies for planning: chance is reseeded and what the seat cannot see is resampled.

    Other players' promises are drawn again from those the seat does not hold; builds behind a screen are
    undone (the borough is as it was last shown, its new tiles are back in the supply); a City Hall not yet
    shown is placed at random.
    """
    copies = clone(states)
    who = arguments.one_each(seats, len(copies), "seats")
    call(engine.FORK, copies, actions=who, streams=_streams(len(copies), seeds))
    return copies


def clone(states: States) -> States:
    """Exact copies, chance and secrets included."""
    return _records(bytearray(arguments.games(states, written=False).view(np.uint8)))


def take(states: States, rows: npt.ArrayLike) -> States:
    """Exact copies of some games, as bytes: numpy copies records field by field, which is slow."""
    games = arguments.games(states, written=False)
    return _records(_bytes(games)[arguments.rows(rows, len(games))])


def join(batches: Iterable[States]) -> States:
    """Exact copies of the games of several batches as one."""
    if not np.iterable(batches):
        raise ArgumentError(f"join takes several batches of games, not {arguments.shown(batches)}")
    games = (arguments.games(states, written=False).view(np.uint8).data for states in batches)
    return _records(bytearray().join(games))


def put(states: States, rows: npt.ArrayLike, games: States) -> None:
    """Write games into some rows."""
    target, given = arguments.games(states), arguments.games(games, written=False)
    chosen = arguments.rows(rows, len(target))
    if len(chosen) != len(given):
        raise ArgumentError(f"{len(chosen)} rows need {len(chosen)} games, not {len(given)}")
    _bytes(target)[chosen] = _bytes(given)
    arguments.give_back(target, states)


def _records(data: Any) -> States:
    """Games from a buffer of their bytes: numpy checks a view of bytes as records for several us."""
    return np.ndarray(memoryview(data).nbytes // STATE_BYTES, STATE, data)


def _bytes(states: States) -> npt.NDArray[np.uint8]:
    """A view of every game as bytes, (n, STATE_BYTES)."""
    return states.view(np.uint8).reshape(len(states), STATE_BYTES)


def scores(states: States) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Scores and places (0 is first; ties share a place) of every seat, (n, 4) each."""
    out = _new_out(arguments.size(states))
    call(engine.SCORE, states, out=out)
    return out[:SEATS].T, out[SEATS:].T


def results(states: States, rows: npt.ArrayLike) -> tuple[npt.NDArray[np.int64], ...]:
    """Scores, places and ends (engine.OUT, engine.OVER or 0) of every seat of some games, (rows, 4) each."""
    out = _new_out(arguments.size(rows, "rows"), engine.RESULT_LINES)
    if attempt(engine.RESULT, states, rows, NO_STREAMS, NO_MASKS, out) != _DONE:
        call(engine.RESULT, states, arguments.rows(rows, arguments.size(states)), out=out)
    return out[:SEATS].T, out[SEATS : engine.LINES].T, out[engine.LINES :].T


def visible_scores(states: States) -> npt.NDArray[np.int64]:
    """The public part of each seat's score now, without promises and secret builds, (n, 4)."""
    out = _new_out(arguments.size(states), SEATS)
    call(engine.VISIBLE, states, out=out)
    return out.T


def new_observations(n: int, form: Form = Form.COMPACT, players: int = SEATS) -> Buffers:
    """Empty buffers for the observations of n games; the unpacked forms depend on the number of players."""
    games, kind = arguments.count(n, "the number of observations"), arguments.form(form)
    size, columns = planes.sizes(kind, arguments.whole(players, "the number of players", 1, SEATS))
    return Buffers(int(kind), np.zeros((games, size), np.float32), np.zeros((games, columns), np.uint8))


def observe(states: States, viewers: npt.ArrayLike, observations: Buffers | None = None) -> Seen:
    """One seat's observation of each game, (n, numbers) float32.

    It is compact (n, layout.SIZE), or written into `observations` in their form, planes included.
    """
    n = arguments.size(states)
    buffers = new_observations(n) if observations is None else observations
    call(engine.SEE, states, actions=arguments.one_each(viewers, n, "seats"), observations=buffers)
    return buffers.vector


def wake(dice: npt.ArrayLike, level: npt.ArrayLike, footprint: npt.ArrayLike, playing: npt.ArrayLike) -> Mask:
    """Who hosts a godzilla (G2), for (n, players) arrays at once."""
    hosts: Mask = arguments.table(playing, "playing", np.shape(playing)).astype(np.bool_)
    counts = {"dice": dice, "level": level, "footprint": footprint}
    wake_all(*(arguments.table(values, what, hosts.shape) for what, values in counts.items()), hosts)
    return hosts


def over(states: States) -> npt.NDArray[np.bool_]:
    """Which games have ended."""
    ended: npt.NDArray[np.bool_] = arguments.games(states, written=False)["ask"] == _OVER
    return ended
