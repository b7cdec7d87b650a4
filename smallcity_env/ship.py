"""Build the library of compiled code: for this machine, or for the wheel (docs/library.md).

python -m smallcity_env.ship --here            # into the cache, if it is not there yet
python -m smallcity_env.ship                   # into the package, for every system that can be linked here
python -m smallcity_env.ship --header smallcity.h
python -m smallcity_env.ship --wasm smallcity.wasm
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from . import files
from .library.header import header
from .library.processors import WASM, Target
from .rules import entries
from .rules._library import library
from .rules.actions import ACTIONS
from .rules.schema import STATE, STATE_BYTES
from .rules.tables import SEATS, Ask

V3, V2, GENERIC = "x86-64-v3", "x86-64-v2", "generic"
TARGETS: Final = {
    target.name: target
    for target in (
        Target("linux", "x86_64", V3), Target("linux", "x86_64", V2), Target("linux", "aarch64", GENERIC),
        Target("macos", "aarch64", GENERIC), Target("macos", "x86_64", V2), Target("windows", "x86_64", V2),
    )
}  # fmt: skip

CONSTANTS: Final = {  # of the C header
    "STATE_BYTES": STATE_BYTES, "ACTIONS": ACTIONS, "SEATS": SEATS, "OVER": Ask.OVER, "SKIP": entries.SKIP,
    "DONE": entries.DONE, "UNFIT": entries.UNFIT, "PLAY": entries.PLAY, "RESTART": entries.RESTART,
    **{f"{name.upper()}_AT": STATE.fields[name][1] for name in ("stream", "ask", "seat") if STATE.fields},
}  # fmt: skip


def main(words: Sequence[str] | None = None) -> None:
    """Build libraries, or write the C header."""
    parser = argparse.ArgumentParser(prog="python -m smallcity_env.ship", description=main.__doc__)
    parser.add_argument("--here", action="store_true", help="for this machine, into the cache")
    parser.add_argument(
        "--to", type=Path, default=library.shipped, help="the folder (default: in the package)"
    )
    parser.add_argument(
        "--targets", nargs="+", choices=TARGETS, help="systems (default: all that can be linked)"
    )
    parser.add_argument("--header", type=Path, help="write the C header to this file, and build nothing")
    parser.add_argument("--wasm", type=Path, help="build the library for WebAssembly, as this file")
    args = parser.parse_args(words)
    if args.header:
        files.write(args.header, header(library, CONSTANTS))
    elif args.wasm:
        files.write(args.wasm, *wasm(WASM))
    elif args.here:
        library.load()
    else:
        _ship(args.to, [TARGETS[name] for name in args.targets] if args.targets else _linkable())


def wasm(*targets: Target) -> list[bytes]:
    """The library as modules of WebAssembly: WASM for any host, PYODIDE for Python in a browser."""
    built = library.content(targets)
    if len(built) < len(targets):
        raise SystemExit("WebAssembly needs a linker: install the package ziglang")
    return built


def _linkable() -> list[Target]:
    """The targets there is a linker for."""
    from .library.link import linker

    return [target for target in TARGETS.values() if linker(target)]


def _ship(folder: Path, targets: Sequence[Target]) -> None:
    """Build the libraries of a wheel; those of other sources are removed."""
    for old in [*folder.glob("*.library"), *folder.glob("*.sources")]:
        old.unlink()
    for path in library.build(targets, folder):
        print(f"{path.name}, {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
