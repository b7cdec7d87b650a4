"""Every private name of numba that library/private.py uses: a release of numba that breaks one fails here."""

import ast
import inspect
import operator
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numba
import numpy as np
import pytest
from numba import types
from numba.core import compiler, compiler_machinery, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.types.functions import BaseFunction
from numba.np.arrayobj import populate_array

from smallcity_env.library import inlined, kernel, ones, private
from smallcity_env.rules._library import library

METHODS: list[tuple[Any, str, list[str]]] = [
    (compiler.CompilerBase, "define_pipelines", ["self"]),
    (compiler.DefaultPassBuilder, "define_nopython_pipeline", ["state"]),
    (compiler_machinery.PassManager, "_runPass", ["self", "index", "pss", "internal_state"]),
    (JITCodeLibrary, "finalize", ["self"]),
    (BaseFunction, "get_call_type", ["self", "context", "args", "kws"]),
    (JITCodeLibrary, "get_pointer_to_function", ["self", "name"]),
    (CPUDispatcher, "get_call_template", ["self", "args", "kws"]),
    (CPUDispatcher, "compile", ["self", "sig"]),
    (CPUDispatcher, "add_overload", ["self", "cres"]),
    (sigutils, "normalize_signature", ["sig"]),
    (type(cpu_target.typing_context), "resolve_value_type", ["self", "val"]),
]


@pytest.mark.parametrize(("owner", "name", "parameters"), METHODS, ids=lambda value: str(value))
def test_numba_still_has(owner: Any, name: str, parameters: list[str]) -> None:
    assert [*inspect.signature(getattr(owner, name)).parameters][: len(parameters)] == parameters


def _imports() -> Iterator[tuple[str, str]]:
    """What the sources of the library import of numba's inside, by module and name."""
    for path in sorted({*library.files().values()}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                ("numba.core", "numba.np")
            ):
                yield from ((str(node.module), alias.name) for alias in node.names)


@pytest.mark.parametrize(("module", "name"), sorted({*_imports()}))
def test_numba_still_names(module: str, name: str) -> None:
    assert hasattr(import_module(module), name) or import_module(f"{module}.{name}")


@kernel
def double(x):
    return 2 * x


@kernel
def quadruple(x):
    return double(double(x)) + ones(np.uint64(0))


def test_a_translated_kernel_has_a_name_and_a_library_of_llvm() -> None:
    name, translated = private.translate(quadruple, types.int64(types.int64))
    modules = [str(module) for module in private.modules_below([translated])]
    assert re.search(rf"define .*{re.escape(name)}", modules[0]) and len(modules) >= 2


def test_what_numba_made_still_has_the_attributes_that_are_read() -> None:
    _, translated = private.translate(quadruple, types.int64(types.int64))
    owners: dict[Any, list[str]] = {
        translated: ["_finalized", "_linking_libraries", "_final_module"],
        private.dispatcher(quadruple): ["overloads", "_compiler", "_compiling_counter", "_numba_type_"],
        private._passes: ["passes", "_analysis", "finalize"],
        cpu_target.target_context: ["refresh", "get_value_type", "get_data_type", "make_array"],
    }
    missing = [name for owner, names in owners.items() for name in names if not hasattr(owner, name)]
    assert not missing


def test_the_option_that_inlines_a_kernel_does() -> None:
    for mark, inlines in ((inlined, True), (kernel, False)):
        _, translated = private.translate(mark(lambda x: 3 * x), types.int64(types.int64))
        assert ("alwaysinline" in str(translated._final_module)) == inlines


def test_the_type_of_a_call_is_found_once() -> None:
    before = BaseFunction.get_call_type
    context, add = cpu_target.typing_context, operator.add
    with private.remembered_types():
        found = [context.resolve_function_type(add, (types.int64, types.int64), {}) for _ in range(2)]
        assert found[0] is found[1] and found[0].return_type == types.int64
        assert (
            context.resolve_function_type(add, (types.float64, types.int64), {}).return_type == types.float64
        )
    assert BaseFunction.get_call_type is before


def test_whole_numbers_are_widened_so_that_a_kernel_is_translated_once() -> None:
    dispatcher = private.dispatcher(double)
    for kind in (types.int8, types.int16, types.literal(3), types.int64):
        dispatcher.get_call_template((kind,), {})
    assert [*dispatcher.overloads] == [(types.int64,)]


def test_the_option_that_forbids_allocation_does() -> None:
    assert private.OPTIONS["_nrt"] is False
    with pytest.raises(numba.core.errors.NumbaError, match="NRT required"):
        private.translate(kernel(lambda x: int(np.zeros(x).sum())), types.int64(types.int64))


def test_arrays_can_be_made_of_memory() -> None:
    assert [*inspect.signature(populate_array).parameters][:6] == [
        "array", "data", "shape", "strides", "itemsize", "meminfo",
    ]  # fmt: skip
