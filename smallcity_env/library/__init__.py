"""Numba kernels as one C library with named functions; README.md is the manual."""

from .arguments import REAL, WHOLE, Argument, CallError, Group, group, reads, writes
from .entry import Entry
from .kernels import before_build, choose, dispatch, emitted, inlined, kernel, ones, stack
from .library import Library, LibraryMissing

__all__ = [
    "REAL", "WHOLE", "Argument", "CallError", "Entry", "Group", "Library", "LibraryMissing", "before_build",
    "choose", "dispatch", "emitted", "group", "inlined", "kernel", "ones", "reads", "stack", "writes",
]  # fmt: skip
