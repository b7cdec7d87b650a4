"""Replays of logs in the page: every answer as the view of a seat, or open."""

import secrets
from dataclasses import dataclass, field
from typing import Any

from smallcity_env.game import Game
from smallcity_env.log import Log, replay_steps
from smallcity_env.refusal import Refused
from smallcity_env.render.replay import page

from ..play.history import History
from . import views


@dataclass
class Replay:
    """A game to be shown again, step by step."""

    log: Log
    token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    owner: str = ""  # the address that opened it

    def __post_init__(self) -> None:
        self.steps = [n for n, step in enumerate(replay_steps(self.log), start=1) if not step.entry.forced]
        if not self.steps:
            raise Refused("this log has no answers: there is nothing to show")

    @property
    def players(self) -> int:
        """The number of seats."""
        return Game.replay(Log(self.log.start)).config.players

    def view(self, step: int, seat: int | None) -> dict[str, Any]:
        """The game after some answers, as a seat saw it; None shows everything."""
        if not 0 <= step <= len(self.steps):
            raise Refused(f"this game has {len(self.steps)} steps, not {step}")
        if seat is not None and not 0 <= seat < self.players:
            raise Refused(f"there is no seat {seat}: choose from 0 to {self.players - 1}")
        cut = self.steps[step - 1] if step else 0
        game, history = Game.replay(Log(self.log.start, self.log.entries[:cut])), History()
        history.catch_up(game)
        shown = views.table_view(game, seat, history) | {"turn": None}
        names = self.log.names or [""] * self.players
        return shown | {"names": names, "step": step, "steps": len(self.steps), "wrong": ""}

    def html(self, seat: int | None) -> str:
        """The whole replay as one file to share."""
        return page(self.log, seat)
