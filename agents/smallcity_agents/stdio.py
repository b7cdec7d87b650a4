"""`stdio:COMMAND`: a bot in any language, a process that answers one JSON line with another (docs/models.md).

It is sent what its seat sees and nothing else. A bot that crashes, is silent for too long or gives no legal
answer in several tries forfeits that game: its seat goes on with first legal answers, and a new process plays
the other games.
"""

import json
import os
import re
import selectors
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.rules.tables.in_force import FINGERPRINT, IDENTITY
from smallcity_env.text.notation import draw

from .agent import Actions, Agent, AgentError, Streams, checked, where_asked
from .play import view
from .play.questions import question

PROTOCOL: Final = 1
SECONDS: Final = 10.0  # for an answer; the first one includes the start of the process
TRIES: Final = 3  # for a question
LONGEST: Final = 1 << 16  # bytes of a line of a bot
LARGE: Final = 2**31  # tokens of an answer: more is an error
WANTS: Final = ("observation",)  # what a bot may ask for in its first line
OPTION: Final = re.compile(r"seconds=(\d+(?:\.\d+)?)")
_SEED: Final = 1  # of what is resampled: any fixed one


class Failed(Exception):
    """A bot that crashed, was silent or did not follow the protocol, with the reason."""


@dataclass
class Stdio(Agent):
    """Plays what a process answers."""

    label = "stdio"
    description = "a bot in any language: stdio:COMMAND, which answers JSON lines"
    command: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        words = shlex.split(self.command)
        limit = OPTION.fullmatch(words[0]) if words else None
        self._seconds = float(limit[1]) if limit else SECONDS
        self._words = words[1:] if limit else words
        if not self._words:
            raise AgentError("stdio needs a command: stdio:python3 bot.py, or stdio:seconds=5 python3 bot.py")
        self._bot: Bot | None = None
        self._games: dict[object, int] = {}  # numbers of games, by their keys or the streams of their seats
        self._keys: Sequence[object] | None = None  # of the games being asked about
        self.forfeited: dict[int, str] = {}  # why, by the number of the game
        self.illegal = self.tokens = 0

    @property
    def name(self) -> str:
        """The name `make` takes."""
        return f"{self.label}:{self.command}"

    @property
    def counts(self) -> dict[str, int]:
        """Since it was made; every illegal answer but the last of a forfeit was followed by another try."""
        return {"illegal": self.illegal, "forfeits": len(self.forfeited), "tokens": self.tokens}

    def act_in(
        self, games: Sequence[object], states: States, seats: Actions, legal: Mask, streams: Streams
    ) -> Actions:
        """`act`, with games told apart by their keys."""
        self._keys = games
        try:
            return self.act(states, seats, legal, streams)
        finally:
            self._keys = None

    @checked
    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The bot's answer to one question after the other; the streams, which tell games apart, stay."""
        keys = streams.tolist() if self._keys is None else self._keys
        games = [self._games.setdefault(key, len(self._games) + 1) for key in keys]
        seen = batch.fork(states, seats, np.full(len(states), _SEED))
        each = zip(games, seats.tolist(), legal, strict=True)
        chosen = [self._answer(seen[i : i + 1], *asked) for i, asked in enumerate(each)]
        return np.array(chosen, np.int64)

    def _answer(self, seen: States, game: int, seat: int, legal: Any) -> int:
        """One answer; the first legal one in a game that is forfeited."""
        answers = [int(action) for action in np.flatnonzero(legal)]
        if game not in self.forfeited:
            try:
                return self._ask(seen, game, seat, answers)
            except (Failed, OSError) as wrong:
                self.forfeited[game] = str(wrong)
                print(f"{self.name} forfeits game {game}: {wrong}", file=sys.stderr)
                self.close()
        return answers[0]

    def _ask(self, seen: States, game: int, seat: int, answers: list[int]) -> int:
        """Put a question until its answer is legal, a few times."""
        self._bot = self._bot or Bot(self._words, self._seconds)
        said = self._bot.exchange(message(seen, game, seat, answers, self._bot.wants))
        for _ in range(TRIES):
            self.tokens += tokens_in(said)
            action, why = understood(said, answers)
            if action is not None:
                return action
            self.illegal += 1
            said = self._bot.exchange({"type": "refused", "game": game, "why": why})
        raise Failed(f"no legal answer in {TRIES} tries: {why}")

    def close(self) -> None:
        """End the process; the next question starts another."""
        if self._bot is not None:
            self._bot.close()
            self._bot = None


