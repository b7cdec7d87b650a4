"""The catalogues of texts: found in the code, kept in .po files, compiled for the program and the page.

python -m tests.catalogue    # after a change of a text (make catalogue); then translate what it lists
"""

import io
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from smallcity_agents import AGENTS
from smallcity_env.language import DOMAIN, ENGLISH, LANGUAGES, LOCALE

ROOT: Final = Path(__file__).parents[1]
STATIC: Final = ROOT / "agents" / "smallcity_agents" / "web" / "static"
ROOMS: Final = ("smallcity_env", "agents/smallcity_agents", "browser/page")
KEYWORDS: Final = {"_": None, "lazy": None, "marked": None, "ngettext": (1, 2), "lazy_n": (1, 2)}
METHODS: Final = {".py": "python", ".js": "javascript", ".html": "javascript"}
IN_PAGE: Final = re.compile(r"%%(.+?)%%")  # texts of a template outside its script
TRANSLATED: Final = [language for language in LANGUAGES if language != ENGLISH]
WIDTH: Final = 100


class Texts(Catalog):
    """A catalogue whose header says what it is, not who wrote it and when: equal texts are equal files."""

    def __init__(self, language: str | None = None) -> None:
        super().__init__(locale=language, domain=DOMAIN, header_comment="#", fuzzy=False)

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The lines of the header."""
        return [
            ("Project-Id-Version", "smallcity-env"),
            ("Language", str(self.locale)),
            ("Plural-Forms", self.plural_forms),
            ("Content-Type", f"text/plain; charset={self.charset}"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def sources() -> list[Path]:
    """Every file whose texts are translated."""
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in METHODS)


def found(path: Path) -> Iterator[Any]:
    """The messages of a file: a string, or two for singular and plural."""
    if path.suffix == ".html":
        yield from IN_PAGE.findall(path.read_text())
    for found in extract_from_file(METHODS[path.suffix], str(path), keywords=KEYWORDS):
        yield found[1]


def template() -> Catalog:
    """Every message of the code, each with the files that show it."""
    catalog = Texts()
    for path in sources():
        for message in found(path):
            catalog.add(message, locations=[(path.relative_to(ROOT).as_posix(), None)])
    return catalog


def po_file(language: str) -> Path:
    """The catalogue of a language as translators edit it."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """The catalogue of a language; an empty one if there is none yet."""
    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language, domain=DOMAIN)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def updated(language: str) -> Catalog:
    """The catalogue with the messages of the code and the translations it had, never a guessed one."""
    old, new = read(language), Texts(language)
    for message in template():
        if message.id:
            known = old.get(message.id)
            given = known.string if known and type(known.id) is type(message.id) else ""
            new.add(message.id, given, locations=message.locations)
    return new


def po_text(catalog: Catalog) -> bytes:
    """The .po file, without line numbers, so that only changed texts change it."""
    file = io.BytesIO()
    write_po(file, catalog, width=WIDTH, include_lineno=False)
    return file.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    """The compiled catalogue that the program reads."""
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def page_text(catalog: Catalog) -> str:
    """What the page's scripts say, as JSON: a message's English, then its translation or translations."""
    texts = {
        message.id if isinstance(message.id, str) else message.id[0]: message.string
        for message in catalog
        if message.id and any(name.endswith(".js") for name, _line in message.locations)
    }
    return json.dumps(texts, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def files(language: str) -> dict[Path, bytes]:
    """Every file of a language, as `make catalogue` writes it."""
    catalog = updated(language)
    return {
        po_file(language): po_text(catalog),
        po_file(language).with_suffix(".mo"): mo_bytes(catalog),
        STATIC / f"{language}.json": page_text(catalog).encode(),
    }


def untranslated(catalog: Catalog) -> list[Message]:
    """The messages without a translation."""
    return [
        message
        for message in catalog
        if message.id and not all([message.string] if isinstance(message.string, str) else message.string)
    ]


def words(texts: Iterable[str]) -> set[str]:
    """The words of texts; placeholders and names in backquotes are the same in every language."""
    bare = (re.sub(r"`[^`]*`|\{[^}]*\}", " ", text.lower()) for text in texts)
    return {word for text in bare for word in re.findall(r"[^\W\d_]{2,}", text)}


@cache
def english_words() -> frozenset[str]:
    """The words that only the English side of the French catalogue has."""
    sides = [(message.id, message.string) for message in read("fr") if message.id]
    english, french = (
        words(text for side in both for text in ([side] if isinstance(side, str) else side))
        for both in zip(*sides, strict=True)
    )
    return frozenset(english - french - words(AGENTS))


def main() -> None:
    """Write every file anew and list what has no translation yet."""
    for language in TRANSLATED:
        for path, content in files(language).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for message in untranslated(read(language)):
            print(f"{language}: {message.id!r} is not translated")


if __name__ == "__main__":
    main()
