"""Moments of the game as kernels: each calls the expansions in play that have a function of its name.

An expansion takes part in a moment by having the function; `s.rules` has a flag for each in play. The
calls are written out as plain ifs, in the order of MODULES: numba has no faster way to call several kernels.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Final

from ...library import kernel
from ..tables import MODULES

FILES: Final = {name: import_module(f".{name}", __package__) for name in MODULES}


def listeners(moment: str) -> dict[str, Any]:
    """The functions of the expansions that take part in a moment."""
    return {name: getattr(file, moment) for name, file in FILES.items() if hasattr(file, moment)}


def _kernel(moment: str, arguments: str, lines: Iterable[str], scope: dict[str, Any]) -> Any:
    """The kernel of a moment with these lines."""
    source = "\n    ".join([f"def {moment}({arguments}):", *lines])
    names = {"__name__": __name__, **scope}
    exec(source, names)  # the names of modules and moments are all it is made of
    return kernel(names[moment])


def _calls(moment: str, arguments: str, write: Callable[[str], str]) -> list[str]:
    """A line for each listener, run if its module is in play."""
    return [f"if s.rules.{name}: " + write(f"{name}({arguments})") for name in listeners(moment)]


def event(moment: str, arguments: str) -> Any:
    """A moment that calls every listener."""
    lines = _calls(moment, arguments, str)
    return _kernel(moment, arguments, [*lines, "return"], listeners(moment))


def total(moment: str, arguments: str) -> Any:
    """A moment that returns the sum of what the listeners return."""
    lines = _calls(moment, arguments, lambda call: f"n += {call}")
    return _kernel(moment, arguments, ["n = 0", *lines, "return n"], listeners(moment))


def allowed(moment: str, arguments: str) -> Any:
    """A moment that returns whether every listener agrees."""
    lines = _calls(moment, arguments, lambda call: f"yes &= {call}")
    return _kernel(moment, arguments, ["yes = True", *lines, "return yes"], listeners(moment))


def narrowed(moment: str, arguments: str) -> Any:
    """A moment whose listeners narrow down the last argument, a set of spaces, one after the other."""
    spaces = arguments.rpartition(", ")[2]
    lines = _calls(moment, arguments, lambda call: f"{spaces} = {call}")
    return _kernel(moment, arguments, [*lines, f"return {spaces}"], listeners(moment))


def one_by_one(moment: str, arguments: str) -> tuple[Any, int]:
    """The kernel that calls only the n-th listener, and their number: for listeners that ask a question."""
    calls = _calls(moment, arguments, str)
    lines = [f"if n == {n}:\n        {call}" for n, call in enumerate(calls)]
    return _kernel(moment, f"{arguments}, n", [*lines, "return"], listeners(moment)), len(calls)
