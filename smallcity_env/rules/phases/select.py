"""Phase 1: select special actions (section 4)."""

from ...language import lazy, lazy_n
from ...library import kernel
from .. import actions, modules
from ..borough import empty
from ..questions import Question
from ..rng import below
from ..spaces import count, fits, has, nonempty, nth, put, tile
from ..tables import Ask, Card, Pay, Phase
from ..tables.cards import ALL_CARDS, MODULE, SUPPORT_MONEY, SUPPORT_VOTES
from ..tables.shapes import WAYS_OF
from ..turns import enter, mover, next_clockwise, next_turn, start_turns, turns_over
from ..zone import can_grow
from . import council

ACROSS, DOWN = WAYS_OF["I2"]
TAKEN = 1  # stage of a turn: the card has been taken


@kernel
def proceed(s):
    """The Mayor arrives, then in turn order each takes a card."""
    if s.turn < 0 and s.stage == 0:
        s.stage = 1
        _lay_cards(s)
        _parade(s)
    elif s.turn < 0:
        start_turns(s)
    elif turns_over(s):
        enter(s, Phase.BUILD)
    elif s.stage == TAKEN:
        next_turn(s)
    else:
        s.ask = Ask.CARD


@kernel
def _lay_cards(s):
    """Lay out the circle of cards (P1.2); with the new action cards 8 of ten (AC1)."""
    for card in range(1, ALL_CARDS + 1):
        s.circle[card] = MODULE[card] == 0
    modules.lay_cards(s)


@kernel
def streets(s, way):
    """Where a street of the host's zone can begin: two adjacent empty spaces (P1.1)."""
    return fits(way, empty(s.borough[s.host]))


@kernel
def _parade(s):
    """The Mayor's street, chosen by the next player clockwise; alone, by chance (P1.1)."""
    if s.rules.mayor:
        modules.speech(s)
        return
    if not nonempty(street_starts(s)):
        return
    if s.rules.players == 1:
        _random_street(s)
    else:
        s.seat = next_clockwise(s, s.host)
        s.ask = Ask.STREET


@kernel
def _random_street(s):
    """One of all the streets (P1.1, solo)."""
    across, down = streets(s, ACROSS), streets(s, DOWN)
    k = below(s, count(across) + count(down))
    if k < count(across):
        put(s.borough[s.host].mayor, tile(ACROSS, nth(across, k)))
    else:
        put(s.borough[s.host].mayor, tile(DOWN, nth(down, k - count(across))))


@kernel
def street_starts(s):
    """The spaces a street can be named by: its first one."""
    return streets(s, ACROSS) | streets(s, DOWN)


@kernel
def apply_street(s, action):
    """Take the street's first space, then ask for its direction."""
    s.space = action - actions.AT
    s.ask = Ask.STREET_WAY


@kernel
def legal_street_way(s, legal):
    """Offer across and down, where there is a street."""
    legal[actions.WAY] = has(streets(s, ACROSS), s.space)
    legal[actions.WAY + 1] = has(streets(s, DOWN), s.space)


@kernel
def apply_street_way(s, action):
    """Place the Mayor on the street."""
    way = ACROSS if action == actions.WAY else DOWN
    put(s.borough[s.host].mayor, tile(way, s.space))
    s.space = 0


@kernel
def legal_card(s, legal):
    """Every card still in the circle (P1.2, P1.4); card A by M3."""
    for card in range(1, ALL_CARDS + 1):
        legal[actions.CARD_ID[card]] = s.circle[card] != 0
    if s.rules.mayor and s.circle[Card.MAYOR] != 0 and not modules.may_invite(s, mover(s)):
        legal[actions.CARD_ID[Card.MAYOR]] = False


@kernel
def apply_card(s, action):
    """Take a card and apply its immediate effect (P1.3)."""
    p = mover(s)
    b = s.borough[p]
    card = actions.CARD_OF[action]
    s.circle[card] = 0
    b.card = card
    s.stage = TAKEN
    if card == Card.MAYOR:
        s.next_host = p + 1
    elif card == Card.SUPPORTER:
        s.ask = Ask.SUPPORT
    elif card == Card.PLANNER and can_grow(s, p):
        modules.enlarge(s, p)
    elif card == Card.COUNCILOR:
        council.offer_one(s)
    modules.takes_card(s, p, card)


@kernel
def legal_support(s, legal):
    """Money or votes (P1.3 E)."""
    legal[actions.PAY + Pay.MONEY] = True
    legal[actions.PAY + Pay.VOTES] = True


@kernel
def apply_support(s, action):
    """Give the Supporter's money or votes (P1.3 E)."""
    b = s.borough[mover(s)]
    if action == actions.PAY + Pay.MONEY:
        b.money += SUPPORT_MONEY
    else:
        b.votes += SUPPORT_VOTES


QUESTIONS = [
    Question(
        Ask.CARD,
        (Phase.SELECT,),
        legal=legal_card,
        apply=apply_card,
        brief=lazy("which action card?"),
        asks=lazy("Which action card do you take?"),
        help=lazy("One card each, for this round only; what you take the others cannot."),
    ),
    Question(
        Ask.STREET,
        (Phase.SELECT,),
        spaces=street_starts,
        apply=apply_street,
        brief=lazy("which street of {host} for the Mayor's parade?"),
        asks=lazy("Where in the borough of {host} does the Mayor's street begin?"),
        help=lazy(
            "The Mayor parades between two empty spaces side by side; his host cannot build on them "
            "this round."
        ),
        at=lazy("the Mayor's street begins at {space}"),
    ),
    Question(
        Ask.STREET_WAY,
        (Phase.SELECT,),
        legal=legal_street_way,
        apply=apply_street_way,
        brief=lazy("which way does the Mayor's street at {here} go?"),
        asks=lazy("Which way does the street go on from {here}?"),
        help=lazy("Each answer names its two spaces."),
    ),
    Question(
        Ask.SUPPORT,
        (Phase.SELECT,),
        legal=legal_support,
        apply=apply_support,
        brief=lazy("money or votes from the Supporter?"),
        asks=lazy("What does the Supporter bring?"),
        help=lazy(
            "Either ${money} or {votes}, at once.",
            money=SUPPORT_MONEY,
            votes=lazy_n("{n} vote", "{n} votes", SUPPORT_VOTES),
        ),
    ),
]
