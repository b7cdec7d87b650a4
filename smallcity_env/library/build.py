"""Build a library: translate (numba), link and optimise (LLVM), make a shared library. Needs numba."""

import re
from collections.abc import Sequence

import llvmlite.binding as llvm
from numba.core.errors import NumbaError

from .entry import Entry
from .link import BuildError, optimised, shared
from .processors import Target
from .progress import Progress
from .translate import translate

SECONDS = 60  # what a build takes, about


def compiled(
    name: str, entries: Sequence[Entry], targets: Sequence[Target]
) -> dict[Target, tuple[str, bytes]]:
    """The library for each target: what kind of file it is, and its content."""
    progress = Progress(f"{name}: building the library", SECONDS)
    try:
        code = translate(entries, progress).as_bitcode()
        results = {}
        for target in targets:
            progress(f"optimising for {target.name}")
            machine_code = optimised(llvm.parse_bitcode(code), target)
            linked = shared(machine_code, target)
            results[target] = ("object", machine_code) if linked is None else ("shared", linked)
        return results
    except NumbaError as error:
        reason = re.sub(r"\x1b\[\d*m", "", str(error))
        why = f"kernels allocate no memory and return no arrays: {reason}"
        raise BuildError(f"the library of {name} cannot be built; {why}") from error
    finally:
        progress.end()
