"""Entries and all kernels below them, translated by numba into one LLVM module. Imported only to build."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba import from_dtype, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from . import kernels, private
from .emit import array_at, status, struct_at
from .loaded import FAILED

_WRAPPER = """
declare i32 @"{inner}"(ptr, ptr, ptr)
define i64 @{name}(ptr %call) {{
  %result = alloca i64
  %error = alloca ptr
  %status = call i32 @"{inner}"(ptr %result, ptr %error, ptr %call)
  %value = load i64, ptr %result
  %done = icmp eq i32 %status, 0
  %returned = select i1 %done, i64 %value, i64 {failed}
  ret i64 %returned
}}
"""


def translate(entries: Sequence[Any], say: Callable[[str], None]) -> llvm.ModuleRef:
    """One module with a C function for each entry; everything else in it is private."""
    kernels.prepare()
    cpu_target.target_context.refresh()
    found: dict[str, tuple[str, Any]] = {}
    with global_compiler_lock, _without_collecting(), private.remembered_types():
        for done, entry in enumerate(entries):
            say(f"translating {entry.python.__name__} ({done + 1} of {len(entries)})")
            found[entry.symbol] = private.translate(*_c_function(entry))
    return _linked(found)


def _c_function(entry: Any) -> tuple[Any, Any]:
    """A function of one pointer that calls the entry with what the struct holds, and its signature."""
    kernels.kernel(entry.python)
    scope = {"array_at": array_at, "struct_at": struct_at, "status": status, "run": entry.python}
    given = ", ".join(argument.source(name, scope) for name, argument in entry.arguments.items())
    exec(f"def from_c(call):\n    c = struct_at(call)\n    return status(run({given}))", scope)
    struct = np.dtype([(name, _FIELD.get(kind, "i8")) for name, kind in entry.fields()])
    signature = types.int64(types.CPointer(from_dtype(struct)))
    return scope["from_c"], signature


_FIELD = {"double ": "f8"}


def _linked(found: dict[str, tuple[str, Any]]) -> llvm.ModuleRef:
    """All modules as one."""
    wrappers = [_WRAPPER.format(name=name, inner=inner, failed=FAILED) for name, (inner, _) in found.items()]
    callers = llvm.parse_assembly("".join(wrappers))
    parts = list(private.modules_below([library for _, library in found.values()]))
    callers.triple, callers.data_layout = parts[0].triple, parts[0].data_layout
    module = _merged([callers, *parts])
    for symbol in [*module.functions, *module.global_variables]:
        if not symbol.is_declaration and symbol.name not in found:
            symbol.linkage = llvm.Linkage.internal
    return module


def _merged(modules: Sequence[llvm.ModuleRef]) -> llvm.ModuleRef:
    """One module of copies of all: linking takes as long as the larger one is, so halves are linked."""
    if len(modules) == 1:
        return modules[0].clone()
    half = len(modules) // 2
    merged = _merged(modules[:half])
    merged.link_in(_merged(modules[half:]))
    return merged


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Suspend garbage collection, which takes a tenth of the time: translating leaves little garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.enable()
