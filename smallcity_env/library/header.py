"""The C header of a library: constants, and a struct and a function for each entry."""

from collections.abc import Mapping

from .entry import Entry
from .library import Library

_HEAD = """\
/* The functions of {name}: each takes a struct with the addresses and lengths of its arrays. */
#ifndef {guard}
#define {guard}
#include <stdint.h>
"""


def header(library: Library, constants: Mapping[str, int]) -> str:
    """The header, as text."""
    name = library.name.upper()
    numbers = "".join(f"#define {name}_{constant} ({number:d})\n" for constant, number in constants.items())
    head = _HEAD.format(name=library.name, guard=f"{name}_H")
    return "\n".join([head, numbers, *map(_declared, library.entries()), "#endif\n"])


def _declared(entry: Entry) -> str:
    """The struct and the function of an entry."""
    fields = "".join(f"    {kind}{name};\n" for name, kind in entry.fields())
    said = (entry.python.__doc__ or "").split("\n")[0]
    struct = f"typedef struct {{\n{fields}}} {entry.symbol}_call;\n"
    return f"/* {said} */\n{struct}int64_t {entry.symbol}(const {entry.symbol}_call *call);\n"
