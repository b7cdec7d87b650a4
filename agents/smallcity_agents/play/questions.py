"""Questions in words, for somebody who knows the board game."""

from typing import Any, Final, NamedTuple

from smallcity_env.rules.actions import space_name
from smallcity_env.rules.tables import Ask, Card, Material, Phase, Row
from smallcity_env.rules.tables.tiles import NAMES, Kind

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


class Question(NamedTuple):
    """A question and the background to answer it."""

    asks: str
    about: str


QUESTIONS: Final = {
    Ask.DIFFICULTY: Question(
        "How much do you promise the voters?",
        "You draw a secret promise of that worth. Kept at the end it adds its worth, broken it costs a third "
        "of it. The others see the worth, not the card.",
    ),
    Ask.WHAT: Question(
        "What do you build?",
        "Up to three builds a round, each a new tile or an upgrade, or instead one enlargement of the zone "
        "for $2. The others see it when all have built. Homes of level n need n different public "
        "buildings beside them and no factory; shops of level n need n homes; factories need no home, "
        "from level 2 a Refinery, at level 3 a Harbor too. A new factory brings a Warehouse.",
    ),
    Ask.WHERE: Question(
        "Where does the {tile} go? Name its first space: top row, leftmost.",
        "The spaces marked ? can be the first one; which way round it lies is asked next, if there is a "
        "choice.",
    ),
    Ask.WAY: Question(
        "Which way round does the {tile} lie?",
        "Each answer names the spaces it would cover.",
    ),
    Ask.STREET: Question(
        "Where in the borough of {host} does the Mayor's street begin?",
        "The Mayor parades between two empty spaces side by side; his host cannot build on them this round.",
    ),
    Ask.STREET_WAY: Question(
        "Which way does the street go on from {here}?", "Each answer names its two spaces."
    ),
    Ask.CARD: Question(
        "Which action card do you take?",
        "One card each, for this round only; what you take the others cannot.",
    ),
    Ask.SUPPORT: Question("What does the Supporter bring?", "Either $1 or 2 votes, at once."),
    Ask.MOVE: Question(
        "Where does the citizen at {here}{away} go?",
        "Each active citizen moves once, to another kind of place than where he is, or stays. Only one who "
        "moved works: at home he votes in Phase 5, in a shop he earns (a: $3, b: a material for money, c: 4 "
        "votes, d: a material for votes), in a factory he makes the material of his space, and pollutes.",
    ),
    Ask.ABROAD: Question(
        "To which space of the borough of {abroad} does he go?",
        "What the space gives is yours; your host gets $1, in a Museum $2.",
    ),
    Ask.HOME: Question(
        "Which home does a citizen of City Hall move into?",
        "From City Hall people go to homes of level 1 only; there they vote this round.",
    ),
    Ask.TRADE: Question(
        "What do you trade in the shop at {here}{away}?",
        "One material: on space b for money ($2, $3, $5), on space d for votes (3, 5, 7), for wood, stone, "
        "metal.",
    ),
    Ask.TAKE_FROM: Question(
        "From where do you take the {product} you trade?",
        "The space it leaves is free again: for a product, in City Hall also for a citizen, on a plain space "
        "for a tile.",
    ),
    Ask.PRODUCT: Question("Which product is stored next?", "There is not room for all; the rest is lost."),
    Ask.STORE: Question(
        "Where do you store the {product}?",
        "City Hall has four spaces for people and materials together.",
    ),
    Ask.TOURIST: Question("From where does a product come home next?", "There is not room for all of them."),
    Ask.DIES: Question(
        "Which citizen dies of pollution?",
        "One at 25, 50 and 75, and from round 5 one in the most polluted borough.",
    ),
    Ask.GRAVE: Question("Where is he buried?", "On an empty space, beside the cemetery if there is one."),
    Ask.ROW: Question(
        "In which row of the City Council do you advance a disc?",
        "Columns 1 to 4 cost 1 to 4, in money or in votes. Finance: $3, 5, 7, 9. Supplies: wood, wood, "
        "stone, metal. Construction: a free tile of up to 1, 2, 3, 4 spaces. Tourism: 1, 1, 2, 2 citizens.",
    ),
    Ask.PAY: Question("How do you pay the advance in {row}?", "All in money or all in votes."),
    Ask.SPEECH: Question("Where in your City Hall does the Mayor speak?", "On two spaces side by side."),
    Ask.SPEECH_WAY: Question("Which two spaces does he take?", "He speaks to the six spaces on that side."),
    Ask.ENGINEER: Question(
        "What does the Engineer do?",
        "He removes two Radiation markers now, or your production does not pollute this round.",
    ),
    Ask.CLEAN: Question("Which marker does he remove?", "Neither may split a group of markers."),
    Ask.DOCTOR: Question(
        "Do you take a Doctor instead of a citizen?", "He stands in the Clinic and asks for $2 a round."
    ),
    Ask.SALARY: Question(
        "Do you pay the Doctor $2?", "Paid, he brings one of your dead back; unpaid, he leaves."
    ),
    Ask.REVIVE: Question("Who gets up from his grave?", "He goes to City Hall, or to the Career Center."),
    Ask.STONE: Question("Where does the mountain stone go?", "On an empty space beside the factory."),
    Ask.PARK_GROWS: Question("Onto which space does the park grow?", "A park grows where people came to it."),
    Ask.PILGRIM: Question("Who becomes the Pilgrim?", "He spends the next round in Ulaanbaatar."),
    Ask.ARRIVE: Question(
        "Where does the godzilla appear?",
        "On a factory the first time, on two markers when it has been here. Whoever stands there is eaten.",
    ),
    Ask.ARRIVE_BESIDE: Question("Which other space does it stand on?", "Whoever stands there is eaten."),
    Ask.LEAVE: Question(
        "By which space does the godzilla leave?",
        "It walks as many spaces as its die shows ({die}), straight on until the edge of the zone. Where it "
        "walks people are eaten, materials are lost, and Radiation is left on all spaces but the last two.",
    ),
    Ask.LEAVE_WAY: Question(
        "Which way does it walk from {here}? The die shows {die}.", "Straight on, until the edge of the zone."
    ),
    Ask.TURN: Question(
        "Which way does it turn, with {steps} steps to go?", "It cannot go on: the zone ends here."
    ),
}

