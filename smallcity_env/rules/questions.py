"""What a question is: when it is asked, what is legal, what an answer does, and what people read.

Each phase and module lists its own questions as QUESTIONS; the dispatch and all texts follow from these rows.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..language import Text, lazy
from ..library import dispatch
from ._flags import NONE, read, with_spaces, write
from .tables import Ask, Phase


class Question(NamedTuple):
    """One question. Texts can mention what `text.wording` fills in: {tile}, {here}, {space} ..."""

    ask: Ask
    phases: tuple[Phase, ...]  # in which it is asked
    apply: Any  # kernel (s, action): carry out an answer
    brief: Text  # the question in short
    asks: Text  # ... put to a person
    help: Text  # the background a person needs to answer
    legal: Any = None  # kernel (s, legal): mark the legal answers that are not spaces
    spaces: Any = None  # kernel (s): the set of spaces that are legal answers
    evaluate: Any = None  # kernel (s, p, legal, w, features, value): what greedy thinks of the answers
    at: Text = Text("{space}")  # what answering with a space means
    yes: Text = lazy("yes")
    no: Text = lazy("no")


def answers_rule(rows: Sequence[Question]) -> Any:
    """The kernel (s, legal) that returns the legal answers to the question being asked.

    `legal` is a mask to work with: spaces, the answers to a third of all questions, are never written to it.
    """
    rules: dict[str, Any] = {"NONE": NONE, "read": read, "with_spaces": with_spaces, "write": write}
    branches = {}
    for row in rows:
        name = row.ask.name.lower()
        rules |= {f"legal_{name}": row.legal, f"spaces_{name}": row.spaces}
        calls = ["write(legal, NONE)", f"legal_{name}(s, legal)"] if row.legal else []
        others = "read(legal)" if row.legal else "NONE"
        answers = f"with_spaces({others}, spaces_{name}(s))" if row.spaces else others
        branches[row.ask] = [*calls, f"return {answers}"]
    return dispatch("s, legal", "s.ask", branches, rules, last="return NONE")


def apply_rule(rows: Sequence[Question]) -> Any:
    """The kernel (s, ask, action) that carries out an answer."""
    rules = {f"apply_{row.ask.name.lower()}": row.apply for row in rows}
    branches = {row.ask: [f"apply_{row.ask.name.lower()}(s, action)"] for row in rows}
    return dispatch("s, ask, action", "ask", branches, rules)
