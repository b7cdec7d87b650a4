"""Texts in the reader's language: who gets which, and whether the catalogues are complete."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from string import Formatter

import pytest
from babel.messages.catalog import Message

from smallcity_env import language
from smallcity_env.cli import main
from smallcity_env.language import _, lazy, lazy_n, ngettext, use
from smallcity_env.rules import actions
from smallcity_env.text.wording import normalised, shown

from . import catalogue, texts
from .interpreter import run_python

LANGUAGES = pytest.mark.parametrize("code", catalogue.TRANSLATED)


def messages(code: str) -> list[Message]:
    return [message for message in catalogue.updated(code) if message.id]


def forms(texts: str | tuple[str, ...]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)


def placeholders(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


# -- which language


def test_a_block_has_its_language_and_gives_it_back() -> None:
    assert language.current() == "en"
    with use("fr"):
        assert language.current() == "fr"
        with use("en"):
            assert language.current() == "en"
    assert language.current() == "en"


def test_threads_and_tasks_have_languages_of_their_own() -> None:
    async def ask(code: str) -> str:
        with use(code):
            await asyncio.sleep(0)
            return await asyncio.to_thread(language.current)

    async def both() -> list[str]:
        return await asyncio.gather(ask("fr"), ask("en"), ask("fr"))

    with use("fr"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(language.current).result() == "en"
        assert pool.submit(lambda: asyncio.run(both())).result() == ["fr", "en", "fr"]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown language 'xx': choose from en, fr"), use("xx"):
        pass


@pytest.mark.parametrize(
    "wished, chosen",
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_CH", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANGUAGE": "de:fr:en", "LANG": "C"}, "fr"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_environment_chooses(wished: dict[str, str], chosen: str) -> None:
    assert language.preferred(wished) == chosen


def test_a_command_line_chooses_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_default", "en")
    main(["--lang=fr", "--version"])
    assert language.current() == "fr"
    main(["--version", "--lang", "en"])
    assert language.current() == "en"


def test_an_unknown_language_of_the_command_line_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "xx", "play"]) == 2
    assert capsys.readouterr().err == "smallcity: argument --lang: there is no 'xx', choose from en, fr\n"


def test_a_catalogue_is_read_when_a_text_is_shown() -> None:
    words = "import sys, smallcity_env\nfrom smallcity_env.language import _, lazy\nlazy('a')\n_('b')\n"
    assert run_python("-c", f"{words}print('gettext' in sys.modules)") == "False\n"


# -- what is shown


def test_placeholders_are_filled_and_numbers_choose_the_form() -> None:
    assert _("{a} and {b}", a=1, b="x") == "1 and x"
    assert [ngettext("{n} vote", "{n} votes", n) for n in (0, 1, 2)] == ["0 votes", "1 vote", "2 votes"]


def test_a_lazy_text_is_translated_when_it_is_shown() -> None:
    text = lazy("{votes} for {name}", votes=lazy_n("{n} vote", "{n} votes", 2))
    assert text.fill(name="A") == "2 votes for A"
    assert f"{lazy('Wood'):>6}" == "  Wood" and str(lazy("Wood")) == "Wood"
    assert lazy("a", b=1) == lazy("a", b=1) != lazy("a", b=2)


# -- whether the catalogues are complete


@LANGUAGES
def test_the_files_are_what_make_catalogue_writes(code: str) -> None:
    for path, content in catalogue.files(code).items():
        assert path.read_bytes() == content, f"{path.name} is out of date: run make catalogue"


@LANGUAGES
def test_every_text_is_translated_and_every_translation_used(code: str) -> None:
    assert not [message.id for message in catalogue.untranslated(catalogue.updated(code))]
    assert not [message.id for message in catalogue.read(code) if message.fuzzy]
    assert {message.id for message in catalogue.read(code) if message.id} == {m.id for m in messages(code)}


@LANGUAGES
def test_translations_have_the_placeholders_of_the_english(code: str) -> None:
    for message in messages(code):
        wanted = set().union(*map(placeholders, forms(message.id)))
        for text in forms(message.string):
            missing = wanted ^ placeholders(text)
            assert not missing or (missing == {"n"} and len(forms(message.id)) > 1), (message.id, text)


TYPOGRAPHY = {
    "a straight apostrophe": r"(?<=\w)'(?=\w)",
    "a straight quotation mark": r'"',
    "no non-breaking space before a sign": r"[\w)][;!?»](?!\w)| [;»]| [!?](?=$| [A-ZÀÉ])|[^\W\d]:(?![\w/])",
    "no non-breaking space after a sign": r"«(?!\u00a0)",
    "three dots": r"\.\.\.",
}


@pytest.mark.parametrize("wrong", TYPOGRAPHY)
def test_french_is_set_as_the_french_set_it(wrong: str) -> None:
    for message in messages("fr"):
        for text in forms(message.string):
            bare = re.sub(r"`[^`]*`|\{[^}]*\}", "x", text)
            assert not re.search(TYPOGRAPHY[wrong], bare), text


def test_whatever_can_be_typed_in_english_is_shown_so() -> None:
    assert [shown(action) for action in range(actions.ACTIONS)] == actions.ACTION_NAMES


@LANGUAGES
def test_no_two_actions_of_a_question_are_called_the_same(code: str) -> None:
    with use(code):
        names = [normalised(shown(action)) for action in range(actions.ACTIONS)]
    assert len(set(names)) == len(names)


# -- whole sentences, and all of them


def test_no_message_is_a_piece_of_a_sentence() -> None:
    for message in catalogue.template():
        for text in forms(message.id):
            assert not texts.is_piece(text), text


@pytest.mark.parametrize("path", catalogue.sources(), ids=lambda path: path.name)
def test_messages_are_literals(path: catalogue.Path) -> None:
    assert not texts.computed(path)


@pytest.mark.parametrize("path", texts.rooms_of_players(), ids=lambda path: path.name)
def test_what_players_read_goes_through_the_catalogue(path: catalogue.Path) -> None:
    assert not texts.untranslatable(path)


def test_a_terminal_without_accents_shows_french_without_them() -> None:
    said = ascii("\u00ab\u00a0O\u00f9 va l\u2019\u0153uvre d\u2019\u00e9t\u00e9\u2026\u00a0\u00bb\u00a0?")
    words = f"from smallcity_env import plain; plain.streams(); print({said})"
    shown = run_python("-c", words, env={"PYTHONIOENCODING": "ascii"})
    assert shown == "\" Ou va l'oeuvre d'ete... \" ?\n"
