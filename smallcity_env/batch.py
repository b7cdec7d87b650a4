"""The only functions Python calls, always with arrays: a batch of games is one array of STATE.

    states = batch.new(1024, Config(players=4), seeds=range(1024))
    legal = batch.masks(states)
    batch.step(states, actions, legal)      # answers, runs to the next question, writes the next masks
    batch.rollout(states, seeds)            # random legal play to the end, inside the kernel
    batch.fork(states, seats, seeds)        # clones for planning: what a seat cannot see is resampled

They check and convert what they are given, and call the compiled functions of rules/entries.py.
Nothing is locked: two threads that write to the same games leave records that are not positions of a game.
"""

import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import arguments
from .arguments import ArgumentError
from .arguments import IllegalAction as IllegalAction
from .calls import Ints, Repeated, call, change, describe_misfit, in_threads, read, results_of
from .calls import Mask as Mask
from .calls import Results as Results
from .calls import States as States
from .config import Config, blank
from .library import Entry
from .rules import entries, limits, planes, rng
from .rules.actions import ACTIONS, name
from .rules.entries import DONE
from .rules.layout import Buffers, Form
from .rules.layout import Seen as Seen
from .rules.schema import RULES, STATE, STATE_BYTES
from .rules.step import COUNTED, new_report, words_of
from .rules.tables import SEATS, Ask
from .rules.validity import in_words
from .rules.why_not import LINES as REASON_LINES

RULES_BYTES = slice(_offset := 2 * limits.word_of("rules"), _offset + RULES.itemsize)
SKIP = entries.SKIP  # as an action: leave this game unchanged
_WHOLE = np.dtype(np.int64)
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
    faults = np.zeros((len(games), entries.FAULTS), np.int64)
    entries.validate(games, faults)
    if faults[:, 0].any():
        game = int(faults[:, 0].argmax())
        raise InvalidState(game, in_words(words_of(games[game]), *faults[game].tolist()))
    _check_configs(games)


def _check_configs(games: States) -> None:
    """Refuse games of configurations that the rules do not allow; equal ones are checked once."""
    rules = _bytes(games)[:, RULES_BYTES]
    for row in {config.tobytes(): game for game, config in enumerate(rules)}.values() if len(games) else ():
        try:
            Config.of(games[row])
        except ArgumentError as wrong:
            raise InvalidState(row, str(wrong)) from None


_step, _pick = Repeated(entries.step, 0, 2, 1), Repeated(entries.pick, 0, 1, 2)


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
    mask = new_masks(n) if legal is None else arguments.masks(legal, n)
    call(entries.new, states, mask)
    if legal is not None:
        arguments.give_back(mask, legal)
    return states


def set_up(states: States) -> None:
    """Set games up to their first question, even if it has a single answer."""
    change(entries.set_up, states)


def masks(states: States, legal: Mask | None = None) -> Mask:
    """The legal answers of every game, written into `legal` if given; all False where the game is over."""
    legal = np.zeros((arguments.size(states), ACTIONS), np.bool_) if legal is None else legal
    ask(states, legal)
    return legal


def ask(states: States, legal: Mask) -> Ints:
    """Write the masks of every game into `legal`; return the number of answers of each."""
    n = arguments.size(states)
    mask, counts = arguments.masks(legal, n), np.zeros(n, np.int64)
    read(entries.masks, states, mask, counts)
    arguments.give_back(mask, legal)
    return counts


def step(states: States, actions: npt.ArrayLike, legal: Mask, observations: Buffers | None = None) -> Ints:
    """Answer in every game (SKIP: leave it alone) and run on to the next question.

    `legal` holds the masks of the questions being answered and receives the next ones; `observations`
    (`new_observations`), if given, receive those of the seats asked next (after the end: of the seat that
    answered).
    Returns how many forced answers were auto-played in each game. If any action is illegal, no game is
    changed.
    """
    last_states, last_legal, buffer, answers, run = _step.last
    if last_states is states and last_legal is legal and states.flags.writeable and legal.flags.writeable:
        try:
            answers[:] = actions  # refuses other dtypes and shapes, sooner than numpy could tell
        except (TypeError, ValueError):
            return _step_anything(states, actions, legal, observations)
        if observations is None and run() == DONE:
            return buffer.copy()  # type: ignore[no-any-return]
    return _step_anything(states, actions, legal, observations)


