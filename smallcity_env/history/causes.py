"""What follows from answers: newcomers, income, votes, pollution and deaths, with their causes.

The parts of a sum are the rules' own: every number here is computed by the kernel that also plays it.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from ..language import lazy, lazy_n, ngettext
from ..rules import modules
from ..rules.modules.moments import listeners
from ..rules.people import people_on_tiles
from ..rules.phases import income, pollution, visit, vote
from ..rules.spaces import count, of
from ..rules.tables import DEATH_LEVELS, ELIMINATED_AT, SHOP_MONEY, SHOP_VOTES, SMOG_ROUND, Ask, Family, Phase
from ..rules.turns import playing
from .lines import MATERIALS, Gains, Later, Line
from .lines import count as set_size
from .steps import Step

Lines = Iterator[Line]


def causes(step: Step) -> Lines:
    """The lines of a step of the rules."""
    if tell := _CAUSES.get(step.phase):
        yield from tell(step)


def lost(step: Step) -> Lines:
    """Products without room, and what Tourists leave with their hosts (P4.3, P4.4, NB1)."""
    used = _waiting(step.before) - _waiting(step.after)
    gone = used - sum(sum(gains.values()) for gains in map(_materials, step.gains))
    if used > 0 and gone > 0:
        words = lazy_n("No room: {n} product is lost", "No room: {n} products are lost", gone)
        yield Line(step.seat, words, key="lost")
    for p, gains in enumerate(step.gains):
        if step.phase is Phase.INCOME and p != step.seat and _materials(gains):
            yield Line(p, lazy("Left by a Tourist ({player})"), _materials(gains), step.seat)


def _materials(gains: Gains) -> Gains:
    return {name: n for name, n in gains.items() if name in MATERIALS}


def _waiting(state: Any) -> int:
    """Products that are not stored yet, the stones of mountains too."""
    made = sum(int(state[field].sum()) for field in ("goods", "goods_abroad", "second"))
    return made + set_size(state["stones"]) + int(state["ask"] == Ask.STONE)


# -- Phases 3 to 5


def _newcomers(step: Step) -> Lines:
    p = step.seat
    if (came := -step.change(p, "career")) > 0:
        words = lazy_n(
            "{n} new citizen for an empty factory space", "{n} new citizens for empty factory spaces", came
        )
        yield Line(p, words)
    before, after = step.boroughs(p)
    if (came := int(after["riders"][p]) - int(before["riders"][p])) > 0:
        yield Line(p, lazy_n("{n} citizen came by tram", "{n} citizens came by tram", came))


def _income(step: Step) -> Lines:
    if (step.before["stage"], step.after["stage"]) != (income.BEGIN, income.TRADING):
        return
    s, p = step.before, step.seat
    for colour in range(step.players):
        if money := income.fees(s, p, colour):
            yield Line(p, lazy("Tourists here ({player})"), {"money": int(money)}, colour)
    for k in range(step.players):
        yield from _shops(s, p, k)
    if votes := modules.opera_votes(s, p, income.workers(s, p, p)):
        yield Line(p, lazy("Citizen at the Opera House"), {"votes": int(votes)})


def _shops(s: Any, p: int, k: int) -> Lines:
    """What the shops and the Bank of a borough bring a player."""
    there, shops = s.borough[k], income.busy_shops(s, p, k)
    money, votes = int(income.shop_money(there, shops)), int(income.shop_votes(there, shops))
    bank = int(modules.bank_income(s, k, income.workers(s, p, k)))
    if k != p and money + bank:
        yield Line(p, lazy("Shops abroad ({player})"), {"money": money + bank}, k)
    elif money:
        yield Line(
            p,
            lazy_n("Shop {letter}", "{n} shops {letter}", money // SHOP_MONEY, letter="a"),
            {"money": money},
        )
    if k == p and bank:
        yield Line(p, lazy("Work in the Bank"), {"money": bank})
    if votes and k != p:
        yield Line(p, lazy("Shops abroad ({player})"), {"votes": votes}, k)
    elif votes:
        yield Line(
            p,
            lazy_n("Shop {letter}", "{n} shops {letter}", votes // SHOP_VOTES, letter="c"),
            {"votes": votes},
        )


_VOTES: Final = {  # the votes that modules add
    "action_cards": lazy("Workers of the Physician or the Artist"),
    "mayor": lazy("Listeners of the Mayor"),
}


def _vote(step: Step) -> Lines:
    s = step.before
    for p in range(step.players):
        if not playing(s, p):
            continue
        if votes := int(vote.home_votes(s, p)):
            n = int(count(vote.voters(s, p) & of(s.borough[p].family[Family.RESIDENTIAL])))
            yield Line(p, lazy_n("{n} at home", "{n} at home", n), {"votes": votes})
        if votes := int(vote.university_votes(s, p)):
            yield Line(p, lazy("Citizens at the University"), {"votes": votes})
        for module, rule in listeners("votes").items():
            if s.rules[module] and (votes := int(rule(s, p))):
                yield Line(p, _VOTES.get(module, lazy("Other rules")), {"votes": votes})


# -- Phase 6, after the godzillas


def _pollution(step: Step) -> Lines:
    part = step.before["part"]
    if part == pollution.MEASURING:
        yield from _measured(step)
    elif part == pollution.DYING and step.after["stage"] == pollution.BURYING != step.before["stage"]:
        yield from _deaths(step.before, step.seat)


def _measured(step: Step) -> Lines:
    s = step.before
    for p in range(step.players):
        if not playing(s, p):
            continue
        if not modules.never_pollutes(s, p):
            parts = pollution_parts(s, p)
            made = step.change(p, "pollution")
            if made:
                yield Line(p, lazy("{sum}", sum=Later(sum_words, parts)), {"pollution": made})
            elif any(parts.values()):
                yield Line(p, lazy("{sum}: no pollution", sum=Later(sum_words, parts)))
        if step.after["borough"][p]["out"]:
            words = lazy("Pollution reached {level}: out of the game", level=ELIMINATED_AT)
            yield Line(p, words)


def pollution_parts(s: Any, p: int) -> dict[str, int]:
    """The parts of the pollution a borough makes; those that remove some are negative (P6.1)."""
    b = s.borough[p]
    return {
        "people": int(people_on_tiles(s, p)),
        "factories": int(pollution.production(b)),
        "noise": int(modules.noise(s, p)),
        "parks": -int(pollution.parks(b)),
        "recycling": -int(modules.recycled(s, p)),
        "residual": int(modules.residual(s, p)),
    }


_PARTS: Final[dict[str, Callable[[int], str]]] = {
    "people": lambda n: ngettext("{n} person", "{n} people", n),
    "factories": lambda n: ngettext("{n} factory", "{n} factories", n),
    "noise": lambda n: ngettext("{n} noise", "{n} noise", n),
    "parks": lambda n: ngettext("{n} park", "{n} parks", n),
    "recycling": lambda n: ngettext("{n} recycled", "{n} recycled", n),
    "residual": lambda n: ngettext("{n} residual", "{n} residual", n),
}


def sum_words(parts: dict[str, int]) -> str:
    """A sum in words: 3 people + 1 factory - 2 parks."""
    terms = [("-" if n < 0 else "+", _PARTS[name](abs(n))) for name, n in parts.items() if n]
    return " ".join(f"{sign} {words}" for sign, words in terms).removeprefix("+ ")


def _deaths(s: Any, p: int) -> Lines:
    """Why citizens die, and who is saved (P6.3)."""
    if modules.never_pollutes(s, p):
        if modules.certain_deaths(s):
            yield Line(p, lazy("The city's bad air: a citizen dies"))
        return
    b = s.borough[p]
    reached = [level for level in DEATH_LEVELS if pollution.reaches(b, level)]
    for level in reached:
        yield Line(p, lazy("Pollution reached {level}: a citizen dies", level=level))
    smog = pollution.smog(s, p)
    if smog:
        yield Line(p, lazy("Most polluted, from round {round}: a citizen dies", round=SMOG_ROUND))
    if saved := min(int(pollution.saved(s, p)), len(reached) + bool(smog)):
        yield Line(p, lazy_n("The Clinic saves {n} citizen", "The Clinic saves {n} citizens", saved))


# -- Phase 8


def _visit(step: Step) -> Lines:
    if step.after["pilgrim"] and not step.before["pilgrim"]:
        yield Line(int(step.after["pilgrim_of"]), lazy("A citizen of the Career Center became the Pilgrim"))
    if step.before["part"] == visit.PARTING and step.players > 1:
        if step.after["phase"] != Phase.OVER:
            yield Line(int(step.after["host"]), lazy("The Mayor comes next round"))


_CAUSES: Final[dict[Phase, Callable[[Step], Lines]]] = {
    Phase.MOVE: _newcomers,
    Phase.INCOME: _income,
    Phase.VOTE: _vote,
    Phase.POLLUTION: _pollution,
    Phase.VISIT: _visit,
}
