"""How rules are compiled: `kernel` for a rule, `entry` for the few functions Python calls.

Numba compiles every function to machine code by itself and optimises it again inside each of its
callers: our few hundred rules, called eight levels deep, took 220 s that way. So a kernel is only
translated to LLVM, and an entry links all kernels below it and optimises them together, once.

Numba's cache looks only at the file of a function and misses edits in the files it calls, so ours (_cache.py)
has a folder named by a hash of all sources that hold rules or tables: one edit there, one new folder. Numbers
of the user's own (numbers/) are constants to the compiler: each set of them has its folder.
"""

import gc
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any

import numba
from llvmlite.binding import Linkage
from numba.core import compiler, compiler_machinery, sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

from ._cache import SHIPPED, EntryCache
from ._cache import root as cache_root
from ._jit_arrays import borrowed_arrays
from .numbers import STANDARD
from .tables.in_force import FINGERPRINT

PACKAGE = Path(__file__).parent
UNCOMPILED = "smallcity_env.uncompiled_rules"  # a second import of the rules, in plain Python (background.py)
JIT = not numba.config.DISABLE_JIT and not __name__.startswith(UNCOMPILED)


_TABLES = ("numbers/", "tables/", "validity/", "schema", "limits", "actions", "layout", "_jit", "_words")


def _holds_rules(name: str, source: bytes) -> bool:
    """Whether compiled code depends on a source file: it has kernels, or numbers kernels use."""
    has_kernels = re.search(rb"_jit import.*\b(kernel|entry)\b", source) is not None
    return has_kernels or name.startswith(_TABLES) or name.endswith("/schema.py")


@cache
def _source_hash(*packages: Path) -> str:
    """A short hash of every source file that compiled code depends on, in a fixed order."""
    digest = hashlib.sha256()
    for package in packages:
        for path in sorted(package.rglob("*.py")):
            name, source = path.relative_to(package).as_posix(), path.read_bytes()
            if _holds_rules(name, source):
                digest.update(name.encode() + source)
    return digest.hexdigest()[:16]


