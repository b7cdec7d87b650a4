"""Values that others wrote, checked by their types; what is wrong is said in one sentence."""

import re
from collections.abc import Iterator
from typing import Any, TypeVar, get_args

import msgspec

T = TypeVar("T")
LONGEST = 80  # letters of a value in a sentence


def convert(values: Any, kind: type[T], whole: str, strict: bool = True) -> T:
    """Plain values as a struct, or a ValueError; `whole` names them, `strict` takes no numbers in words."""
    try:
        return msgspec.convert(values, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise ValueError(_sentence(kind, values, str(error), whole)) from None
    except RecursionError:
        raise ValueError(f"{whole} contains itself, or is nested too deeply") from None


def decode(data: bytes) -> Any:
    """Plain values of JSON; raises ValueError."""
    try:
        return msgspec.json.decode(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _sentence(kind: Any, values: Any, message: str, whole: str) -> str:
    """msgspec's message with the key first, the value refused and what is allowed."""
    problem, _, place = message.partition(" - at `")
    path = place.rstrip("`").removeprefix("$").removeprefix(".")
    name, words = path or whole, re.findall(r"[^.\[\]]+", path)
    if path.startswith("key` in"):
        return f"every key of {whole} must be a word"
    if unknown := re.search("unknown field `(.*)`", problem):
        return f"{name} has no key {unknown[1]}: choose from {', '.join(_fields(kind, words))}"
    if missing := re.search("missing required field `(.*)`", problem):
        return f"{name} has no {missing[1]}"
    if problem.startswith("Invalid enum value"):
        return f"{name} cannot be{problem.removeprefix('Invalid enum value')}"
    if not problem.startswith("Expected"):
        return problem
    for word in words:
        values = values[int(word) if word.isdigit() else word]
    wanted = problem.removeprefix("Expected ").partition(", got")[0].replace("`", "")
    wanted = wanted.replace("array", "list").replace("object", "mapping")
    return f"{name} must be {wanted}, not {_short(values)}"


def _fields(kind: Any, path: list[str]) -> Iterator[str]:
    """The keys of the struct at this path of a value."""
    for word in path:
        by_name = {} if word.isdigit() else {f.encode_name: f.type for f in msgspec.structs.fields(kind)}
        kind = by_name.get(word, kind)
        while get_args(kind):  # a list, an option or an annotation of it
            kind = get_args(kind)[0]
    return (field.encode_name for field in msgspec.structs.fields(kind))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
