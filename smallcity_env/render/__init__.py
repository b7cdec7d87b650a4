"""Pictures: a position becomes one list of shapes, written as SVG or painted as pixels; or plain text.

from smallcity_env import render
render.svg(states[i])               # everything, as a referee sees it
render.svg(states[i], seat=2)       # what seat 2 may see
render.pixels(states[i])            # height x width x 3 bytes; needs Pillow
render.text(states[i])              # for terminals and logs
"""

from .paint import NoPillow
from .plain import headline, text
from .poster import BadSeat, pixels, svg

__all__ = ["BadSeat", "NoPillow", "headline", "pixels", "svg", "text"]
