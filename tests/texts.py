"""What the code says to players: sentences that miss the catalogue, and pieces of sentences in it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.jslexer import tokenize

from .catalogue import KEYWORDS, ROOT

# What players read lives here; files move in as their texts go through the catalogue.
PLAYERS: Final = (
    "smallcity_env/text/boards.py", "smallcity_env/text/pieces.py", "smallcity_env/text/promises.py",
    "smallcity_env/text/reasons.py", "smallcity_env/text/wording.py", "smallcity_env/show.py",
    "smallcity_env/rules/phases", "smallcity_env/rules/modules", "smallcity_env/rules/tables/names.py",
    "smallcity_env/render/board.py", "smallcity_env/render/panels.py", "smallcity_env/render/poster.py",
    "smallcity_env/render/replay.py", "smallcity_env/render/town.py", "agents/smallcity_agents/play",
    "agents/smallcity_agents/llm/prompt.py", "agents/smallcity_agents/llm/rules_card.py",
    "agents/smallcity_agents/llm/session.py", "agents/smallcity_agents/web/static",
)  # fmt: skip
ALLOWED: Final[dict[str, set[str]]] = {  # texts of a file that are no sentences for players
    "smallcity_env/rules/modules/__init__.py": {"return True", "s, p, kind, way, spots"},
    "smallcity_env/rules/modules/moments.py": {"return yes"},
    "smallcity_env/render/poster.py": {"arrangement of the panels", "there is no seat"},
    "agents/smallcity_agents/play/match.py": {"the saved game", "the list of players"},
    "agents/smallcity_agents/play/repl.py": {"Small City, "},
    "agents/smallcity_agents/web/static/review.js": {"mark costly"},  # classes and names of elements
    "agents/smallcity_agents/web/static/panels.js": {"good none"},
    "agents/smallcity_agents/web/static/play.js": {"answers cards", "undo turn"},
    "agents/smallcity_agents/play/movers.py": {"nobody at space"},  # the page never sends such a plan
}
NAMES: Final = ("Small City",)  # the same in every language
JOINING: Final = "and|or|of|the|an|to|with|for|is|are|was"
SENTENCE: Final = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")
DEVELOPERS: Final = ("Error", "Exception", "Wrong", "Warning")  # what ends so is raised for developers


def rooms_of_players() -> list[Path]:
    """The files whose texts are for players."""
    paths = (path for name in PLAYERS for path in [ROOT / name])
    found = (file for path in paths for file in ([path] if path.is_file() else path.rglob("*.*")))
    return sorted(file for file in found if file.suffix in (".py", ".js"))


def is_piece(text: str) -> bool:
    """Whether a message looks like a part of a sentence that is put together elsewhere."""
    begins, ends = r"^(?:(?:and|or) |[,;)]|\.(?!\.\.))", rf" (?:{JOINING})$|[,(]$"
    return text != text.strip() or bool(re.search(f"{begins}|{ends}", text))


# -- Python


def _called(node: ast.AST) -> str:
    """The name of the function that is called."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


def _messages(node: ast.Call) -> list[ast.expr]:
    """The arguments of a call that are messages."""
    places = KEYWORDS[_called(node)] or (1,)
    return node.args[: len(places)]


def computed(path: Path) -> list[str]:
    """Messages that are put together instead of written down."""
    if path.suffix != ".py":
        return [f"line {line}" for line in _computed_js(path)]
    tree = ast.parse(path.read_text())
    unseen = [
        f"line {node.lineno}: the extractor does not look into f-strings"
        for joined in ast.walk(tree)
        if isinstance(joined, ast.JoinedStr)
        for node in ast.walk(joined)
        if _called(node) in KEYWORDS
    ]
    return unseen + [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS
        for message in _messages(node)
        if not (isinstance(message, ast.Constant) and isinstance(message.value, str))
        and path.name != "language.py"
    ]


def untranslatable(path: Path) -> list[str]:
    """Sentences of a file that no catalogue can hold, because no message marks them."""
    found = _sentences_js(path) if path.suffix == ".js" else _sentences(ast.parse(path.read_text()))
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    return [text for text in found if not any(known in text for known in allowed)]


def _sentences(node: ast.AST) -> Iterator[str]:
    """The sentences below a node: neither messages, documentation nor complaints to developers."""
    if _called(node) in KEYWORDS or (isinstance(node, ast.Raise) and _for_developers(node)):
        return
    if isinstance(node, ast.JoinedStr):
        text = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        if SENTENCE.search(text):
            yield text
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and SENTENCE.search(node.value):
        yield node.value
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):  # documentation
            yield from _sentences(child)


def _for_developers(node: ast.Raise) -> bool:
    """Whether what is raised tells a developer, not a player, what is wrong."""
    return _called(node.exc).endswith(DEVELOPERS) if node.exc else False


# -- JavaScript


def _computed_js(path: Path) -> Iterator[int]:
    """The lines where the first argument of a message is no literal, or the extractor does not look."""
    before: list[str] = []
    for token in tokenize(path.read_text()):
        if token.type == "template_string" and re.search(rf"\b({'|'.join(KEYWORDS)})\(", token.value):
            yield token.lineno
        if before[-2:] in [[name, "("] for name in KEYWORDS] and before[-3:-2] != ["function"]:
            if token.type != "string":
                yield token.lineno
        before.append(token.value)


def _sentences_js(path: Path) -> Iterator[str]:
    """The string and template literals that are sentences and no message."""
    depth: list[bool] = []  # of each open bracket: whether it is a message's
    before: list[str] = ["", ""]
    for token in tokenize(path.read_text()):
        if token.value == "(":
            depth.append(before[-1] in KEYWORDS)
        elif token.value == ")" and depth:
            depth.pop()
        elif token.type in ("string", "template_string") and not any(depth) and before[-2:] != ["class", ":"]:
            text = re.sub(r"\$\{[^}]*\}", "{}", token.value[1:-1])
            if SENTENCE.search(text) and text not in NAMES and text[0] not in ".#":
                yield token.value
        before.append(token.value)
