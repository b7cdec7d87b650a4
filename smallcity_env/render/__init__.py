"""Pictures: a position becomes one list of shapes, written as SVG or painted as pixels.

from smallcity_env import art
art.svg(states[i])               # everything, as a referee sees it
art.svg(states[i], seat=2)       # what seat 2 may see
art.pixels(states[i])            # height x width x 3 bytes; needs Pillow
"""

from .paint import NoPillow
from .poster import BadSeat, pixels, svg

__all__ = ["BadSeat", "NoPillow", "pixels", "svg"]
