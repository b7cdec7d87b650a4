"""An entry: a named function of a library, which Python calls with arrays."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, update_wrapper
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np

from .arguments import Argument, CallError, Sizes

if TYPE_CHECKING:
    from .library import Library

QUICK = 16  # rows: a call with more lets other threads run


class _Call(bytes):
    """The struct of a call; it keeps the arrays it points to."""

    arrays: tuple[Any, ...]


class Entry:
    """A function of a library: called with arrays, it checks them and calls the compiled code.

    `python` is the same function in plain Python.
    """

    __name__: str

    def __init__(
        self, library: "Library", python: Callable[..., Any], arguments: Mapping[str, Argument], long: bool
    ) -> None:
        names = python.__code__.co_varnames[: python.__code__.co_argcount]
        if names != tuple(arguments):
            raise TypeError(f"{python.__name__} takes {', '.join(names)}, not {', '.join(arguments)}")
        self.python, self.arguments, self._library, self._long = python, arguments, library, long
        self.symbol = f"{library.name}_{python.__name__}"
        self._struct = Struct(f"={len(tuple(self.fields()))}q")
        update_wrapper(self, python)

    def fields(self) -> Iterator[tuple[str, str]]:
        """The fields of the struct, with their C types."""
        for name, argument in self.arguments.items():
            yield from argument.fields(name)

    def __call__(self, *given: Any) -> Any:
        """Check the arguments and run."""
        return self.bind(*given)()

    def bind(self, *given: Any) -> Callable[[], Any]:
        """Check the arguments once: what is returned takes none, and runs with what the arrays hold then."""
        words, rows = self._checked(given)
        if self._library.plain:
            return partial(self._python, *given)
        call = _Call(self._struct.pack(*words))
        call.arrays = given
        return partial(self._library.function(self.symbol, self._long or rows > QUICK), call)

    def _python(self, *given: Any) -> Any:
        """Run in plain Python, which warns of no more than compiled code does."""
        with np.errstate(all="ignore"):
            return self.python(*given)

    def _checked(self, given: tuple[Any, ...]) -> tuple[list[int], int]:
        """The words of the struct, and the number of rows."""
        if len(given) != len(self.arguments):
            raise CallError(f"{self.__name__} takes {', '.join(self.arguments)}")
        words: list[int] = []
        sizes: Sizes = {}
        for (name, argument), value in zip(self.arguments.items(), given, strict=True):
            argument.add(name, value, sizes, words)
        return words, next(iter(sizes.values()), 0)
