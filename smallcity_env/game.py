"""Game: one game behind a friendly interface, for tests, tools and people."""

import hashlib
import struct
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from . import arguments, batch
from .batch import IllegalAction
from .config import Config, blank
from .log import BadLog, Entry, Log, checked_entry, valid_state
from .rules import actions
from .rules.numbers import FINGERPRINT_LENGTH, STANDARD
from .rules.rng import streams
from .rules.schema import STATE, WRITTEN
from .rules.tables import Ask, Phase
from .rules.tables.in_force import FINGERPRINT, foreign
from .text import notation, wording

MAGIC = b"SMALLCITY"
VERSION = 1
# magic, version, schema, checksum, length; the fingerprint of changed numbers follows the body
_HEADER = struct.Struct("<9sHQIQ")
_LONGEST = 1 << 24  # bytes of a body: more than any game needs
_OVER = int(Ask.OVER)
_ASKS = {int(ask): ask for ask in Ask}  # calling an enum is slow
_ENTRY = np.dtype([("seat", "u1"), ("ask", "u1"), ("action", "<i2"), ("forced", "u1")])


class BadSave(ValueError):
    """Bytes that are not a saved game, or a damaged one."""


@cache
def _schema_number() -> int:
    """A hash of the layout of STATE: a save with another layout is refused."""
    layout = repr(STATE.descr)
    for name, written in WRITTEN.items():
        layout = layout.replace(f"{name}'", f"{written}'")
    return int.from_bytes(hashlib.sha256(layout.encode()).digest()[:8], "little")


