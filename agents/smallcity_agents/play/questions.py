"""Questions in words, for people who know the board game."""

from typing import Any, Final, NamedTuple

from smallcity_env.rules.modules import CARD_HELP
from smallcity_env.rules.phases import QUESTION
from smallcity_env.rules.tables import Ask, Card, Phase
from smallcity_env.rules.tables.cards import LEAST_PRICE, MEDIATOR_SAVES, SUPPORT_MONEY, SUPPORT_VOTES
from smallcity_env.rules.tables.counted import counted
from smallcity_env.rules.tables.tiles import TILES, Kind
from smallcity_env.text.pieces import title
from smallcity_env.text.wording import details

PHASES: Final = {
    Phase.SETUP: "Set-up",
    Phase.SELECT: "Phase 1, special actions",
    Phase.BUILD: "Phase 2, build",
    Phase.MOVE: "Phase 3, move citizens",
    Phase.INCOME: "Phase 4, income",
    Phase.VOTE: "Phase 5, vote",
    Phase.POLLUTION: "Phase 6, pollution",
    Phase.COUNCIL: "Phase 7, City Council",
    Phase.VISIT: "Phase 8, the Mayor's next visit",
    Phase.OVER: "The end",
}


class Prompt(NamedTuple):
    """A question and the background needed to answer it."""

    asks: str
    help: str


CARDS: Final = {
    Card.MAYOR: "you host the Mayor next round",
    Card.ARCHITECT: "your first cultural building costs a material less",
    Card.MEDIATOR: (
        f"each build for money costs ${MEDIATOR_SAVES} less, at least ${LEAST_PRICE}; not a cultural one"
    ),
    Card.ENGINEER: "your production does not pollute this round",
    Card.SUPPORTER: f"${SUPPORT_MONEY} or {counted(SUPPORT_VOTES, 'vote')} now",
    Card.PLANNER: "your zone grows now",
    Card.COUNCILOR: "advance a council disc now, paying for it",
    Card.OPPONENT: "nothing",
    **CARD_HELP,
}
_COUNCIL_BUILD: Final = Prompt(
    "What does the council build for you, of at most {size} spaces?",
    "Free of charge: a home, shop, factory or park, Warehouse, Refinery or Harbor; the Police Station from "
    f"{counted(int(TILES[Kind.POLICE]['spaces']), 'space')}, the Fire Station from "
    f"{TILES[Kind.FIRE]['spaces']}.",
)
_PLANT: Final = Prompt(
    "Above which columns does the {tile} stand? Name a space of the first.",
    "It powers as many columns as its level; every tile but City Hall needs a powered one when it is built.",
)


def question(state: Any, you: int) -> Prompt:
    """The current question of a seat, with its details filled in."""
    row = QUESTION[Ask(state["ask"])]
    prompt = Prompt(row.asks, row.help)
    if state["ask"] == Ask.WHAT and state["phase"] != Phase.BUILD:
        prompt = _COUNCIL_BUILD
    elif state["ask"] == Ask.WHERE and TILES[state["kind"]]["plant"]:
        prompt = _PLANT
    words = _words(state, you)
    return Prompt(prompt.asks.format(**words), prompt.help.format(**words))


def _words(state: Any, you: int) -> dict[str, str]:
    """What a question can mention, as seen from a seat."""
    where = int(state["asked_borough"])
    return details(state) | {
        "tile": title(Kind(int(state["kind"]))),
        "away": "" if where == you else f" in the borough of seat {where}",
        "destination": f"seat {int(state['destination'])}",
        "host": "your own" if state["host"] == you else f"seat {int(state['host'])}",
        "die": str(int(state["die"][you])),
    }
