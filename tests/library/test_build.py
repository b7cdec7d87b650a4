"""Builds: equal from equal sources, refused by name where kernels do what a library cannot."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_env.library import Library, emitted, kernel, reads, writes
from smallcity_env.library.build import compiled
from smallcity_env.library.link import BuildError
from smallcity_env.library.processors import here
from tests.interpreter import CHECKED, PLAIN, ROOT, run_python

from .toys import toys

OTHER = Library("other", [__name__], lambda: [Path(__file__)])


@kernel
def _allocates(numbers):
    return np.zeros(len(numbers)).sum()


def _outside() -> Any:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def call(_typing: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            kind = ir.FunctionType(ir.IntType(64), [])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, "somewhere_else"), [])

        return types.int64(), code

    return call


@emitted(_outside)
def _needs() -> int:
    return 0


@OTHER.entry(numbers=reads("i8", "n"))
def allocates(numbers):
    return int(_allocates(numbers))


@OTHER.entry(numbers=reads("i8", "n"))
def misspelt(numbers):
    return numbers.summ()


@OTHER.entry(numbers=reads("i8", "n"))
def needs(numbers):
    return _needs()


@OTHER.entry(numbers=writes("i8", "n"))
def returns(numbers):
    return numbers[1:]


REFUSED = {
    allocates: r"kernels allocate no memory.*_allocates.*test_build\.py",
    misspelt: r"summ",
    needs: r"other_needs cannot be built: it needs somewhere_else",
    returns: r"returning of array|status",
}


@pytest.mark.parametrize("entry", REFUSED, ids=lambda entry: entry.__name__)
def test_a_kernel_a_library_cannot_hold_is_refused_by_name(entry: Any) -> None:
    with pytest.raises(BuildError) as refused:
        compiled("other", [entry], [here()[0]])
    assert re.search(REFUSED[entry], str(refused.value), re.DOTALL)


def test_two_builds_are_equal(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    words = "from tests.library.toys import toys; from pathlib import Path; import sys\n"
    words += "from smallcity_env.library.processors import here; toys.build(here()[:1], Path(sys.argv[1]))"
    for folder in (one, two):
        run_python("-c", words, str(folder))
    first, second = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in (one, two))
    assert first == second and len(first) == 2  # the library, and the hash of its sources


PLAY = """
import numpy as np
from tests.library.toys import mark, total
print(total(np.arange(3), np.ones((2, 3), np.bool_)))
try:
    mark(np.zeros(3, np.int64), 3)
except IndexError as error:
    print(error)
"""


def test_bounds_are_checked_where_that_is_asked_for(tmp_path: Path) -> None:
    cache = {"XDG_CACHE_HOME": str(tmp_path)}
    assert run_python("-c", PLAY, env=CHECKED | cache) == "6\nmark used an index out of bounds\n"
    assert "checked" in next((tmp_path / "toys" / "library").glob("*.library")).name


def test_plain_python_needs_no_library(tmp_path: Path) -> None:
    said = run_python("-c", PLAY, env=PLAIN | {"XDG_CACHE_HOME": str(tmp_path)})
    assert said.startswith("6\nindex 3 is out of bounds") and not [*tmp_path.iterdir()]


def test_without_a_linker_llvm_loads_the_library(tmp_path: Path) -> None:
    words = "from smallcity_env.library import link; link.linker = lambda target: None\n"
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    assert run_python("-c", words + PLAY.split("try")[0], env=env) == "6\n"
    assert run_python("-c", PLAY.split("try")[0], env=env) == "6\n"  # from the file


def test_a_library_that_is_there_is_loaded_without_numba(tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    run_python("-c", PLAY.split("try")[0], env=env)
    words = PLAY.split("try")[0] + "import sys; print({'numba', 'llvmlite'} & set(sys.modules))"
    assert run_python("-c", words, env=env) == "6\nset()\n"


def test_processes_that_need_it_at_once_build_it_once(tmp_path: Path) -> None:
    call = [sys.executable, "-c", PLAY.split("try")[0]]
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    running = [subprocess.Popen(call, env=env, cwd=ROOT, stdout=-1, stderr=-1, text=True) for _ in range(3)]
    said = [process.communicate() for process in running]
    assert [out for out, _ in said] == ["6\n"] * 3
    assert sum("building the library" in err for _, err in said) == 1


def test_the_toys_are_all_there() -> None:
    assert [entry.__name__ for entry in toys.entries()] == ["change", "mark", "total"]
