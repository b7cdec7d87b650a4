"""Rendering for the environments: a game as one seat sees it."""

from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

from ..batch import Mask, States
from ..rules import actions
from ..rules.tables import Ask, Phase

Rendered: TypeAlias = str | npt.NDArray[np.uint8] | None
RENDERED: Final = 4  # games of a batch that are drawn


def render_state(mode: str | None, state: Any, seat: int) -> Rendered:
    """Render a game as a seat sees it, in a render mode."""
    if mode is None:
        gymnasium.logger.warn("render needs a render_mode: pass one to the environment")
        return None
    from .. import render  # a tenth of the start-up time, and most games are not drawn

    if mode == "rgb_array":
        return render.pixels(state, seat)
    text = render.text(state, seat)
    if mode == "ansi":
        return text
    print(text)
    return None


def render_batch(mode: str | None, states: States, seats: Any) -> tuple[Any, ...] | None:
    """Pictures of the first games of a batch, black for the others; None without a render mode."""
    frames = [render_state(mode, states[row], int(seats[row])) for row in range(min(RENDERED, len(states)))]
    return None if mode is None else (*frames, *[np.zeros_like(frames[0])] * (len(states) - len(frames)))


def in_words(state: Any, legal: Mask) -> dict[str, Any]:
    """Phase, question and legal actions by name."""
    names = [actions.name(int(action)) for action in np.flatnonzero(legal)]
    phase, ask = Phase(state["phase"]), Ask(state["ask"])
    return {"phase": phase.name.lower(), "ask": ask.name.lower(), "legal_actions": names}
