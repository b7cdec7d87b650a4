"""An estimate of the tokens of a text, for budgets and reports; no model's tokenizer is needed."""

import re
from typing import Final

# What byte-pair encodings make of English, codes and numbers: a long word is several pieces, a run of digits
# one for every three, a mark one, and a blank belongs to what follows it.
PIECE: Final = re.compile(r"[^\W\d_]{1,10}|\d{1,3}|\n+| {2,}|[^\w\s]|_")


def tokens(text: str) -> int:
    """About the number of tokens of a text."""
    return len(PIECE.findall(text))