Stdio.sees = "view"  # set here: it redacts by itself, with a fixed seed


class Bot:
    """A running process, after the handshake."""

    def __init__(self, words: list[str], seconds: float) -> None:
        self._seconds, self._rest = seconds, b""
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        rules = {"rules": IDENTITY, "numbers": FINGERPRINT, "actions": list(actions.ACTION_NAMES)}
        try:
            ready = self.exchange({"type": "hello", "protocol": PROTOCOL} | rules)
            if not isinstance(ready, dict) or ready.get("protocol") != PROTOCOL:
                raise Failed(f'the first line of a bot is {{"protocol": {PROTOCOL}}}')
            wants = ready.get("wants", [])
            if not isinstance(wants, list) or not all(want in WANTS for want in wants):
                raise Failed(f"a bot may want {', '.join(WANTS)}")
        except BaseException:
            self.close()
            raise
        self.wants = tuple(wants)

    def exchange(self, message: dict[str, Any]) -> Any:
        """Send a line and wait for the next one; what is not JSON is None."""
        pipe, line = self._process.stdin, json.dumps(message, separators=(",", ":")) + "\n"
        assert pipe is not None
        with suppress(BrokenPipeError):  # what an ended process has still said is read below
            pipe.write(line.encode())
            pipe.flush()
        try:
            return json.loads(self._line())
        except (ValueError, RecursionError):
            return None

    def _line(self) -> bytes:
        """The next line of the process, in time."""
        pipe, until = self._process.stdout, time.monotonic() + self._seconds
        assert pipe is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if len(self._rest) > LONGEST:
                    raise Failed(f"its line is longer than {LONGEST} bytes")
                if not waiting.select(max(until - time.monotonic(), 0)):
                    raise Failed(f"no answer in {self._seconds:g} s")
                part = os.read(pipe.fileno(), LONGEST)
                if not part:
                    raise Failed("it has ended")
                self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # a line that the process never read
                    continue

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()


def message(seen: States, game: int, seat: int, answers: list[int], wants: tuple[str, ...]) -> dict[str, Any]:
    """A question as a bot receives it, from a game without what its seat cannot see."""
    state = seen[0]
    said = {
        "type": "question",
        "game": game,
        "seat": seat,
        "round": int(state["round_no"]),
        "rounds": int(state["rules"]["rounds"]),
        "phase": Phase(state["phase"]).name,
        "ask": Ask(state["ask"]).name,
        "question": question(state, seat).asks,
        "legal": [{"id": action, "name": actions.name(action)} for action in answers],
        "promises": [int(state["borough"][seat][which]) for which in ("promise", "special")],
        "boroughs": [_borough(state, seat, p) for p in range(int(state["rules"]["players"]))],
    }
    if "observation" in wants:
        said["observation"] = batch.observe(seen, seat)[0].tolist()
    return said


def _borough(state: Any, seat: int, p: int) -> dict[str, Any]:
    """A borough as a seat sees it."""
    seen = view.borough(state, seat, p)
    tracks = {name: int(seen[name]) for name in ("votes", "money", "pollution", "card", "out")}
    grid = draw(seen, int(state["rules"]["board"][p])).splitlines()
    return tracks | {"council": seen["council"].tolist(), "grid": [row.split()[1:] for row in grid[1:]]}


def tokens_in(said: Any) -> int:
    """The tokens that a bot's line says it cost."""
    tokens = said.get("tokens") if isinstance(said, dict) else 0
    return tokens if type(tokens) is int and 0 < tokens < LARGE else 0


def understood(said: Any, answers: list[int]) -> tuple[int | None, str]:
    """The legal action of a bot's line, or why there is none."""
    answer = said.get("answer") if isinstance(said, dict) else None
    named = {actions.name(action): action for action in answers}
    if isinstance(answer, str) and answer in named:
        return named[answer], ""
    if type(answer) is int and answer in answers:
        return answer, ""
    return None, 'answer with {"answer": ID}, where ID is the id or the name of a legal answer'
