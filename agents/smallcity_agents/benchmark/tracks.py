"""Tracks: what an agent receives and may spend; results of different tracks are not compared.

observation  it receives views: records in which what its seat cannot see is resampled
search       it may search, with a budget of simulations or seconds that its name states
learning     as observation, and it was trained from random weights with a budget of environment steps
"""

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

from smallcity_env.batch import Mask, States

from .. import COMMAND, AgentError, make
from ..agent import Actions, Agent, Streams, views
from .protocol import STEPS

OBSERVATION, SEARCH, LEARNING = TRACKS = ("observation", "search", "learning")
SEARCHES: Final = "level"  # the only agent that searches without an option for it


class Viewed(Agent):
    """An agent that receives views, whatever class it is of."""

    label = "viewed"
    description = "receives views"

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @property
    def name(self) -> str:
        """The agent's own name."""
        return self._agent.name

    @property
    def counts(self) -> dict[str, int]:
        """The agent's own counts."""
        return self._agent.counts

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The agent's answers to views."""
        return self._agent.act(views(states, seats, streams), seats, legal, streams)

    def act_in(
        self, games: Sequence[object], states: States, seats: Actions, legal: Mask, streams: Streams
    ) -> Actions:
        """The same, for agents that remember games."""
        return self._agent.act_in(games, views(states, seats, streams), seats, legal, streams)


def track_of(agent: Agent) -> str:
    """The track of an agent that none is given for."""
    return SEARCH if _searches(agent) else OBSERVATION


def _searches(agent: Agent) -> bool:
    """Whether an agent has a budget for searching."""
    return hasattr(agent, "sims") or agent.label == SEARCHES


def entrant(name: str, track: str) -> Agent:
    """Make an agent as it plays in a track."""
    agent = make(name)
    if track == SEARCH or agent.sees == "view" or agent.label == COMMAND:
        return agent
    if _searches(agent):
        raise AgentError(f"{agent.name} searches: its track is {SEARCH}, not {track}")
    return Viewed(agent)


def budget(agent: Agent, track: str, steps: int) -> str:
    """What an agent may spend in its track, in words."""
    if (track == LEARNING) != bool(steps):
        raise AgentError(f"the track {LEARNING} has a number of --steps, the others have none")
    if track == LEARNING:
        return f"{next(most for most in STEPS if steps <= most):,} environment steps"
    if track == SEARCH and (seconds := getattr(agent, "seconds", 0)):
        return f"{seconds:g} s a decision"
    sims = getattr(agent, "sims", 0)
    return f"{sims:,} simulations a decision" if track == SEARCH and sims else ""


def on_the_clock(agent: Agent) -> bool:
    """Whether the answers of an agent depend on the speed of the machine."""
    return bool(getattr(agent, "seconds", 0)) or agent.name == "level:10" or agent.label == COMMAND


def own_files(agent: Agent) -> dict[str, str]:
    """The files that the options of an agent name, each with the beginning of its hash."""
    values: Sequence[object] = [getattr(agent, field.name) for field in fields(agent)]
    paths = [value for value in values if isinstance(value, str) and Path(value).is_file()]
    return {path: hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8] for path in paths}