CARDS: Final = {
    Card.MAYOR: "you host the Mayor next round",
    Card.ARCHITECT: "your first cultural building costs a material less",
    Card.MEDIATOR: "each build for money costs $1 less, at least $1",
    Card.ENGINEER: "your production does not pollute this round",
    Card.SUPPORTER: "$1 or 2 votes now",
    Card.PLANNER: "your zone grows now",
    Card.COUNCILOR: "advance a council disc now, paying for it",
    Card.OPPONENT: "nothing",
    Card.PHYSICIAN: "2 votes for each citizen working in your level-3 factories",
    Card.ARTIST: "2 votes for each citizen working in your Museum",
}
_ABOUT_COUNCIL_BUILD: Final = Question(
    "What does the council build for you, of at most {size} spaces?",
    "Free of charge: a home, shop, factory or park, Warehouse, Refinery or Harbor; the Police Station from "
    "two spaces, the Fire Station from three.",
)
_ABOUT_PLANTS: Final = Question(
    "Above which columns does the {tile} stand? Name a space of the first.",
    "It powers as many columns as its level; every tile but City Hall needs a powered one when it is built.",
)


def question(state: Any, you: int) -> Question:
    """The current question of a seat, with its details filled in."""
    asked = QUESTIONS[Ask(state["ask"])]
    if state["ask"] == Ask.WHAT and state["phase"] != Phase.BUILD:
        asked = _ABOUT_COUNCIL_BUILD
    elif state["ask"] == Ask.WHERE and Kind.PLANT_1 <= state["kind"] <= Kind.PLANT_3:
        asked = _ABOUT_PLANTS
    words = _words(state, you)
    return Question(asked.asks.format(**words), asked.about.format(**words))


def _words(state: Any, you: int) -> dict[str, Any]:
    """The details a question can mention."""
    where = int(state["where_"])
    return {
        "tile": NAMES[Kind(state["kind"])],
        "here": space_name(int(state["space"])),
        "away": "" if where == you else f" in the borough of seat {where}",
        "abroad": f"seat {int(state['row'])}",
        "host": "your own" if state["host"] == you else f"seat {int(state['host'])}",
        "product": Material(state["product"]).name.lower(),
        "row": Row(min(int(state["row"]), len(Row) - 1)).name.lower(),
        "size": int(state["council_size"]),
        "die": int(state["die"][you]),
        "steps": int(state["steps"]),
    }
