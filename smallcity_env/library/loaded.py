"""Functions of a loaded library, for ctypes."""

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

FAILED = -(2**63)  # what a function returns if a kernel raised, as bounds checks do
Functions = Callable[[str], Callable[..., int]]  # by symbol


def loaded(path: Path, code: bytes | None, symbols: Sequence[str], shares: bool, checked: bool) -> Functions:
    """The functions of a file or, where there was no linker, of an object file's code."""
    if code is None:
        library = (ctypes.CDLL if shares else ctypes.PyDLL)(str(path))
        functions: dict[str, Any] = {symbol: library[symbol] for symbol in symbols}
    else:
        kind = (ctypes.CFUNCTYPE if shares else ctypes.PYFUNCTYPE)(ctypes.c_int64, ctypes.c_void_p)
        functions = {symbol: kind(_jit(code, tuple(symbols))[symbol]) for symbol in symbols}
    for symbol, function in functions.items():
        function.restype = ctypes.c_int64
        if checked:
            function.errcheck = _checked(symbol)
    return functions.__getitem__


def _checked(symbol: str) -> Any:
    """Raise what a bounds check found."""

    def check(result: int, _function: Any, _arguments: Any) -> int:
        if result == FAILED:
            raise IndexError(f"{symbol.partition('_')[2]} used an index out of bounds")
        return result

    return check


@cache
def _jit(code: bytes, symbols: tuple[str, ...]) -> Any:
    """The addresses of the functions of an object file, loaded by LLVM."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
    for symbol in symbols:
        builder.export_symbol(symbol)
    return builder.link(llvm.create_lljit_compiler(), "library")
