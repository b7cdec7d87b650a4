"""The read-eval-print loop of `smallcity play`."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from smallcity_env import files
from smallcity_env.config import Config
from smallcity_env.rules.tables.cards import RECALLED, SCALE
from smallcity_env.show import Ink, result_lines, round_lines
from smallcity_env.terminal import Refused, words

from .. import AgentError, make
from . import parser, preview, view
from .history import sentences
from .match import CannotUndo, Match
from .questions import PHASES, question

PROMPT: Final = "> "
ORDINALS: Final = ("first", "second", "third", "fourth")


class Leaving(Exception):
    """The person wants to leave."""


class Repl:
    """Show the game and ask the person, until it is over or the person leaves."""

    def __init__(self, match: Match, hints: str, path: Path, ink: Ink, width: Callable[[], int]) -> None:
        self.match, self.hints, self.path, self.ink, self._width = match, hints, path, ink, width
        self._saves = {path}  # files of this game, which may be replaced
        self.you = match.you
        self.names = ["you" if p == self.you else name for p, name in enumerate(match.names)]
        self._moment = (-1, -1)  # round and phase last shown
        self._rounds = len(match.history.rounds)
        self._mine = match.game.state["borough"][self.you].copy()  # as last shown

    def run(self) -> None:
        """Play to the end; ctrl-C, ctrl-D and `quit` save and leave."""
        self._greet()
        temporary = None if self.path.exists() else self.path
        kept = self._keep()
        try:
            while not self.match.game.over:
                self.match.agents_answer()
                self._report()
                if not self.match.game.over:
                    self._ask()
                    kept = self._keep()
            self._report()
            self._end()
        except (EOFError, Leaving):
            print()
            self.save("")
        except KeyboardInterrupt:  # perhaps in the middle of an answer: the last save is whole
            print()
            if kept:
                self._say_saved(self.path)
        else:
            _remove(temporary)

    def _keep(self) -> bool:
        """Save after every answer, so that a killed process loses none; return whether that succeeded."""
        try:
            self.match.save(self.path)
        except Refused as error:
            self.say(str(error))
            return False
        return True

    def say(self, *lines: str) -> None:
        """Print lines."""
        print(*lines, sep="\n")

    def _wrap(self, line: str, colour: str = "") -> None:
        """Print a line, wrapped to the width of the terminal."""
        lines = view.wrapped(line, self._width())
        self.say(*(self.ink(line, colour) if colour else line for line in lines))

    # -- output

    def _greet(self) -> None:
        """Introduce the game, the players and the commands."""
        config: Config = self.match.game.config
        others = [f"seat {p} ({name})" for p, name in enumerate(self.names) if p != self.you]
        against = f", against {', '.join(others)}" if others else ", alone"
        self.say(self.ink(f"Small City, {words(config)}", "bold"))
        self._wrap(f"You have seat {self.you}{against}.")
        self._wrap("Type the number or name of an answer; ? explains the question, help lists the commands.")

    def _report(self) -> None:
        """Report completed rounds and what the others have done."""
        history, width = self.match.history, self._width()
        news = history.news(self.you)
        mine = self.match.game.state["borough"][self.you]
        changed = preview.changes(self._mine, mine)
        self._mine = mine.copy()
        self.say("")
        for seat, sentence in sentences(news):
            first, *more = view.wrapped(f"  seat {seat} ({self.names[seat]}) {sentence}.", width, 6)
            self.say(self.ink.seat(seat, first), *more)
        if changed:
            self.say(self.ink.seat(self.you, f"  seat {self.you} (you): {', '.join(changed)}."))
        for played in history.rounds[self._rounds :]:
            self.say("", *round_lines(played, width, self.ink))
        self._rounds = len(history.rounds)

    def _ask(self) -> None:
        """Show the question and read input until it is answered."""
        game = self.match.game
        self._show_moment()
        legal = [int(action) for action in game.legal()]
        asked = question(game.state, self.you)
        self._wrap(asked.asks, "bold")
        effects = preview.effects(game.states, self.you, legal)
        self.say(*view.answer_lines(game.state, self.you, legal, effects, self._width()))
        while not self._handle(input(PROMPT), legal):
            pass

    def _show_moment(self) -> None:
        """Show all boroughs when a phase begins, otherwise the borough the answers lie in."""
        state = self.match.game.state
        now = int(state["round_no"]), int(state["phase"])
        spaces = view.spaces_in(self.match.game.legal().tolist())
        if now != self._moment:
            number = f"Round {now[0]} of {state['rules']['rounds']}, " if now[0] else ""
            self.say("", self.ink(f"== {number}{PHASES[self.match.game.phase]} ==", "bold"))
            self.say(*view.promise_lines(state, self.you, self._width()))
            self._boards(spaces)
        elif spaces:
            self._boards(spaces, view.asked_about(state, self.you))
        self._moment = now

    def _boards(self, marked: list[int], *seats: int) -> None:
        """Show some boroughs, or all of them."""
        state, width = self.match.game.state, self._width()
        self.say(*view.board_lines(state, self.you, self.names, width, self.ink, seats, marked))

    def _end(self) -> None:
        """Show the boroughs, the result and the person's place."""
        game = self.match.game
        self.say("", self.ink("== The game is over ==", "bold"))
        self._boards([])
        self.say(*result_lines(game, self.ink), "")
        if len(self.names) > 1:
            ranking = game.ranking()
            place = next(k for k, tied in enumerate(ranking) if self.you in tied)
            ahead = sum(map(len, ranking[:place]))
            shared = ", tied" if len(ranking[place]) > 1 else ""
            self.say(f"You finished {ORDINALS[ahead]} of {len(self.names)}{shared}.")
        else:
            self.say(*_scale_lines(game.title()))

    # -- input

    def _handle(self, text: str, legal: list[int]) -> bool:
        """Handle one line of input; True if the question is settled."""
        if not text.strip():
            return False
        command = parser.command(text)
        if command and command[0] == "undo":
            return self._undo()
        if command:
            self._execute(*command, legal)
            return False
        try:
            printed = view.printed(self.match.game.state, self.you, legal)
            self.match.answer(parser.answer(text, legal, printed))
        except parser.ParseError as error:
            self._wrap(str(error))
            return False
        return True

    def _execute(self, command: str, rest: str, legal: list[int]) -> None:
        """Execute a command."""
        state = self.match.game.state
        if command == "?":
            self._explain(legal)
        elif command == "board":
            self._boards([])
            self.say(*view.legend_lines(self.ink))
        elif command == "scores":
            states = self.match.game.states
            self.say(*view.score_lines(states, self.you, self.names, self._width(), self.ink))
        elif command == "log":
            for played in self.match.history.rounds:
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
        """Explain the question and preview every answer."""
        game, width = self.match.game, max(self._width(), view.LEAST)
        asked = question(game.state, self.you)
        self._wrap(asked.asks, "bold")
        self._wrap(asked.help)
        effects = preview.effects(game.states, self.you, legal)
        shown = {action: effect or "no immediate effect" for action, effect in effects.items()}
        self.say(*view.answer_lines(game.state, self.you, legal, shown, width))
        if len(set(shown.values())) == 1 and len(legal) > view.LISTED:
            self.say(f"Each of them: {shown[legal[0]]}.")
        self._wrap(preview.DISCLAIMER, "dim")
        self.say("Type help for the commands, board for the legend.")

    def _hint(self, name: str, state: object) -> None:
        """Show what an agent would answer."""
        try:
            agent = make(name)
        except AgentError as error:
            self.say(str(error))
            return
        self.say(f"{agent.name} would answer: {view.label(state, self.you, self.match.hint(agent))}")

    def _undo(self) -> bool:
        """Undo the last answer; True if that succeeded."""
        try:
            self.match.undo()
        except CannotUndo as error:
            self.say(str(error))
            return False
        self.say("Your last answer is undone.")
        return True

    def save(self, where: str) -> None:
        """Save the game and say how to resume it."""
        path = Path(where) if where else self.path
        if path not in self._saves and path.exists():
            self.say(f"{path} exists: name another file")
            return
        try:
            self.match.save(path)
        except Refused as error:
            self.say(str(error))
            return
        self._saves.add(path)
        self._say_saved(path)

    def _say_saved(self, path: Path) -> None:
        self.say(f"The game is saved; resume it with: smallcity play --resume {path}")


def _remove(save: Path | None) -> None:
    """Remove the save of a new game that has been played to its end."""
    for path in (save, files.previous(save)) if save else ():
        path.unlink(missing_ok=True)


def _scale_lines(title: str) -> list[str]:
    """The scale of solo scores, with the title reached marked."""
    steps = [("below 0", RECALLED), *((f"from {least}", name) for least, name in SCALE)]
    return [f"{'->' if name == title else '  '} {reached:>8}  {name}" for reached, name in steps]
