"""Output for terminals without Unicode: what they cannot show is replaced by ASCII."""

import codecs
import sys
from typing import Final

SHOWN: Final = {
    "±": "+-",
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
    return "".join(SHOWN.get(char, UNKNOWN) for char in error.object[error.start : error.end]), error.end


def streams() -> None:
    """Make output replace what its terminal cannot show, and input what it cannot decode."""
    codecs.register_error(NAME, _replaced)
    for stream, errors in ((sys.stdout, NAME), (sys.stderr, NAME), (sys.stdin, "replace")):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)
