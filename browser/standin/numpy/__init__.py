"""A stand-in for numpy in pure Python: what the rules, views and agents of Small City use of it, no more.

In a browser there is no numpy to be had from the registries. Arrays here are slow, and exact: a test compares
every text, picture and view with those that numpy makes. `smallcity_env` is what runs on it, unchanged.
"""

from . import lib, typing
from .arrays import array, asarray, ndarray
from .dtypes import bool_, dtype, floating, generic, integer, record, scalars, void
from .functions import *

globals().update(scalars)
inf, nan = float("inf"), float("nan")
