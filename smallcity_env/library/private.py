"""Every private name of numba this package uses, each in one place; tests/library/test_private.py tries each.

The classes make numba stop after its own translation to LLVM: a kernel has neither machine code nor an
address of its own, for everything is linked and optimised once (link.py).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FunctionType
from typing import Any

import numba
from numba.core import compiler, compiler_machinery, sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.types.functions import BaseFunction
from numba.extending import typeof_impl

from .kernels import EMITTED, INLINED, KERNEL


class _NoAddress:
    """Stands in for numba's code generator where it would write to a function's address."""

    def set_env(self, name: str, env: Any) -> None:
        pass


class Translated(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel as LLVM only."""

    codegen = _NoAddress()

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class _Passes(compiler_machinery.PassManager):  # type: ignore[misc]
    """Numba's passes without its log of each, which takes an eighth of the time."""

    def _runPass(self, _index: int, step: Any, state: Any) -> None:  # noqa: N802 - numba's name
        step.analysis = self._analysis
        step.run_initialization(state)
        step.run_pass(state)
        step.run_finalizer(state)


_passes = _Passes("nopython")


class Translator(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's own compiler, with our kind of library."""

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes."""
        state = self.state
        state.library = Translated(state.targetctx.codegen(), state.func_id.func_qualname)
        if not _passes.passes:
            _passes.passes = compiler.DefaultPassBuilder.define_nopython_pipeline(state).passes
            _passes.finalize()
        return [_passes]


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """Widens whole numbers to int64, so that each kernel is translated once."""

    def compile(self, sig: Any) -> None:
        """Translate without numba's timers and locks, which all callers above would wait for."""
        args, return_type = sigutils.normalize_signature(sig)
        if args not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._compiler.compile(args, return_type))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The template for widened arguments."""
        return super().get_call_template(tuple(map(_widened, args)), kws)


def _widened(kind: Any) -> Any:
    """int64 for every whole number but uint64; bool stays bool."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.IntEnumMember):
        return types.int64
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "_nrt": False,  # no references are counted, and a kernel that allocates cannot be translated
}


@cache
def dispatcher(function: Any) -> Any:
    """A marked function as numba sees it."""
    inline = hasattr(function, INLINED)
    translated = numba.njit(pipeline_class=Translator, forceinline=inline, **OPTIONS)(function)
    translated.__class__ = Kernel
    return translated


@typeof_impl.register(FunctionType)  # type: ignore[untyped-decorator]
def _typeof_function(function: Any, _context: Any) -> Any:
    """The type of a marked function that a kernel names."""
    if hasattr(function, EMITTED):
        return _type_of_intrinsic(function)
    return dispatcher(function)._numba_type_ if hasattr(function, KERNEL) else None


@cache
def _type_of_intrinsic(function: Any) -> Any:
    intrinsic = getattr(function, EMITTED)()
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(intrinsic)


@contextmanager
def remembered_types() -> Iterator[None]:
    """Within, numba finds the type of a call it knows by itself once for the same arguments."""
    find, known = BaseFunction.get_call_type, {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        key = self, tuple(args), tuple(kws.items())
        if key not in known:
            known[key] = find(self, context, args, kws)
        return known[key]

    BaseFunction.get_call_type = get_call_type  # type: ignore[method-assign]
    try:
        yield
    finally:
        BaseFunction.get_call_type = find  # type: ignore[method-assign]


def translate(function: Any, signature: Any) -> tuple[str, Any]:
    """The name of a translated function in LLVM, and its library."""
    translated = dispatcher(function)
    translated.compile(signature)
    (result,) = translated.overloads.values()
    return result.fndesc.mangled_name, result.library


def modules_below(libraries: list[Any]) -> Iterator[Any]:
    """The LLVM modules of these libraries and of all they call; callers come first."""
    ordered: dict[Any, None] = {}
    for library in libraries:
        _callees_first(library, ordered)
    for library in reversed(ordered):
        yield library._final_module


def _callees_first(library: Any, ordered: dict[Any, None]) -> None:
    """Append a library, after every library it needs."""
    if library not in ordered:
        for callee in library._linking_libraries:
            _callees_first(callee, ordered)
        ordered[library] = None