def _step_anything(states: States, actions: Any, legal: Mask, observations: Buffers | None) -> Ints:
    """`step`, with whatever can be converted."""
    games = arguments.games(states)
    mask, chosen = arguments.masks(legal, len(games)), arguments.actions(actions, len(games))
    if observations is None:
        status, forced = _step.run(games, mask, chosen), chosen
    else:
        status, forced = _step_and_observe(games, chosen, mask, observations)
    if status == entries.UNFIT:
        raise ArgumentError(describe_misfit(games))
    if status != DONE:
        raise IllegalAction(refusal(games, status, int(chosen[status]), mask[status]))
    arguments.give_back(games, states)
    arguments.give_back(mask, legal)
    return forced.copy()


def _step_and_observe(games: States, chosen: Ints, mask: Mask, observations: Buffers) -> tuple[int, Ints]:
    """Step, write observations, and count the forced answers."""
    orders, report = np.where(chosen == SKIP, SKIP, entries.PLAY), new_report(len(games))
    seen, streams = arguments.observations(observations, games), np.zeros(len(games), np.uint64)
    status = entries.step_and_observe(games, chosen, mask, orders, streams, report, *seen)
    arguments.give_back_observations(seen, observations)
    return status, report.n_forced


def pick(legal: Mask, streams: npt.NDArray[np.uint64]) -> Ints:
    """A random legal answer for every mask, SKIP where there is none; advances the streams."""
    last_legal, last_streams, buffer, _, run = _pick.last
    if last_legal is legal and last_streams is streams and streams.flags.writeable:
        run()
        return buffer.copy()  # type: ignore[no-any-return]
    n = arguments.size(legal, "legal")
    mask, converted = arguments.masks(legal, n, written=False), arguments.streams(streams, n)
    actions = np.zeros(n, np.int64)
    _pick.run(mask, converted, actions)
    arguments.give_back(converted, streams)
    return actions.copy()


def play_on(states: States, seats: npt.ArrayLike, streams: npt.NDArray[np.uint64], legal: Mask) -> None:
    """Play random legal answers in every game until its seat is asked, is out, or the game is over.

    `legal` receives the masks; the answers are drawn from the streams, which are advanced.
    """
    n = arguments.size(states)
    who, mask = arguments.one_each(seats, n, "seats"), arguments.masks(legal, n)
    converted = arguments.streams(streams, n)
    change(entries.play_on, states, who, converted, mask, np.zeros((n, COUNTED), np.int64), seats=who)
    arguments.give_back(mask, legal)
    arguments.give_back(converted, streams)


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
    _answer(entries.answer, states, actions, legal)


def _answer(entry: Entry, states: States, actions: npt.ArrayLike, legal: Mask) -> None:
    """One answer in each game, or nothing if one of them is illegal."""
    n = arguments.size(states)
    chosen, mask = arguments.actions(actions, n), arguments.masks(legal, n, written=False)
    wrong = change(entry, states, chosen, mask)
    if wrong != DONE:
        raise IllegalAction(refusal(states, wrong, int(chosen[wrong]), mask[wrong]))


def answer_one(states: States, action: int) -> None:
    """One legal answer in one game, without auto-playing the forced ones that follow."""
    answer(states, [action], masks(states))


def apply(states: States, actions: npt.ArrayLike) -> None:
    """One legal answer in each game, without what follows from it: `run_to_question` plays that."""
    _answer(entries.apply, states, actions, masks(states))


def why_not(states: States) -> Ints:
    """Why the player whose turn it is cannot build each tile now, and what it costs, (n, why_not.LINES).

    A `why_not.Reason` for new tiles and upgrades by kind and for enlarging the zone; then prices of tiles.
    """
    reasons = np.zeros((arguments.size(states), REASON_LINES), np.int64)
    read(entries.why_not, states, reasons)
    return reasons


def run_to_question(states: States) -> None:
    """Run games that have no open question on to their next one."""
    change(entries.run_to_question, states)


def rollout(states: States, seeds: npt.ArrayLike, threads: int = 1) -> Ints:
    """Play every game to its end with random legal answers, in place.

    The answers come from separate streams (`seeds`), never from the games' own. Returns an array
    (n, 2): decisions (questions with more than one legal answer) and forced answers. `threads` splits
    the batch; the result is the same, byte for byte.
    """
    games = arguments.games(states)
    n = len(games)
    streams, workers = _streams(n, seeds), max(arguments.count(threads, "threads"), 1)
    counts = np.zeros((n, COUNTED), np.int64)
    queue, stop = iter(_chunks(n, workers)), threading.Event()

    def play() -> None:
        for chunk in queue:  # all threads take from it; between chunks Python sees signals
            if stop.is_set():
                return
            call(entries.rollout, games[chunk], streams[chunk], counts[chunk])

    if workers == 1 or n < workers:
        play()
    else:
        in_threads(play, workers, stop)
    arguments.give_back(games, states)
    return counts


