"""`human`: asks the person at the terminal; `smallcity play` is more convenient."""

from dataclasses import dataclass

import numpy as np

from smallcity_env import terminal
from smallcity_env.batch import Mask, States

from .. import AgentError
from ..agent import Actions, Agent, Streams
from . import parser, preview, view
from .questions import question


@dataclass
class Human(Agent):
    """Plays what the person types."""

    label = "human"
    description = "the person at the terminal, in one game at a time"

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """Show the game as the seat sees it, and ask."""
        if len(states) != 1:
            raise AgentError(f"human plays one game at a time, not {len(states)}")
        answers, seat = [int(action) for action in np.flatnonzero(legal[0])], int(seats[0])
        names = [f"player {p}" for p in range(states[0]["rules"]["players"])]
        ink, width = terminal.ink(), terminal.width()
        print(*view.board_lines(states[0], seat, names, width, ink), sep="\n")
        print(f"Seat {seat}: {question(states[0], seat).asks}")
        effects = {action: effect.own for action, effect in preview.effects(states, seat, answers).items()}
        print(*view.answer_lines(states[0], seat, answers, effects, width), sep="\n")
        printed = view.printed(states[0], seat, answers)
        while True:
            try:
                return np.array([parser.answer(input("> "), answers, printed)], np.int64)
            except parser.ParseError as error:
                print(error)
