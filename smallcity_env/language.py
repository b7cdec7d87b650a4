"""Texts in the reader's language: whole sentences, translated by the catalogue when they are shown.

    _("{seat} takes {card}.", seat=name, card=card)      a sentence, now
    ngettext("{n} vote", "{n} votes", votes)              ... that depends on a number, which {n} names
    lazy("Wood") and lazy_n("{n} vote", "{n} votes", 2)   the same for tables: translated whenever shown

A message is a literal, so that `make catalogue` finds it; its English is its key in
`locale/LANGUAGE/LC_MESSAGES/smallcity.po`. Each context (a thread, a task, a request) has its own language.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, reduce, wraps
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    from gettext import NullTranslations

Args = ParamSpec("Args")
Result = TypeVar("Result")
ENGLISH: Final = "en"
LANGUAGES: Final = {ENGLISH: "English", "fr": "Français"}  # each as its readers call it
LOCALE: Final = Path(__file__).with_name("locale")
DOMAIN: Final = "smallcity"
_POINTS: Final = {"fr": ","}  # the decimal point, where it is none
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # gettext's own order

_chosen: ContextVar[str | None] = ContextVar("language", default=None)
_default = ENGLISH
asked_for = ""


def current() -> str:
    """The language in which texts are shown here and now."""
    return _chosen.get() or _default


@contextmanager
def use(language: str) -> Iterator[None]:
    """Show texts in another language within a block; other threads and tasks keep theirs."""
    token = _chosen.set(known(language))
    try:
        yield
    finally:
        _chosen.reset(token)


def use_by_default(language: str, asked: bool = False) -> None:
    """Show texts in this language wherever none is in use: a command's choice, for all its threads.

    `asked`: the command line names it, which also holds against what a browser prefers.
    """
    global _default, asked_for
    _default = known(language)
    asked_for = _default if asked else ""


def known(language: str) -> str:
    """A language of LANGUAGES; anything else is refused."""
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}: choose from {', '.join(LANGUAGES)}")
    return language


def preferred(environment: Mapping[str, str] = os.environ) -> str:
    """The language the environment asks for, English if it names none of ours."""
    wished = next((value for name in _VARIABLES if (value := environment.get(name))), "")
    return accepted(wished.split(":"))


def accepted(wished: list[str]) -> str:
    """The first of these locales (fr, fr-CH, fr_FR.UTF-8) that is one of LANGUAGES, else English."""
    codes = (wish.replace("_", "-").split("-")[0].split(".")[0].strip().lower() for wish in wished)
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


@cache
def _catalogue(language: str) -> "NullTranslations":
    """The compiled catalogue of a language; gettext is imported when one is first needed."""
    from gettext import NullTranslations, translation

    return NullTranslations() if language == ENGLISH else translation(DOMAIN, LOCALE, [language])


def _(message: str, /, **values: object) -> str:
    """A message in the current language, with its placeholders filled."""
    text = translated(message)
    return text.format(**values) if values else text


_IN_TEMPLATE: Final = re.compile(r"%%(.+?)%%")


def filled(template: str, **values: str) -> str:
    """A template of HTML with its texts (%%text%%) translated and its values (@NAME@) inserted."""
    page = _IN_TEMPLATE.sub(lambda text: escape(translated(text[1])), template)
    for name, value in values.items():
        page = page.replace(f"@{name}@", value)
    return page


def marked(message: str) -> str:
    """A message that is shown elsewhere, by `translated`."""
    return message


def translated(message: str) -> str:
    """A message that is not written in the code, as it is in the current language."""
    language = current()
    return message if language == ENGLISH else _catalogue(language).gettext(message)


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """A message that depends on a number, in the current language; {n} names the number."""
    language = current()
    if language == ENGLISH:
        text = one if n == 1 else many
    else:
        text = _catalogue(language).ngettext(one, many, n)
    return text.format(n=n, **values)


def decimal(number: float) -> str:
    """A number with one decimal, as readers of the current language write it."""
    return f"{number:.1f}".replace(".", _POINTS.get(current(), "."))


def per_language(function: Callable[Args, Result]) -> Callable[Args, Result]:
    """Remember what a function returned, for each language by itself."""
    remembered = {language: cache(function) for language in LANGUAGES}

    @wraps(function)
    def looked_up(*args: Args.args, **kwargs: Args.kwargs) -> Result:
        return remembered[current()](*args, **kwargs)  # type: ignore[arg-type]

    return looked_up


def joined(clauses: Iterable[str]) -> str:
    """Several things said one after the other, in one sentence."""
    parts = [*clauses]
    return reduce(lambda first, more: _("{first}; {next}", first=first, next=more), parts) if parts else ""


class Text:
    """A message that is translated whenever it is shown: str(text), f"{text}" or text.fill(...)."""

    __slots__ = ("message", "values")

    def __init__(self, message: str, /, **values: object) -> None:
        self.message: Final = message
        self.values: Final = values

    def fill(self, **values: object) -> str:
        """The text with the placeholders that the table left open."""
        return _(self.message, **self.values, **values)

    def __str__(self) -> str:
        return self.fill()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"lazy({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and _parts(self) == _parts(other)

    def __hash__(self) -> int:
        return hash(self.message)


class Counted(Text):
    """A text that depends on a number."""

    __slots__ = ("many", "n")

    def __init__(self, one: str, many: str, n: int, /, **values: object) -> None:
        super().__init__(one, **values)
        self.many: Final = many
        self.n: Final = n

    def fill(self, **values: object) -> str:
        """The text with the placeholders that the table left open."""
        return ngettext(self.message, self.many, self.n, **self.values, **values)


class Listed(Text):
    """Things in a row, separated by commas."""

    __slots__ = ()

    def __init__(self, things: Iterable[object]) -> None:
        super().__init__("{}", things=tuple(things))

    def fill(self, **values: object) -> str:
        """The things, each translated when it is shown."""
        things: tuple[object, ...] = self.values["things"]  # type: ignore[assignment]
        return ", ".join(map(str, things))


def _parts(text: Text) -> tuple[Any, ...]:
    """What makes two texts the same."""
    return text.message, getattr(text, "n", None), text.values


lazy = Text
lazy_n = Counted
