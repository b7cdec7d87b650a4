"""Questions in words, for people who know the board game."""

from typing import Any, Final, NamedTuple

from smallcity_env.language import _, lazy, lazy_n
from smallcity_env.rules.actions import space_name
from smallcity_env.rules.modules import CARD_HELP
from smallcity_env.rules.phases import QUESTION
from smallcity_env.rules.tables import Ask, Card, Phase
from smallcity_env.rules.tables.cards import LEAST_PRICE, MEDIATOR_SAVES, SUPPORT_MONEY, SUPPORT_VOTES
from smallcity_env.rules.tables.tiles import TILES, Kind
from smallcity_env.text.pieces import title
from smallcity_env.text.wording import details, seat_name

PHASES: Final = {
    Phase.SETUP: lazy("Set-up"),
    Phase.SELECT: lazy("Phase 1, special actions"),
    Phase.BUILD: lazy("Phase 2, build"),
    Phase.MOVE: lazy("Phase 3, move citizens"),
    Phase.INCOME: lazy("Phase 4, income"),
    Phase.VOTE: lazy("Phase 5, vote"),
    Phase.POLLUTION: lazy("Phase 6, pollution"),
    Phase.COUNCIL: lazy("Phase 7, City Council"),
    Phase.VISIT: lazy("Phase 8, the Mayor's next visit"),
    Phase.OVER: lazy("The end"),
}


class Prompt(NamedTuple):
    """A question and the background needed to answer it."""

    asks: str
    help: str


CARDS: Final = {
    Card.MAYOR: lazy("you host the Mayor next round"),
    Card.ARCHITECT: lazy("your first cultural building costs a material less"),
    Card.MEDIATOR: lazy(
        "each build for money costs ${saved} less, at least ${least}; not a cultural one",
        saved=MEDIATOR_SAVES,
        least=LEAST_PRICE,
    ),
    Card.ENGINEER: lazy("your production does not pollute this round"),
    Card.SUPPORTER: lazy_n(
        "${money} or {n} vote now", "${money} or {n} votes now", SUPPORT_VOTES, money=SUPPORT_MONEY
    ),
    Card.PLANNER: lazy("your zone grows now"),
    Card.COUNCILOR: lazy("advance a council disc now, paying for it"),
    Card.OPPONENT: lazy("nothing"),
    **CARD_HELP,
}
_COUNCIL_BUILD: Final = (
    lazy("What does the council build for you, of at most {room}?"),
    lazy(
        "Free of charge: a home, shop, factory or park, Warehouse, Refinery or Harbor; the Police Station "
        "from {police}, the Fire Station from {fire}.",
        police=lazy_n("{n} space", "{n} spaces", int(TILES[Kind.POLICE]["spaces"])),
        fire=TILES[Kind.FIRE]["spaces"],
    ),
)
_PLANT: Final = (
    lazy("Above which columns does the {tile} stand? Choose a space of the first."),
    lazy(
        "It powers as many columns as its level; every tile but City Hall needs a powered one when it is "
        "built."
    ),
)


def question(state: Any, you: int) -> Prompt:
    """The current question of a seat, with its details filled in."""
    row = QUESTION[Ask(state["ask"])]
    prompt = (row.asks, row.help)
    if state["ask"] == Ask.WHAT and state["phase"] != Phase.BUILD:
        prompt = _COUNCIL_BUILD
    elif state["ask"] == Ask.WHERE and TILES[state["kind"]]["plant"]:
        prompt = _PLANT
    words = _words(state, you)
    return Prompt(*(text.fill(**words) for text in prompt))


def _words(state: Any, you: int) -> dict[str, str]:
    """What a question can mention, as seen from a seat."""
    where, here = int(state["asked_borough"]), space_name(int(state["space"]))
    away = _("{space} in the borough of {player}", space=here, player=seat_name(where))
    return details(state) | {
        "tile": title(Kind(int(state["kind"]))),
        "here": here if where == you else away,
    }
