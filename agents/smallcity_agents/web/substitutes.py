"""Agents that play for people who have left their seats."""

from smallcity_env.language import _
from smallcity_env.refusal import Refused

from .. import make
from ..play.match import HUMAN, Match
from . import setup
from .forms import NewTable


class Substitutes:
    """Who plays for whom at a table."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}  # of the agents, by seat

    def change(self, match: Match, own: int, seat: int, agent: str, present: bool) -> None:
        """Seat an agent for a person who has left, or for oneself; no agent: the person plays again."""
        if seat not in match.people or own not in match.people:
            raise Refused(_("An agent takes over the seat of a person, if a person at the table wants it."))
        if seat != own and (not agent or present):
            raise Refused(_("This seat is taken: its player has the page open."))
        if agent:
            self.seat(match, seat, setup.players_of(NewTable(players=[agent]))[0])
        else:
            self.names.pop(seat, None)
            match.agents.pop(seat, None)
        match.begun.clear()  # what an agent has answered since is not undone

    def seat(self, match: Match, seat: int, name: str) -> None:
        """Let an agent answer for a seat."""
        if name == HUMAN or seat not in match.people:
            raise Refused(_("An agent takes over the seat of a person, if a person at the table wants it."))
        self.names[seat], match.agents[seat] = name, make(name)