def _package_of(file: Path) -> Path:
    """The folder of the top package a file belongs to; this package for a file of the rules."""
    folder = file.parent
    while folder != PACKAGE and (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


def _folder_name(*others: Path) -> str:
    """A name for exactly these sources and numbers; bounds-checked code has its own."""
    own = "" if FINGERPRINT == STANDARD else f"-{FINGERPRINT}"
    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    return _source_hash(PACKAGE, *others) + own + checked


FOLDER = _folder_name()


def _cache_of(function: Callable[..., Any]) -> EntryCache:
    """The cache of an entry; the folder depends on the sources of its package too, never on where they lie.

    Functions typed in or generated can change without a change in a source file: they are not cached.
    """
    file, root = Path(function.__code__.co_filename), cache_root()
    if function.__closure__ or not file.exists():
        return EntryCache(function.__qualname__, None)
    home = _package_of(file)
    name = ".".join([*file.relative_to(home).with_suffix("").parts, function.__qualname__])
    folder = FOLDER if home.is_relative_to(PACKAGE) else _folder_name(home)
    return EntryCache(name, root and root / folder, SHIPPED / folder)


class _NoAddress:
    """Stands in for numba's code generator where it would write to a function's address."""

    def set_env(self, name: str, env: Any) -> None:
        pass


class _Translated(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel: LLVM only, to be linked into entries; it has no address of its own."""

    codegen = _NoAddress()

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class _Linked(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry: every kernel it needs, directly or not, linked and optimised once."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        below: dict[Any, None] = {}
        for library in self._linking_libraries:
            _callees_first(library, below)
        # LLVM links only what is called by something linked already: callers come first
        self._linking_libraries = list(reversed(below))
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise with kernels that are private to the entry, so that LLVM knows all of their callers."""
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


def _callees_first(library: Any, ordered: dict[Any, None]) -> None:
    """Append a library to the list, after every library it needs."""
    if library not in ordered:
        for callee in library._linking_libraries:
            _callees_first(callee, ordered)
        ordered[library] = None


class _Passes(compiler_machinery.PassManager):  # type: ignore[misc]
    """Numba's passes without its log of each: writing out the type of a game took an eighth of the time."""

    def _runPass(self, _index: int, step: Any, state: Any) -> None:  # noqa: N802 - numba's name
        step.analysis = self._analysis
        step.run_initialization(state)
        step.run_pass(state)
        step.run_finalizer(state)


def _compiler(library: type) -> type:
    """Numba's own compiler, with our kind of library."""
    passes = _Passes("nopython")

    class Compiler(compiler.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            state = self.state
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            if not passes.passes:
                passes.passes = compiler.DefaultPassBuilder.define_nopython_pipeline(state).passes
                passes.finalize()
            return [passes]

    return Compiler


class _Calling(_compiler(_Linked)):  # type: ignore[misc]
    """The compiler of entries."""

    def compile_extra(self, function: Any) -> Any:
        with borrowed_arrays():
            return super().compile_extra(function)


def _widened(kind: Any) -> Any:
    """int64 for every whole number but the words of spaces and streams; bool for a known bool."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.IntEnumMember):
        return types.int64
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


class _Rule(CPUDispatcher):  # type: ignore[misc]
    """A rule as numba's compiler sees it: for int64 only, else there is one for each width and enum."""

    def compile(self, sig: Any) -> Any:
        """Compile without numba's timers, which all the callers above would listen to."""
        args, return_type = sigutils.normalize_signature(sig)
        if args not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._compiler.compile(args, return_type))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(tuple(map(_widened, args)), kws)


class Kernel:
    """A compiled rule, made when the first caller is compiled; it has no address that Python could call."""

    def __init__(self, rule: Callable[..., Any], inlined: bool = False) -> None:
        self._rule, self._inlined = rule, inlined
        update_wrapper(self, rule)

    def __call__(self, *args: Any, **kws: Any) -> Any:
        name = self._rule.__name__
        raise TypeError(
            f"{name} is a kernel: only kernels and entries can call it, or Python without the jit"
        )

    @cached_property
    def compiled(self) -> Any:
        """What numba compiles."""
        options = {"no_cpython_wrapper": True, "forceinline": self._inlined, **_OPTIONS}
        compiled = numba.njit(pipeline_class=_RULE, **options)(self._rule)
        compiled.__class__ = _Rule
        return compiled

    @property
    def _numba_type_(self) -> Any:
        return self.compiled._numba_type_


_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_RULE, _ENTRY = _compiler(_Translated), _Calling


def kernel(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule: compiled into the entries that use it, callable from Python only without the jit."""
    return Kernel(rule) if JIT else rule


def inlined(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule compiled into each of its callers: a small one that masks ask for every kind of tile."""
    return Kernel(rule, inlined=True) if JIT else rule


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
    exec("\n".join([*lines, f"    {last}"]), names)  # the tables of the rules are all it is made of
    return kernel(names["dispatch"])


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Suspend garbage collection, which took a tenth of the time: compiling makes little garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Entry(CPUDispatcher):  # type: ignore[misc]
    """A compiled entry: one process compiles it, the others wait and load what was compiled."""

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock, self._cache.turn(), _without_collecting():
            return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        raise TypeError(f"{self.__name__} is an entry: only Python can call it")


def choose(arguments: str, key: str, rules: Mapping[Any, Any], given: str) -> Any:
    """A kernel that applies the rule selected by a key to the arguments `given`."""
    names = {f"rule_{value:d}": rule for value, rule in rules.items()}
    branches = {value: [f"return rule_{value:d}({given})"] for value in rules}
    return dispatch(arguments, key, branches, names, last="return 0")


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function Python calls: compiled with all it needs, without the GIL, and kept in our cache.

    It borrows the arrays it is given (_jit_arrays.py) and returns none.
    """
    if not JIT:
        return function
    compiled: Callable[..., Any] = numba.njit(pipeline_class=_ENTRY, **_OPTIONS)(function)
    compiled.__class__ = _Entry
    compiled._cache = _cache_of(function)  # type: ignore[attr-defined]
    return compiled


def missing(compiled: Any, arguments: Sequence[Any]) -> Path | None:
    """The file of the cache that an entry has to be compiled into; None if it need not be or cannot."""
    signature = tuple(map(compiled.typeof_pyval, arguments))
    path: Path | None = compiled._cache.missing(signature, compiled.targetctx)
    return path


def code_of(compiled: Any) -> Callable[..., Any]:
    """What an entry was compiled to, without numba's dispatch on the types of its arguments.

    Dispatch takes longer than a decision. Nothing refuses arguments of other types than it was compiled for:
    call it only with arrays that have been checked.
    """
    (result,) = compiled.overloads.values()
    return result.entry_point  # type: ignore[no-any-return]


@intrinsic
def _popcount(_context: Any, word: Any) -> Any:
    """Emit the processor's popcount instruction."""

    def code(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


def _bit_count(word: Any) -> int:
    """The same in Python."""
    return int(word).bit_count()


ones: Any = _popcount if JIT else _bit_count  # how many bits of a uint64 are set