def _chunks(n: int, threads: int) -> list[slice]:
    """The games of each compiled call; for several threads fewer and fewer, so that none waits long."""
    chunks, start = [], 0
    while start < n:
        fair = max((n - start) // (2 * threads), 1) if threads > 1 else n
        chunks.append(slice(start, min(start + min(CHUNK, fair), n)))
        start = chunks[-1].stop
    return chunks


def fork(states: States, seats: npt.ArrayLike, seeds: npt.ArrayLike) -> States:
    """Copies for planning: chance is reseeded and what the seat cannot see is resampled.

    Other players' promises are drawn again from those the seat does not hold; builds behind a screen are
    undone (the borough is as it was last shown, its new tiles are back in the supply); a City Hall not yet
    shown is placed at random.
    """
    copies = clone(states)
    who = arguments.one_each(seats, len(copies), "seats")
    call(entries.fork, copies, who, _streams(len(copies), seeds), seats=who)
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


def scores(states: States) -> tuple[Ints, Ints]:
    """Scores and places (0 is first; ties share a place) of every seat, (n, 4) each."""
    return results(states)[:2]


def results(states: States, rows: npt.ArrayLike | None = None) -> Results:
    """How games stand for every seat: all of them, or some rows."""
    chosen: Any = np.arange(arguments.size(states)) if rows is None else rows
    if chosen.__class__ is not np.ndarray or chosen.dtype is not _WHOLE or chosen.ndim != 1:
        chosen = arguments.rows(chosen, len(states))
    n = len(chosen)
    count, buffer, whole, ranks, run = results_of(states, n)
    count[0], buffer[:n] = n, chosen
    if run() != DONE:
        arguments.rows(chosen, len(states))
        raise ArgumentError(describe_misfit(states))
    points, places, ends, leads, shown, won = whole[:, :n].copy()
    return Results(points, places, ends, leads, ranks[:n].copy(), shown, won)


def visible_scores(states: States) -> Ints:
    """The public part of each seat's score now, without promises and secret builds, (n, 4)."""
    points = np.zeros((arguments.size(states), SEATS), np.int64)
    read(entries.visible_score, states, points)
    return points


def new_observations(n: int, form: Form = Form.COMPACT, players: int = SEATS) -> Buffers:
    """Empty buffers for the observations of n games; the unpacked forms depend on the number of players."""
    games, kind = arguments.count(n, "the number of observations"), arguments.form(form)
    size, columns = planes.sizes(kind, arguments.whole(players, "the number of players", 1, SEATS))
    return Buffers(int(kind), np.zeros((games, size), np.float32), np.zeros((games, columns), np.uint8))


def observe(states: States, viewers: npt.ArrayLike, observations: Buffers | None = None) -> Seen:
    """One seat's observation of each game, (n, numbers) float32.

    It is compact (n, layout.SIZE), or written into `observations` in their form, planes included.
    """
    games = arguments.games(states, written=False)
    who = arguments.one_each(viewers, len(games), "seats")
    buffers = new_observations(len(games)) if observations is None else observations
    seen = arguments.observations(buffers, games)
    call(entries.observe, games, who, *seen, seats=who)
    arguments.give_back_observations(seen, buffers)
    return buffers.vector


def wake(dice: npt.ArrayLike, level: npt.ArrayLike, footprint: npt.ArrayLike, playing: npt.ArrayLike) -> Mask:
    """Who hosts a godzilla (G2), for (n, players) arrays at once."""
    given = {"dice": dice, "level": level, "footprint": footprint, "playing": playing}
    *counts, present = (arguments.table(values, what, np.shape(playing)) for what, values in given.items())
    hosts = np.zeros(present.shape, np.bool_)
    entries.wake_all(*counts, present.astype(np.bool_), hosts)
    return hosts


def over(states: States) -> npt.NDArray[np.bool_]:
    """Which games have ended."""
    return np.asarray(arguments.games(states, written=False)["ask"] == _OVER)
