"""Replays of logs in the page: every answer as the view of a seat, or open; reviews of a seat's decisions."""

import secrets
from dataclasses import asdict, dataclass, field
from typing import Any

from smallcity_env.game import Game
from smallcity_env.history import History
from smallcity_env.language import current
from smallcity_env.log import Log, replay_steps
from smallcity_env.refusal import Refused
from smallcity_env.render.replay import EMPTY, page
from smallcity_env.rules import actions
from smallcity_env.text.wording import calling

from ..play import analysis, review
from ..play.players import player_names
from ..play.review import Decision
from ..play.view import asked_about
from . import coach, views


@dataclass
class Replay:
    """A game to be shown again, step by step."""

    log: Log
    token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    owner: str = ""  # the address that opened it
    reviewed: dict[tuple[int, str], list[Decision]] = field(default_factory=dict)  # by seat and language

    def __post_init__(self) -> None:
        self.steps = [n for n, step in enumerate(replay_steps(self.log), start=1) if not step.entry.forced]
        if not self.steps:
            raise Refused(str(EMPTY))
        self._history = History()
        self._history.catch_up(self.log)

    @property
    def players(self) -> int:
        """The number of seats."""
        return Game.replay(Log(self.log.start)).config.players

    def view(self, step: int, seat: int | None) -> dict[str, Any]:
        """The game after some answers, as a seat saw it; None shows everything."""
        if not 0 <= step <= len(self.steps):
            raise Refused(f"this game has {len(self.steps)} steps, not {step}")
        self._check(seat)
        return self._view(self._game(self.steps[step - 1] if step else 0), seat, step)

    def _check(self, seat: int | None) -> None:
        if seat is not None and not 0 <= seat < self.players:
            raise Refused(f"there is no seat {seat}: choose from 0 to {self.players - 1}")

    def _game(self, answers: int) -> Game:
        """The game after the first answers of its log."""
        return Game.replay(Log(self.log.start, self.log.entries[:answers]))

    def _view(self, game: Game, seat: int | None, step: int) -> dict[str, Any]:
        shown = views.table_view(game, seat, self._history, self._names(None)) | {"turn": None}
        names = self.log.names or [""] * self.players
        return shown | {"names": names, "step": step, "steps": len(self.steps), "wrong": ""}

    def _names(self, seat: int | None) -> list[str]:
        """What the players are called by a seat."""
        return player_names(self.log.names or [""] * self.players, seat)

    def review(self, seat: int | None) -> dict[str, Any]:
        """Every decision of a seat with its cost, and the scores to expect by round."""
        decisions = [asdict(decision) for decision in self._decisions(seat or 0)]
        return {"decisions": decisions, "rounds": coach.expectations(self.log, seat or 0)}

    def _decisions(self, seat: int) -> list[Decision]:
        """The decisions of a seat; reviewed once."""
        self._check(seat)
        key = (seat, current())
        if key not in self.reviewed:
            with calling(self._names(seat)):
                self.reviewed[key] = review.decisions(self.log, seat)
        return self.reviewed[key]

    def decision(self, seat: int | None, number: int) -> dict[str, Any]:
        """One decision: the position as the seat saw it, the line the champion foresees, and why."""
        one = next((one for one in self._decisions(seat or 0) if one.number == number), None)
        if one is None:
            raise Refused(f"answer {number} of this game is no decision of seat {seat or 0}")
        game = self._game(number)
        with calling(self._names(seat)):
            line = analysis.foreseen(game.states, one.best)
        return {
            "view": self._view(game, seat or 0, one.step),
            "line": line,
            "why": review.why(game.states, one.action, one.best) if one.cost else [],
            "spaces": [answer if answer < actions.BUILD else None for answer in (one.action, one.best)],
            "board": asked_about(game.state, game.seat),
        }

    def html(self, seat: int | None) -> str:
        """The whole replay as one file to share."""
        names = self._names(None)
        with calling(names):
            return page(self.log, seat, names)
