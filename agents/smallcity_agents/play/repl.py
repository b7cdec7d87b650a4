"""The read-eval-print loop of `smallcity play`."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from smallcity_env import files
from smallcity_env.batch import IllegalAction
from smallcity_env.config import Config
from smallcity_env.history import sentences
from smallcity_env.language import Listed, _, decimal, joined, lazy
from smallcity_env.render.replay import page
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.cards import RECALLED, SCALE
from smallcity_env.rules.tables.counted import either
from smallcity_env.rules.tables.names import tile_title
from smallcity_env.show import Ink, result_lines, round_lines
from smallcity_env.terminal import Interrupt, Refused, words
from smallcity_env.text.wording import calling, shown

from .. import AgentError, make
from . import analysis, parser, preview, view
from .automatic import SWITCHES
from .explain import explained
from .match import CannotUndo, Match
from .turn import Answer, Turn, turn

PROMPT: Final = "> "
HINTED: Final = 3  # answers a hint compares
PLACES: Final = (
    lazy("You finished first of {n}."),
    lazy("You finished second of {n}."),
    lazy("You finished third of {n}."),
    lazy("You finished fourth of {n}."),
)
TIED: Final = (
    lazy("You finished first of {n}, tied."),
    lazy("You finished second of {n}, tied."),
    lazy("You finished third of {n}, tied."),
    lazy("You finished fourth of {n}, tied."),
)


class Leaving(Exception):
    """The person wants to leave."""


class Repl:
    """Show the game and ask the person, until it is over or the person leaves."""

    def __init__(self, match: Match, hints: str, path: Path, ink: Ink, width: Callable[[], int]) -> None:
        self.match, self.hints, self.path, self.ink, self._width = match, hints, path, ink, width
        self._saves = {path}  # files of this game, which may be replaced
        self.interactive = sys.stdin.isatty()
        self.you = match.you
        self.names = [_("you") if p == self.you else name for p, name in enumerate(match.names)]
        self._moment = (-1, -1)  # round and phase last shown
        self._rounds = len(match.history.rounds)

    def run(self) -> None:
        """Play to the end; ctrl-C, ctrl-D and `quit` save and leave."""
        self._greet()
        temporary = None if self.path.exists() else self.path
        kept = self._keep()
        try:
            with Interrupt() as interrupt:
                while not self.match.game.over:
                    self.match.agents_answer()
                    self._report()
                    if not self.match.game.over:
                        self._ask()
                        kept = self._keep()
                    interrupt.check()
                self._report()
                self._end()
        except (EOFError, Leaving):
            print()
            self.save("")
        except KeyboardInterrupt:  # perhaps in the middle of an answer: the last save is complete
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
        others = [view.player(p, name) for p, name in enumerate(self.names) if p != self.you]
        alone = _("You have seat {p}, alone.", p=self.you)
        against = _("You have seat {p}, against {others}.", p=self.you, others=Listed(others))
        self.say(self.ink(f"Small City, {words(config)}", "bold"))
        self._wrap(against if others else alone)
        self._wrap(
            _("Type the number or name of an answer; ? explains the question, help lists the commands.")
        )

    def _report(self) -> None:
        """Report completed rounds and what the others have done."""
        history, width = self.match.history, self._width()
        self.say("")
        for seat, sentence in sentences(history.news(self.you), self.names):
            words = f"  {view.player(seat, self.names[seat])}: {sentence}."
            first, *more = view.wrapped(words, width, 6)
            self.say(self.ink.seat(seat, first), *more)
        for played in history.rounds[self._rounds :]:
            self.say("", *round_lines(played, width, self.ink))
        self._rounds = len(history.rounds)

    def _ask(self) -> None:
        """Show the question and read input until it is answered."""
        with calling([view.player(p, name) for p, name in enumerate(self.names)]):
            asked = turn(self.match.game)
        self._show_moment(asked)
        self._wrap(f"{asked.question} ({asked.count})" if asked.count else asked.question, "bold")
        if asked.ask is Ask.ROW:
            self.say(*view.council_lines(self.match.game.state, self.you, self._width(), self.ink))
        self._answers(asked, {answer.action: answer.effect for answer in asked.answers})
        if len(asked.movers) > 1:
            self._wrap(_("Several at once: `go C3-D4 E5-A1`; `none` if nobody else moves."), "dim")
        while not self._handle(input(PROMPT), asked):
            pass

    def _answers(self, asked: Turn, effects: dict[int, str]) -> None:
        """Show the answers."""
        state, width = self.match.game.state, self._width()
        self.say(*view.answer_lines(state, self.you, asked.legal, effects, width))

    def _show_moment(self, asked: Turn) -> None:
        """Show all boroughs when a phase begins, otherwise the borough the answers lie in."""
        now, spaces = (asked.round_no, int(asked.phase)), view.spaces_in(asked.legal)
        if now != self._moment:
            self.say("", self.ink(f"== {asked.title} ==", "bold"))
            self.say(*view.promise_lines(self.match.game.state, self.you, self._width()))
            self._boards(spaces)
        elif spaces:
            self._boards(spaces, view.asked_about(self.match.game.state, self.you))
        self._moment = now

    def _boards(self, marked: list[int], *seats: int) -> None:
        """Show some boroughs, or all of them."""
        state, width = self.match.game.state, self._width()
        self.say(*view.board_lines(state, self.you, self.names, width, self.ink, seats, marked))

    def _end(self) -> None:
        """Show the boroughs, the result and the person's place."""
        game = self.match.game
        self.say("", self.ink("== " + _("The game is over") + " ==", "bold"))
        self._boards([])
        self.say(*result_lines(game, self.ink), "")
        if len(self.names) > 1:
            ranking = game.ranking()
            place = next(k for k, tied in enumerate(ranking) if self.you in tied)
            ahead = sum(map(len, ranking[:place]))
            finished = TIED if len(ranking[place]) > 1 else PLACES
            self.say(finished[ahead].fill(n=len(self.names)))
        else:
            self.say(*_scale_lines(game.title()))
        self._offer_replay()

    def _offer_replay(self) -> None:
        """Write a replay of the game just played, if the person wants one."""
        if not self.interactive:
            return
        path = files.free(self.path.with_suffix(".html"))
        self._wrap(_("Type r for a replay of this game in {file}, anything else to leave.", file=path))
        if input(PROMPT).strip().lower() == "r":
            files.write(path, page(self.match.log))
            self.say(_("{file} shows the game step by step: open it in a browser.", file=path))

    # -- input

    def _handle(self, text: str, asked: Turn) -> bool:
        """Handle one line of input; return whether the question is settled."""
        if not text.strip():
            return False
        try:
            command = parser.command(text)
            if command and command[0] in ("undo", "go", "none"):
                return self._settle(*command, asked)
            if command:
                self._execute(*command, asked)
                return False
            printed = view.printed(self.match.game.state, self.you, asked.legal)
            self.match.answer(parser.answer(text, asked.legal, printed))
        except (parser.ParseError, CannotUndo, IllegalAction) as error:
            self._wrap(str(error))
            return False
        return True

    def _settle(self, command: str, rest: str, asked: Turn) -> bool:
        """Execute a command that settles the question."""
        if command == "undo":
            self.match.undo()
            self.say(_("Your last answer is undone."))
        elif command == "none":
            if actions.NO not in asked.legal:
                raise parser.ParseError(_("'none' is not allowed here: this question has to be answered"))
            self.match.decline()
        else:
            if not asked.movers:
                raise parser.ParseError(_("'go' is not allowed here: it moves citizens in Phase 3"))
            self.match.move(*parser.moves(rest, asked.movers))
        return True

    def _execute(self, command: str, rest: str, asked: Turn) -> None:
        """Execute a command that leaves the question open."""
        game = self.match.game
        if command == "?":
            self._explain(asked, rest)
        elif command == "board":
            self._boards([])
            self.say(*view.legend_lines(game.state, self._width(), self.ink))
        elif command == "scores":
            self.say(*view.score_lines(game.states, self.you, self.names, self._width(), self.ink))
        elif command == "council":
            self.say(*view.council_lines(game.state, self.you, self._width(), self.ink))
        elif command == "log":
            for played in self.match.history.rounds:
                self.say(*round_lines(played, self._width(), self.ink), "")
        elif command == "hint":
            self._hint(rest or self.hints, game.state)
        elif command == "save":
            self.save(rest)
        elif command == "auto":
            self._automatic(rest.strip().lower())
        elif command == "quit":
            raise Leaving
        else:
            for name, what in parser.COMMANDS.items():
                self.say(*view.wrapped(f"  {parser.called(name):<8} {what}", self._width(), 11))

    def _automatic(self, name: str) -> None:
        """Switch a kind of automatic answers, and show them all."""
        automatic = self.match.automatic
        if name and name not in SWITCHES:
            known = _(
                "there is nothing automatic called {name}: {names}", name=repr(name), names=either(SWITCHES)
            )
            raise parser.ParseError(known)
        if name:
            automatic.switch(name, not getattr(automatic, name))
        for switch, what in SWITCHES.items():
            on = _("on") if getattr(automatic, switch) else _("off")
            self.say(*view.wrapped(f"  {switch:<6} {on:<4} {what}", self._width(), 13))

    def _explain(self, asked: Turn, piece: str) -> None:
        """Explain the question and preview every answer, or explain a piece."""
        if piece:
            for line in explained(asked, piece):
                self._wrap(line, "dim" if line.startswith(" ") else "")
            return
        self._wrap(asked.question, "bold")
        self._wrap(asked.help)
        shown = {a.action: _effects(a) or _("no immediate effect") for a in asked.answers}
        self._answers(asked, shown)
        for reason, names in asked.reasons.items():
            not_now = _("not  {names}: {reason}", names=Listed(names), reason=reason)
            lines = view.wrapped(f"   {not_now}", self._width(), 8)
            self.say(*(self.ink(line, "dim") for line in lines))
        self._wrap(str(preview.DISCLAIMER), "dim")
        self._wrap(_("Type `? bank` for a tile, help for the commands, board for the legend."))

    def _hint(self, name: str, state: object) -> None:
        """Show what an agent would answer, and what the champion expects if it is the champion."""
        try:
            agent = make(name)
        except AgentError as error:
            self.say(str(error))
            return
        if agent.name == analysis.CHAMPION:
            self._ask_champion(state)
        else:
            said = view.label(state, self.you, self.match.hint(agent))
            self.say(_("{agent} would answer: {answer}", agent=agent.name, answer=said))

    def _ask_champion(self, state: object) -> None:
        """Show the champion's answer, what it expects of it and of others, and the line it foresees."""
        seen = analysis.analyse(self.match.game.states)
        best = view.label(state, self.you, seen.best)
        self._wrap(_("{agent} would answer: {answer}", agent=analysis.CHAMPION, answer=best))
        for action, expected in list(seen.answers.items())[:HINTED]:
            words = f"  {shown(action, tile_title):<22} {self._expected(expected)}"
            self.say(*view.wrapped(words, self._width(), 25))
        if len(seen.line) > 1:
            steps = [_("{who}: {does}", who=self._who(seat), does=said) for seat, said in seen.line[1:]]
            self._wrap(_("It foresees: {line}.", line=joined(steps)), "dim")

    def _who(self, seat: int) -> str:
        return _("you") if seat == self.you else view.player(seat, self.names[seat])

    def _expected(self, expected: analysis.Expected) -> str:
        """An expectation in words; solo games have no places."""
        alone = _("{points} points", points=decimal(expected.score))
        return str(expected) if len(self.names) > 1 else alone

    def save(self, where: str) -> None:
        """Save the game and say how to resume it."""
        path = Path(where) if where else self.path
        if path not in self._saves and path.exists():
            self.say(_("{file} exists: name another file", file=path))
            return
        try:
            self.match.save(path)
        except Refused as error:
            self.say(str(error))
            return
        self._saves.add(path)
        self._say_saved(path)

    def _say_saved(self, path: Path) -> None:
        self.say(_("The game is saved; resume it with: smallcity play --resume {file}", file=path))


def _remove(save: Path | None) -> None:
    """Remove the save of a new game that has been played to its end."""
    for path in (save, files.previous(save)) if save else ():
        path.unlink(missing_ok=True)


def _effects(answer: Answer) -> str:
    """The effect of an answer, then what follows from it."""
    if answer.effect and answer.follows:
        return _("{effect}; then {follows}", effect=answer.effect, follows=answer.follows)
    return answer.effect or answer.follows


def _scale_lines(title: str) -> list[str]:
    """The scale of solo scores, with the title reached marked."""
    steps = [(_("below {n}", n=SCALE[0][0]), str(RECALLED))]
    steps += [(_("from {n}", n=least), str(name)) for least, name in SCALE]
    return [f"{'->' if name == title else '  '} {reached:>12}  {name}" for reached, name in steps]
