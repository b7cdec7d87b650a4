"""Processors and systems that libraries are built for, and which of them this machine is."""

import platform
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_V2: Final = frozenset({"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"})
_V3: Final = _V2 | {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
_V4: Final = _V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
LEVELS: Final = {  # by machine, best first: the name LLVM has for it, and the flags of /proc/cpuinfo it needs
    "x86_64": {"x86-64-v4": _V4, "x86-64-v3": _V3, "x86-64-v2": _V2, "x86-64": frozenset[str]()},
    "aarch64": {"generic": frozenset[str]()},
}
_MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
_SYSTEMS: Final = {
    "linux": "unknown-linux-gnu", "macos": "apple-darwin", "windows": "w64-windows-gnu",
    "wasm": "unknown-unknown", "emscripten": "unknown-emscripten",
}  # fmt: skip
_ZIG: Final = {"linux": "linux-gnu.2.17", "macos": "macos", "windows": "windows-gnu"}
_ENDINGS: Final = {"linux": "so", "macos": "dylib", "windows": "dll", "wasm": "wasm", "emscripten": "so"}


@dataclass(frozen=True)
class Target:
    """A system and a level of its processors."""

    system: str
    machine: str
    level: str

    @property
    def name(self) -> str:
        """A short name, for files."""
        return f"{self.system}-{self.machine}" + ("" if self.level == "generic" else f"-{self.level}")

    @property
    def triple(self) -> str:
        """LLVM's name for the system."""
        return f"{self.machine}-{_SYSTEMS[self.system]}"

    @property
    def zig(self) -> str:
        """Zig's name for the system."""
        return f"{self.machine}-{_ZIG[self.system]}"

    @property
    def ending(self) -> str:
        """How names of shared libraries end."""
        return _ENDINGS[self.system]


WASM: Final = Target("wasm", "wasm32", "generic")
PYODIDE: Final = Target("emscripten", "wasm32", "generic")  # Python in a browser, which loads it with ctypes


def system() -> str:
    """This system."""
    return {"darwin": "macos", "win32": "windows"}.get(sys.platform, "linux")


@cache
def here() -> tuple[Target, ...]:
    """The targets whose code runs on this machine, best first."""
    machine = platform.machine().lower()
    machine = _MACHINES.get(machine, machine)
    flags, levels = _flags(), LEVELS.get(machine, {"generic": frozenset()})
    return tuple(Target(system(), machine, level) for level, needed in levels.items() if flags >= needed)


def _flags() -> frozenset[str]:
    """The features of this processor, by Linux's names; none where they are not known."""
    try:
        with Path("/proc/cpuinfo").open() as lines:
            return next((frozenset(line.split()) for line in lines if line.startswith("flags")), frozenset())
    except OSError:
        return frozenset()
