"""What kernels are made of: plain Python functions, marked for translation; only builds import numba."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Function = TypeVar("Function", bound=Callable[..., Any])
KERNEL, INLINED, EMITTED = "__kernel__", "__inlined__", "__emitted__"  # attributes of marked functions
_preparations: list[Callable[[], None]] = []


def kernel(function: Function) -> Function:
    """Mark a function that kernels and entries call; Python can call it too, at Python's speed."""
    setattr(function, KERNEL, True)
    return function


def inlined(function: Function) -> Function:
    """Mark a kernel that is compiled into each of its callers, even where LLVM finds it too large."""
    setattr(function, INLINED, True)
    return kernel(function)


def emitted(make_intrinsic: Callable[[], Any]) -> Callable[[Function], Function]:
    """Mark a function whose machine code is emitted by a numba intrinsic, made when something is built."""

    def mark(function: Function) -> Function:
        setattr(function, EMITTED, make_intrinsic)
        return function

    return mark


def before_build(prepare: Callable[[], None]) -> None:
    """Run this once before anything is translated: it may register types and operators with numba."""
    _preparations.append(prepare)


def prepare() -> None:
    """Run what waits for the first build."""
    while _preparations:
        _preparations.pop(0)()


def _popcount() -> Any:
    from .emit import popcount

    return popcount


@emitted(_popcount)
def ones(word: Any) -> int:
    """How many bits of a uint64 are set."""
    return int(word).bit_count()


def stack(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Callable[[], Any]:
    """A function that returns zeros to work with; compiled, they lie on the stack of the kernel it is in."""
    sizes = (shape,) if isinstance(shape, int) else shape

    def on_stack() -> Any:
        from .emit import stack_array

        return stack_array(sizes, np.dtype(dtype))

    @emitted(on_stack)
    def zeros() -> Any:
        return np.zeros(sizes, dtype)

    return zeros


def dispatch(
    arguments: str, key: str, branches: Mapping[Any, Sequence[str]], scope: Mapping[str, Any], last: str = ""
) -> Any:
    """A kernel that dispatches on a key by if and elif: numba has no faster way to call one of several.

    `branches` has the lines of each value of the key, which may use the names of `scope`; `last` is the line
    of any other value.
    """
    lines = [f"def dispatch({arguments}):", f"    key = {key}"]
    for n, (value, calls) in enumerate(branches.items()):
        lines += [f"    {'elif' if n else 'if'} key == {value:d}:", *(f"        {call}" for call in calls)]
    names = {"__name__": __name__, **scope}
    exec("\n".join([*lines, f"    {last}"]), names)  # made of the caller's tables only
    return kernel(names["dispatch"])


def choose(arguments: str, key: str, rules: Mapping[Any, Any], given: str) -> Any:
    """A kernel that applies the rule selected by a key to the arguments `given`; 0 for any other key."""
    names = {f"rule_{value:d}": rule for value, rule in rules.items()}
    branches = {value: [f"return rule_{value:d}({given})"] for value in rules}
    return dispatch(arguments, key, branches, names, last="return 0")