class Game:
    """One game of Small City, for one thread at a time.

    Examples:
        >>> from smallcity_env import Config, Game
        >>> game = Game(Config(players=2), seed=7)
        >>> game.round, game.phase.name, game.ask.name
        (0, 'SETUP', 'WHERE')
        >>> game.step("at C3")
    """

    def __init__(self, config: Config | None = None, seed: int = 0) -> None:
        states = blank(1, Config() if config is None else config)
        states["stream"] = streams(arguments.seed(seed))
        batch.set_up(states)
        self._start(states)

    def _start(self, states: batch.States) -> None:
        """Begin a log here and auto-play forced answers."""
        self.states: batch.States = states
        self.log: Log = Log(states.tobytes())
        self._mask = batch.new_masks(1)
        self._play_forced()

    @classmethod
    def _from_state(cls, states: batch.States) -> "Game":
        """A game that continues from a state, at its open question or the next one."""
        game = cls.__new__(cls)
        batch.run_to_question(states)
        game._start(states)
        return game

    # -- the current question

    @property
    def state(self) -> Any:
        """The underlying record."""
        return self.states[0]

    @property
    def config(self) -> Config:
        """The configuration of the game."""
        return Config.of(self.state)

    @property
    def seat(self) -> int:
        """The seat being asked."""
        seat: int = self.states["seat"].item()  # from the array: access through a record is slow
        return seat

    @property
    def round(self) -> int:
        """The round, 0 during set-up."""
        return int(self.states["round_no"][0])

    @property
    def phase(self) -> Phase:
        """The current phase."""
        return Phase(self.states["phase"][0])

    @property
    def ask(self) -> Ask:
        """The question being asked."""
        return _ASKS[self.states["ask"].item()]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        over: bool = self.states["ask"].item() == _OVER
        return over

    def mask(self) -> npt.NDArray[np.bool_]:
        """Whether each action is legal."""
        legal: npt.NDArray[np.bool_] = self._mask[0].copy()
        return legal

    def legal(self) -> npt.NDArray[np.int64]:
        """The legal actions, in order."""
        legal: npt.NDArray[np.int64] = self._mask[0].nonzero()[0]
        return legal

    def describe(self, action: int) -> str:
        """What an action means at this question, in words."""
        self._refuse_after_the_end()
        return wording.describe(self.state, arguments.action(action))

    def parse(self, text: str) -> int:
        """The action a text names: `build park-1`, `at D4`, `pass`, or the words of `describe`."""
        return wording.parse(self.state, map(int, self.legal()), arguments.text(text, "an answer"))

    # -- playing

    def step(self, action: int | str) -> None:
        """Answer the question; an illegal answer raises `IllegalAction` and leaves the game unchanged."""
        chosen = self.parse(action) if isinstance(action, str) else arguments.action(action)
        self._refuse_after_the_end()
        if not 0 <= chosen < actions.ACTIONS or not self._mask[0, chosen]:
            raise IllegalAction(self._refusal(action))
        self._answer(chosen, forced=False)
        self._play_forced()

    def _refuse_after_the_end(self) -> None:
        if self.over:
            raise IllegalAction("the game is over and takes no more actions")

    def _refusal(self, action: int | str) -> str:
        allowed = ", ".join(actions.name(int(a)) for a in self.legal())
        asked = self.ask.name.lower()
        return f"{action!r} does not answer '{asked}' of seat {self.seat}: allowed are {allowed}"

    def _answer(self, action: int, forced: bool) -> None:
        self.log.entries.append(Entry(self.seat, self.ask, action, forced))
        batch.answer(self.states, np.array([action]), self._mask)

    def _play_forced(self) -> None:
        """Auto-play forced answers, and log them."""
        while batch.ask(self.states, self._mask)[0] == 1:
            self._answer(int(self._mask.argmax()), forced=True)

    # -- results

    def scores(self) -> list[int]:
        """The score of every seat if the game ended now (E1)."""
        scores, _ = batch.scores(self.states)
        return [int(n) for n in scores[0, : self.state.rules.players]]

    def ranking(self) -> list[list[int]]:
        """Seats from first to last; tied seats share a place (E2, P6.2)."""
        _, places = batch.scores(self.states)
        seats = range(self.state.rules.players)
        by_place = [[p for p in seats if places[0, p] == place] for place in seats]
        return [tied for tied in by_place if tied]

    def title(self) -> str:
        """Solo: the title the score earns (SO1)."""
        return wording.title(self.state, self.scores()[0])

    # -- copies, saves, text

    def clone(self) -> "Game":
        """An independent copy of the game, chance included."""
        game = Game.__new__(Game)
        game.states = batch.clone(self.states)
        game.log = Log(self.log.start, list(self.log.entries))
        game._mask = self._mask.copy()
        return game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.states.tobytes() == other.states.tobytes()

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def save(self) -> bytes:
        """The game and its log as bytes, versioned and checksummed."""
        lines = np.array([tuple(entry) for entry in self.log.entries], _ENTRY)
        body = zlib.compress(self.states.tobytes() + self.log.start + lines.tobytes())
        header = _HEADER.pack(MAGIC, VERSION, _schema_number(), zlib.crc32(body), len(body))
        return header + body + (b"" if FINGERPRINT == STANDARD else FINGERPRINT.encode())

    @classmethod
    def load(cls, data: bytes) -> "Game":
        """Load a saved game; refuses one that is foreign, newer or damaged."""
        body, size = _unpacked(_checked(data)), STATE.itemsize
        game = cls.__new__(cls)
        lines = enumerate(np.frombuffer(body[2 * size :], _ENTRY), start=1)
        try:
            game.states, start = valid_state(body[:size]), valid_state(body[size : 2 * size])
            game.log = Log(start.tobytes(), [_entry(number, line) for number, line in lines])
        except ValueError as wrong:
            raise BadSave(f"this saved game is damaged: {wrong}") from None
        game._mask = batch.masks(game.states)
        return game

    def to_text(self) -> str:
        """The whole position as readable, editable text."""
        return notation.to_text(self.state)

    def svg(self, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The table as a picture; `seat` hides what that seat may not see, `names` name the players."""
        from . import render  # here and below: most processes show nothing, and start sooner

        return render.svg(self.state, seat, names)

    def __str__(self) -> str:
        from . import render

        return render.text(self.state)

    def __repr__(self) -> str:
        from . import render

        return f"<Game of {self.config.players}: {render.headline(self.state)}>"

    def _repr_svg_(self) -> str:
        """The picture a notebook shows."""
        return self.svg()

    def _repr_html_(self) -> str:
        """The picture for front ends that prefer HTML."""
        return f'<div style="max-width: 60em">{self.svg()}</div>'

    @classmethod
    def from_text(cls, text: str) -> "Game":
        """A game from the text of a position; its log begins here."""
        states = notation.from_text(arguments.text(text, "a position"))
        batch.validate(states)
        game = cls._from_state(states)
        batch.validate(game.states)  # where no question was open, one is now
        return game

    @classmethod
    def replay(cls, log: Log, answers: Iterable[Entry] | None = None) -> "Game":
        """Replay a game from its log, or other answers from its start, byte for byte and with its chance."""
        if not isinstance(log, Log):
            raise BadLog(f"only a Log can be replayed, not {arguments.shown(log)}")
        if not isinstance(answers, Iterable | None):
            raise BadLog(f"answers must be several entries of a log, not {arguments.shown(answers)}")
        game = cls.__new__(cls)
        game._start(valid_state(log.start))
        for number, line in enumerate(log.entries if answers is None else answers, start=1):
            if not checked_entry(number, line).forced:
                game.step(line.action)
        return game


def _entry(number: int, line: Any) -> Entry:
    """One line of the log of a save."""
    entry = Entry(int(line["seat"]), Ask(line["ask"]), int(line["action"]), bool(line["forced"]))
    return checked_entry(number, entry)


def _unpacked(packed: bytes) -> bytes:
    """The uncompressed body of a save: the current state, the first one, and the log."""
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(packed, _LONGEST)
    except zlib.error:
        raise BadSave("this saved game is damaged: it cannot be decompressed") from None
    if not unpacker.eof:
        raise BadSave("this saved game is damaged: it is cut short, or no game is that long")
    lines = len(body) - 2 * STATE.itemsize
    if lines < 0 or lines % _ENTRY.itemsize:
        raise BadSave("this saved game is damaged: its length is wrong")
    return body


def _checked(data: bytes) -> bytes:
    """The body of a save, if it is intact, ours and of this version."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise BadSave(f"a saved game is bytes, not {arguments.shown(data)}")
    data = bytes(data)
    if len(data) < _HEADER.size or not data.startswith(MAGIC):
        raise BadSave("this is not a saved game of Small City")
    _, version, schema, checksum, length = _HEADER.unpack_from(data)
    if version != VERSION or schema != _schema_number():
        raise BadSave(f"this game was saved by another version; this one reads version {VERSION}")
    body, numbers = data[_HEADER.size :][:length], data[_HEADER.size :][length:]
    if len(body) != length or zlib.crc32(body) != checksum or len(numbers) not in (0, FINGERPRINT_LENGTH):
        raise BadSave("this saved game is damaged: its checksum does not match")
    if wrong := foreign(numbers.decode("ascii", "replace") or STANDARD):
        raise BadSave(f"this saved game cannot be continued: {wrong}")
    return body
