"""The reference cards in French, docs/fr/cards.md, from the tables and their catalogue.

python -m tests.docs_cards_fr    # after a change of a table, of its words or of their translation
"""

from collections.abc import Iterable, Iterator
from typing import Final

from smallcity_agents.play.questions import CARDS
from smallcity_agents.play.view import reward
from smallcity_env.language import use
from smallcity_env.rules.modules import ABOUT
from smallcity_env.rules.tables import COLUMNS, MODULES, Card, Row
from smallcity_env.rules.tables.cards import ADVANCE_COST
from smallcity_env.rules.tables.maps import NAMES as BOARD_IDS
from smallcity_env.rules.tables.maps import Board
from smallcity_env.rules.tables.names import MODULE_TITLES, ROW_NAMES, board_title, card_name
from smallcity_env.rules.tables.promises import PROMISES
from smallcity_env.rules.tables.tiles import NAMES, ROWS
from smallcity_env.text import pieces
from smallcity_env.text.boards import BOARD_WORDS, COUNCIL_WORDS
from smallcity_env.text.promises import conditions

from .docs_cards import DOCS

PAGE: Final = DOCS / "fr" / "cards.md"
INTRODUCTION: Final = """# Cartes de référence

Toutes les tuiles, cartes Action, promesses électorales, lignes du Conseil, plateaux et extensions du jeu.
Cette page est tirée des tables d’où les règles sont compilées (`python -m tests.docs_cards_fr`) : elle dit
ce qui se joue. Le nom anglais, entre guillemets obliques, peut se taper partout. La [page
anglaise](../cards.md) montre les pièces et dit d’où vient chaque nombre ; [Apprendre le jeu](learn.md)
explique le jeu lui-même.
"""


def page() -> str:
    """The whole page."""
    with use("fr"):
        return "\n".join(
            [INTRODUCTION, *_tiles(), *_cards(), *_promises(), *_council(), *_boards(), *_modules()]
        )


def _table(title: str, heads: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """A section with one table."""
    heads = list(heads)
    yield from (f"## {title}", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|")
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)
    yield ""


def _tiles() -> Iterator[str]:
    rows = ((f"`{NAMES[row.kind]}`", pieces.about(row.kind)) for row in ROWS)
    return _table("Tuiles", ("nom", "tuile"), rows)


def _cards() -> Iterator[str]:
    cards = [card for card in Card if card]
    rows = ((f"`{one.name.lower()}`", f"**{card_name(one).capitalize()}**", CARDS[one]) for one in cards)
    return _table("Cartes Action", ("nom", "carte", "effet"), rows)


def _promises() -> Iterator[str]:
    rows = ((one.number, f"**{one.name}**", one.worth, conditions(one)) for one in PROMISES)
    return _table(
        "Promesses électorales", ("n°", "promesse", "valeur", "tenue si, à la fin, vous avez"), rows
    )


def _council() -> Iterator[str]:
    columns = range(1, COLUMNS + 1)
    heads = ("ligne", *(f"colonne {n} (coûte {ADVANCE_COST[n]})" for n in columns), "")
    rows = (
        (f"**{str(ROW_NAMES[row]).capitalize()}**", *(reward(row, n) for n in columns), COUNCIL_WORDS[row])
        for row in Row
    )
    return _table("Conseil Municipal", heads, rows)


def _boards() -> Iterator[str]:
    rows = ((f"`{BOARD_IDS[one]}`", f"**{board_title(one)}**", BOARD_WORDS[one]) for one in Board)
    return _table("Plateaux", ("nom", "plateau", ""), rows)


def _modules() -> Iterator[str]:
    rows = ((f"`{one}`", f"**{MODULE_TITLES[one]}**", ABOUT[one]) for one in MODULES)
    return _table("Extensions", ("nom", "extension", "ce qu’elle ajoute"), rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
