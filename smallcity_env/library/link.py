"""One LLVM module, optimised once for a processor, as a shared library or an object file."""

import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import llvmlite.binding as llvm

from .processors import PYODIDE, WASM, Target, here

SPEED_LEVEL = 2
KNOWN = ("memset", "memcpy", "memmove", "exp", "log", "tanh", "fma", "fmaf", "pow", "sqrt", "expf", "tanhf")
_FLAGS = {
    "linux": ["-shared", "-lm", "-Wl,--gc-sections,-s"],
    "macos": ["-shared", "-lm", "-Wl,-x"],
    "windows": ["-shared", "-lm", "-s"],
    "wasm": ["--no-entry", "--export-dynamic", "--export=__heap_base", "--allow-undefined", "-s"],
    "emscripten": ["--shared", "--experimental-pic", "--export-dynamic", "--allow-undefined", "-s"],
}
_WASM_FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"  # its vectors are not used


class BuildError(RuntimeError):
    """A library that cannot be built, with the reason."""


def optimised(module: llvm.ModuleRef, target: Target) -> bytes:
    """The object file of a module, which is changed."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    wasm = target in (WASM, PYODIDE)
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.level, features=_WASM_FEATURES if wasm else "", opt=3,
        reloc="static" if target == WASM else "pic", codemodel="default",
    )  # fmt: skip
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=SPEED_LEVEL)
    options.loop_vectorization = options.slp_vectorization = not wasm
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    _refuse_unknown(module)
    return bytes(machine.emit_object(module))


def _refuse_unknown(module: llvm.ModuleRef) -> None:
    """Refuse code that needs anything but the C library."""
    declared = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    declared += [g.name for g in module.global_variables if g.is_declaration]
    for symbol in declared:
        if symbol not in KNOWN:
            users = ", ".join(_users(module, symbol))
            raise BuildError(f"{users} cannot be built: it needs {symbol}, which the library does not have")


def _users(module: llvm.ModuleRef, symbol: str) -> list[str]:
    """The functions that name a symbol."""
    return [f.name for f in module.functions if not f.is_declaration and f"@{symbol}" in str(f)] or [
        "a kernel"
    ]


def linker(target: Target) -> list[str] | None:
    """The command that links for a target: the system's own, or zig's; None without one."""
    own, local = shutil.which("cc"), here()[0]
    if own and (target.system, target.machine) == (local.system, local.machine):
        return [own]
    if find_spec("ziglang"):
        zig = [sys.executable, "-m", "ziglang"]
        return [*zig, "wasm-ld"] if target in (WASM, PYODIDE) else [*zig, "cc", "-target", target.zig]
    return None


def shared(code: bytes, target: Target) -> bytes | None:
    """An object file linked into a shared library; None without a linker."""
    command = linker(target)
    if command is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "library.o"), Path(folder, f"library.{target.ending}")
        source.write_bytes(code)
        call = [*command, "-o", str(result), str(source), *_FLAGS[target.system]]
        ran = subprocess.run(call, capture_output=True, text=True, check=False)
        if ran.returncode:
            raise BuildError(f"{command[0]} cannot link the library: {ran.stderr.strip()}")
        return result.read_bytes()
