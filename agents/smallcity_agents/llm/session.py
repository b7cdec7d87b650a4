"""One seat of a game played in words: messages to a model, its replies, and what they cost."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from smallcity_env.batch import IllegalAction
from smallcity_env.config import Config
from smallcity_env.game import Game
from smallcity_env.history import sentences
from smallcity_env.language import _
from smallcity_env.rules import actions

from ..play import parser, view
from ..play.explain import explained
from ..play.match import HUMAN, CannotUndo, Match
from ..play.movers import movers
from ..play.turn import turn
from . import prompt
from .rules_card import rules_card
from .tokens import tokens

MARK: Final = re.compile(r"(?:answer|réponse)\s*:", re.IGNORECASE)
SEPARATOR: Final = re.compile(r"[;\n]")
HELP: Final = "?"
MOST_ANSWERS: Final = 40  # in one reply
LONGEST: Final = 120  # letters of an answer, which a refusal repeats


@dataclass
class Counts:
    """What a seat has answered, and about how many tokens it has read and written."""

    answers: int = 0
    illegal: int = 0  # unreadable ones included
    read: int = 0
    written: int = 0


@dataclass(frozen=True)
class Reply:
    """What became of a reply."""

    used: int  # answers
    refused: str = ""  # why the next one was not used, in a sentence
    told: str = ""  # what `?` asked for

    @property
    def said(self) -> str:
        """What a model is told about its reply before the next question."""
        return _("Not used: {reason}.", reason=self.refused) if self.refused else self.told


class Session:
    """A game in which one seat is played in words and agents have the others."""

    def __init__(self, match: Match) -> None:
        self.match, self.you, self.counts = match, match.you, Counts()
        self.names = prompt.safe_names(match.names, self.you)
        self._shown: tuple[int, int] | None = None  # round and phase in which all boroughs were last shown
        self._let_agents_answer()

    @classmethod
    def begin(cls, config: Config, opponents: Sequence[str], seed: int, seat: int = 0) -> "Session":
        """A new game against agents; a game has as many players as they are and one more."""
        names = [*opponents[:seat], HUMAN, *opponents[seat:]]
        return cls(Match.begin(Game(config, seed), names, seed))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.game.over

    @property
    def rules(self) -> str:
        """The rules of this game, with the legend of the boroughs."""
        card, legend = rules_card(self.match.game.config, self.you), prompt.legend_text(self.seen)
        return "\n".join([card, _("## Boroughs"), legend])

    # -- to the model

    def message(self, whole: bool = False) -> str:
        """What is new and the open question; all boroughs when a phase begins, or if `whole`."""
        parts = [*self._news(), *self._table(whole)]
        game = self.match.game
        last = prompt.result_text(game, self.you) if game.over else prompt.question_text(self.seen)
        return self._sent("\n\n".join([*parts, last]))

    @property
    def seen(self) -> Game:
        """The game without what the seat cannot see."""
        return prompt.redacted(self.match.game, self.you)

    def table(self) -> str:
        """The whole table."""
        return self._sent(prompt.table_text(self.seen, self.you, self.names))

    def explain(self, piece: str = "") -> str:
        """What a tile, card or promise is, or what the open question is about; nothing after the end."""
        if self.over:
            return ""
        if not piece.strip():
            return self._sent(prompt.help_text(self.seen))
        return self._sent("\n".join(explained(turn(self.seen), piece[:LONGEST])))

    def _sent(self, text: str) -> str:
        self.counts.read += tokens(text)
        return text

    def _news(self) -> list[str]:
        """What has happened since the last message, and why."""
        news = self.match.history.news(self.you)
        told = sentences(news, self.names)
        lines = [f"{view.player(seat, self.names[seat])}: {said}." for seat, said in told]
        return ["\n".join([_("News:"), *lines])] if lines else []

    def _table(self, whole: bool) -> list[str]:
        """All boroughs when a phase begins, otherwise the borough the answers lie in."""
        game = self.match.game
        now = game.round, int(game.phase)
        if game.over or whole or now != self._shown:
            self._shown = now
            return [prompt.table_text(self.seen, self.you, self.names)]
        if not view.spaces_in(game.legal().tolist()):
            return []
        return [prompt.table_text(self.seen, self.you, self.names, [view.asked_about(game.state, self.you)])]

    # -- from the model

    def reply(self, reply: str | Sequence[str]) -> Reply:
        """Use the answers of a reply as long as they are legal and it stays the seat's turn."""
        answers = list(reply) if not isinstance(reply, str) else split(reply)
        self.counts.written += tokens(reply if isinstance(reply, str) else ";".join(reply))
        if not answers:
            return self._refuse(0, _("there is no answer in your reply: give a number or a name of the list"))
        for used, text in enumerate(answers[:MOST_ANSWERS]):
            if self.over:
                return Reply(used, "" if used else _("the game is over and takes no more answers"))
            log = len(self.match.game.log)
            try:
                if text.startswith(HELP):
                    return Reply(used, told=self.explain(text[len(HELP) :]))
                self._answer(text)
            except (parser.ParseError, CannotUndo, IllegalAction, ValueError) as wrong:
                return self._refuse(used, " ".join(str(wrong).split()))
            if self._let_agents_answer() or len(self.match.game.log) < log:
                return Reply(used + 1, _unused(answers[used + 1 :]))
        return Reply(min(len(answers), MOST_ANSWERS))

    def _refuse(self, used: int, why: str) -> Reply:
        self.counts.illegal += 1
        return Reply(used, why[:400])

    def _answer(self, text: str) -> None:
        """Give one answer, or carry out one of the commands that settle a question."""
        asked, game = text.strip()[:LONGEST], self.match.game
        command, legal = parser.command(asked), [int(action) for action in game.legal()]
        if command and command[0] == "undo":
            self.match.undo()
        elif command and command[0] == "none":
            if actions.NO not in legal:
                raise parser.ParseError(_("'none' is not allowed here: this question has to be answered"))
            self.match.decline()
        elif command and command[0] == "go":
            self.match.move(*parser.moves(command[1], movers(game)))
        else:
            printed = view.printed(game.state, self.you, legal)
            self.match.answer(parser.answer(asked, legal, printed))
        self.counts.answers += 1

    def _let_agents_answer(self) -> bool:
        """Let agents answer until the seat is asked; return whether another seat has answered."""
        before = len(self.match.game.log)
        self.match.agents_answer()
        return any(entry.seat != self.you for entry in self.match.game.log.entries[before:])

    def report(self) -> dict[str, int]:
        """The counts, by name."""
        return asdict(self.counts)


def split(reply: str) -> list[str]:
    """The answers of a reply: what follows the last `answer:`, or all of it, separated by ; or lines."""
    text = MARK.split(reply)[-1]
    return [part.strip(" .`*\t") for part in SEPARATOR.split(text) if part.strip(" .`*\t")]


def _unused(rest: Sequence[str]) -> str:
    """That the rest of a reply was not used, if there is one."""
    words = _("your turn ended, so {n} of your answers were not used", n=len(rest))
    return words if rest else ""
