"""Output for terminals without Unicode: what they cannot show is replaced by ASCII."""

import codecs
import sys
import unicodedata
from typing import Final

SHOWN: Final = {
    "±": "+-",
    "\u2019": "'",
    "\u00ab": '"',
    "\u00bb": '"',
    "\u2026": "...",
    "\u0153": "oe",
    **dict.fromkeys("█▉▊▋▌▇▆▅", "#"),
    **dict.fromkeys("▍▎▏░", "-"),
    **dict.fromkeys("▁▂▃▄", "."),
}
UNKNOWN: Final = "?"
NAME: Final = "smallcity.plain"


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """What a stream writes instead of characters it cannot encode."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(char: str) -> str:
    """A character in ASCII: without its accents, if it has any."""
    bare = "".join(part for part in unicodedata.normalize("NFKD", char) if part.isascii())
    return SHOWN.get(char) or bare or UNKNOWN


def streams() -> None:
    """Make output replace what its terminal cannot show, and input what it cannot decode."""
    codecs.register_error(NAME, _replaced)
    for stream, errors in ((sys.stdout, NAME), (sys.stderr, NAME), (sys.stdin, "replace")):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)
