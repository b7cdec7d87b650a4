"""The reference cards are those of the tables, and every picture is used."""

import re

from smallcity_env.rules.tables import MODULES, Card
from smallcity_env.rules.tables.maps import NAMES
from smallcity_env.rules.tables.promises import BY_NUMBER, Metric, Need, Promise
from smallcity_env.text.promises import conditions
from tests import docs_cards_fr
from tests.docs_cards import FOLDER, PAGE, page, pictures

AGAIN = "make them again: python -m tests.docs_cards"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_the_tables_say() -> None:
    assert page() == TEXT, AGAIN


def test_the_french_page_is_what_the_tables_say() -> None:
    assert docs_cards_fr.page() == docs_cards_fr.PAGE.read_text(encoding="utf-8"), AGAIN + "_fr"


def test_the_pictures_are_how_pictures_look() -> None:
    kept = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert kept == pictures(), AGAIN
    assert max(map(len, kept.values())) < 20_000


def test_every_picture_is_on_the_page() -> None:
    assert set(re.findall(r"pictures/cards/([\w-]+)\.svg", TEXT)) == set(pictures())


def test_nothing_is_missing() -> None:
    assert all(f"| {number} | **{promise.name}**" in TEXT for number, promise in BY_NUMBER.items())
    assert all(f"`{name}`" in TEXT for name in [*MODULES, *NAMES.values()])
    assert all(f" {card.name.capitalize()}** |" in TEXT for card in Card if card)


def test_promises_in_words() -> None:
    def told(*needs: Need) -> str:
        return conditions(Promise(1, "", 6, needs))

    graves, living = Need(Metric.GRAVES, high=0), Need(Metric.LIVING, low=8)
    votes, pollution = Need(Metric.VOTES, low=60), Need(Metric.POLLUTION, high=30)
    home, money = Need(Metric.HIGHEST_HOME, high=3), Need(Metric.MONEY, high=0)
    assert told(Need(Metric.GAPS, high=0)) == "a tile on every space of the first 7 x 7"
    assert told(Need(Metric.GAPS, high=5)) == "at most 5 spaces without a tile in the first 7 x 7"
    assert told(graves, living) == "no graves and at least 8 living citizens in the borough"
    assert told(votes, pollution) == "at least 60 votes and at most 30 pollution"
    assert told(home, money) == "at most 3 levels in the highest home and no dollars"


def test_every_metric_has_words() -> None:
    for metric in (metric for metric in Metric if metric):
        for need in (Need(metric, low=1), Need(metric, low=2), Need(metric, high=0), Need(metric, high=2)):
            assert conditions(Promise(1, "", 6, (need,)))
