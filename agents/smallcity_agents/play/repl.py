"""The talk between the game and the person at the terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from smallcity_env.config import Config
from smallcity_env.rules.tables.cards import RECALLED, SCALE
from smallcity_env.show import Ink, result_lines, round_lines
from smallcity_env.terminal import Refused, words

from .. import AgentError, make
from . import parser, preview, view
from .history import sentences
from .match import CannotUndo, Sitting
from .questions import PHASES, question

PROMPT: Final = "> "
ORDINALS: Final = ("first", "second", "third", "fourth")


class Leaving(Exception):
    """The person has had enough for now."""


class Conversation:
    """Shows the game to the person, asks and understands, until it is over or the person leaves."""

    def __init__(self, sitting: Sitting, hints: str, path: Path, ink: Ink, width: Callable[[], int]) -> None:
        self.sitting, self.hints, self.path, self.ink, self._width = sitting, hints, path, ink, width
        self.you = sitting.you
        names = sitting.names
        self.names = ["you" if p == self.you else name for p, name in enumerate(names)]
        self._moment = (-1, -1)  # round and phase that were last shown
        self._rounds = len(sitting.chronicle.rounds)
        self._mine = sitting.game.state["borough"][self.you].copy()  # as it was last shown

    def hold(self) -> None:
        """Play to the end; ctrl-C, ctrl-D and `quit` save and leave."""
        self._greet()
        try:
            while not self.sitting.game.over:
                self.sitting.others_answer()
                self._tell()
                if not self.sitting.game.over:
                    self._ask()
            self._tell()
            self._end()
        except (KeyboardInterrupt, EOFError, Leaving):
            print()
            self.save("")

    def say(self, *lines: str) -> None:
        """Lines to the terminal."""
        print(*lines, sep="\n")

    def _wrap(self, line: str, colour: str = "") -> None:
        """A line, broken where the terminal ends."""
        lines = view.wrapped(line, self._width())
        self.say(*(self.ink(line, colour) if colour else line for line in lines))

    # -- what is shown

    def _greet(self) -> None:
        """Who plays what, and how to talk."""
        config: Config = self.sitting.game.config
        others = [f"seat {p} ({name})" for p, name in enumerate(self.names) if p != self.you]
        against = f", against {', '.join(others)}" if others else ", alone"
        self.say(self.ink(f"Small City, {words(config)}", "bold"))
        self._wrap(f"You have seat {self.you}{against}.")
        self._wrap("Type the number or the name of an answer; ? explains the question, help says what else.")

    def _tell(self) -> None:
        """Rounds that are over, and what the others have done since."""
        chronicle, width = self.sitting.chronicle, self._width()
        news = chronicle.news(self.you)
        over = chronicle.rounds[self._rounds :]
        mine = self.sitting.game.state["borough"][self.you]
        changed = preview.changes(self._mine, mine)
        self._mine = mine.copy()
        self.say("")
        for seat, said in sentences(news):
            first, *more = view.wrapped(f"  seat {seat} ({self.names[seat]}) {said}.", width, 6)
            self.say(self.ink.seat(seat, first), *more)
        if changed:
            self.say(self.ink.seat(self.you, f"  seat {self.you} (you): {', '.join(changed)}."))
        for played in over:
            self.say("", *round_lines(played, width, self.ink))
        self._rounds = len(chronicle.rounds)

    def _ask(self) -> None:
        """Show the question, and listen until it is answered."""
        game = self.sitting.game
        self._show_moment()
        legal = [int(action) for action in game.legal()]
        asked = question(game.state, self.you)
        self._wrap(asked.asks, "bold")
        effects = preview.effects(game.states, self.you, legal)
        self.say(*view.answer_lines(game.state, self.you, legal, effects, self._width()))
        while not self._hear(input(PROMPT), legal):
            pass

    def _show_moment(self) -> None:
        """A heading and all boroughs when a phase begins; else the borough in question, if spaces are."""
        state = self.sitting.game.state
        now = int(state["round_no"]), int(state["phase"])
        spaces = view.spaces_in(self.sitting.game.legal().tolist())
        if now != self._moment:
            number = f"Round {now[0]} of {state['rules']['rounds']}, " if now[0] else ""
            self.say("", self.ink(f"== {number}{PHASES[self.sitting.game.phase]} ==", "bold"))
            self.say(*view.promise_lines(state, self.you, self._width()))
            self._boards(list(range(len(self.names))), spaces)
        elif spaces:
            self._boards([view.asked_about(state, self.you)], spaces)
        self._moment = now

    def _boards(self, seats: list[int], marked: list[int]) -> None:
        """Some boroughs."""
        state, width = self.sitting.game.state, self._width()
        self.say(*view.board_lines(state, self.you, self.names, width, self.ink, seats, marked))

    def _end(self) -> None:
        """The boroughs, the result, and how it ended for you."""
        game = self.sitting.game
        self.say("", self.ink("== The game is over ==", "bold"))
        self._boards(list(range(len(self.names))), [])
        self.say(*result_lines(game, self.ink), "")
        if len(self.names) > 1:
            ranking = game.ranking()
            place = next(k for k, tied in enumerate(ranking) if self.you in tied)
            before = sum(map(len, ranking[:place]))
            shared = " together with others" if len(ranking[place]) > 1 else ""
            self.say(f"You came in {ORDINALS[before]} of {len(self.names)}{shared}.")
        else:
            self.say(*_scale_lines(game.title()))

    # -- what is heard

    def _hear(self, text: str, legal: list[int]) -> bool:
        """Understand one line; True when the question has been dealt with."""
        if not text.strip():
            return False
        said = parser.command(text)
        if said and said[0] == "undo":
            return self._undo()
        if said:
            self._obey(*said, legal)
            return False
        try:
            self.sitting.answer(parser.answer(text, legal))
        except parser.Misunderstood as wrong:
            self._wrap(str(wrong))
            return False
        return True

    def _obey(self, command: str, rest: str, legal: list[int]) -> None:
        """Do what was asked for instead of an answer."""
        state = self.sitting.game.state
        if command == "?":
            self._explain(legal)
        elif command == "board":
            self._boards(list(range(len(self.names))), [])
            self.say(*view.legend_lines(self.ink))
        elif command == "scores":
            states = self.sitting.game.states
            self.say(*view.score_lines(states, self.you, self.names, self._width(), self.ink))
        elif command == "log":
            for played in self.sitting.chronicle.rounds:
                self.say(*round_lines(played, self._width(), self.ink), "")
        elif command == "hint":
            self._hint(rest or self.hints, state)
        elif command == "save":
            self.save(rest)
        elif command == "quit":
            raise Leaving
        else:
            self.say(*(f"  {name:<7} {what}" for name, what in parser.COMMANDS.items()))

    def _explain(self, legal: list[int]) -> None:
        """What the question is about and what every answer would do."""
        game, width = self.sitting.game, max(self._width(), view.LEAST)
        asked = question(game.state, self.you)
        self._wrap(asked.asks, "bold")
        self._wrap(asked.about)
        effects = preview.effects(game.states, self.you, legal)
        told = {action: effect or "nothing at once" for action, effect in effects.items()}
        self.say(*view.answer_lines(game.state, self.you, legal, told, width))
        if len(set(told.values())) == 1 and len(legal) > view.LISTED:
            self.say(f"Each of them: {told[legal[0]]}.")
        self._wrap(preview.HONEST, "dim")
        self.say("Type help for the commands, board for the legend.")

    def _hint(self, name: str, state: object) -> None:
        """What an agent would answer."""
        try:
            agent = make(name)
        except AgentError as wrong:
            self.say(str(wrong))
            return
        self.say(f"{agent.name} would answer: {view.label(state, self.you, self.sitting.hint(agent))}")

    def _undo(self) -> bool:
        """Take the last answer back; True when another question stands now."""
        try:
            self.sitting.undo()
        except CannotUndo as wrong:
            self.say(str(wrong))
            return False
        self.say("Your last answer is taken back.")
        return True

    def save(self, where: str) -> None:
        """Save, and say how to go on."""
        path = Path(where) if where else self.path
        try:
            self.sitting.save(path)
        except Refused as wrong:
            self.say(str(wrong))
            return
        self.say(f"The game is saved; go on with: smallcity play --resume {path}")


def _scale_lines(title: str) -> list[str]:
    """Where a score alone stands on its scale."""
    steps = [("below 0", RECALLED), *((f"from {least}", name) for least, name in SCALE)]
    return [f"{'->' if name == title else '  '} {reached:>8}  {name}" for reached, name in steps]
