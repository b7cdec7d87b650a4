"""Rendering for the environments: a game as one seat sees it."""

from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

Rendered: TypeAlias = str | npt.NDArray[np.uint8] | None


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
