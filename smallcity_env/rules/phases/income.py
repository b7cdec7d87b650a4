"""Phase 4: collect income (section 7)."""

from ...language import Listed, lazy
from ...library import kernel
from .. import actions, modules
from ..borough import at_place, label, labelled
from ..people import mine, riders, tourists
from ..questions import Question
from ..spaces import count, first, nonempty, of, put, rest
from ..storage import kept_in, stock, take_from
from ..tables import (
    MATERIALS,
    MUSEUM_FEE,
    SEATS,
    SHOP_MONEY,
    SHOP_VOTES,
    STORES,
    TOURIST_FEE,
    Ask,
    Family,
    Phase,
    Place,
)
from ..tables.cards import TRADE_MONEY, TRADE_VOTES
from ..turns import enter, mover, next_turn, start_turns, turns_over
from .products import all_from_abroad, own_goods, store_from_abroad, store_own

BEGIN, TRADING, STORING, STONES, SALARY = range(5)  # stages of a turn
ENDING = SALARY + modules.SALARIES  # after a stage for each salary
A, B, C, D = range(4)  # the labels of a commercial tile (C1)


@kernel
def proceed(s):
    """In turn order each collects everything before the next (P4.0)."""
    if s.turn < 0:
        start_turns(s)
    elif turns_over(s):
        _forget_turn(s)
        enter(s, Phase.VOTE)
    elif s.stage == BEGIN:
        _collect(s)
    elif s.stage == TRADING:
        _next_trade(s)
    elif s.stage == STORING:
        _next_product(s)
    elif s.stage == STONES:
        if not modules.next_stone(s):
            s.stage = SALARY
    elif s.stage < ENDING:
        modules.salary(s, s.stage - SALARY)
        s.stage += 1
    else:
        next_turn(s)


@kernel
def _forget_turn(s):
    """Clear the fields of the last turn."""
    s.asked_borough = 0
    s.space = 0


@kernel
def workers(s, p, k):
    """Where in borough k the citizens of player p stand who worked this round (T6)."""
    return mine(s, p, k) & of(s.borough[k].worked)


@kernel
def _collect(s):
    """Step 1, the Tourists here (P4.1), and step 2 up to the trades (P4.2)."""
    p = mover(s)
    b = s.borough[p]
    for colour in range(SEATS):
        b.money += fees(s, p, colour)
    for k in range(s.rules.players):
        there = s.borough[k]
        shops = busy_shops(s, p, k)
        if nonempty(shops):
            b.money += shop_money(there, shops)
            b.votes += shop_votes(there, shops)
            trades = labelled(there, Family.COMMERCIAL, B) | labelled(there, Family.COMMERCIAL, D)
            put(s.waiting[k], shops & trades)
        b.money += modules.bank_income(s, k, workers(s, p, k))
    b.votes += modules.opera_votes(s, p, workers(s, p, p))
    modules.opera(s, p, workers(s, p, p))
    s.stage = TRADING


@kernel
def fees(s, p, colour):
    """What the host p gets for the Tourists of a colour who worked here (P4.1)."""
    if colour == p:
        return 0
    guests = tourists(s, p, colour) & of(s.borough[p].worked)
    in_museum = count(guests & at_place(s, p, Place.MUSEUM))
    visitors = count(guests) + riders(s, p, colour)
    return TOURIST_FEE * visitors + (MUSEUM_FEE - TOURIST_FEE) * in_museum


@kernel
def busy_shops(s, p, k):
    """The commercial spaces of borough k where citizens of player p worked."""
    return workers(s, p, k) & of(s.borough[k].family[Family.COMMERCIAL])


@kernel
def shop_money(there, shops):
    """The money of the spaces a among these (P4.2)."""
    return SHOP_MONEY * count(shops & labelled(there, Family.COMMERCIAL, A))


@kernel
def shop_votes(there, shops):
    """The votes of the spaces c among these (P4.2)."""
    return SHOP_VOTES * count(shops & labelled(there, Family.COMMERCIAL, C))


# -- trades


@kernel
def _next_trade(s):
    """The next space b or d, at home in reading order, then abroad by seat (P4.2)."""
    p = mover(s)
    if nonempty(of(s.waiting[p])):
        _ask_trade(s, p)
        return
    for k in range(s.rules.players):
        if nonempty(of(s.waiting[k])):
            _ask_trade(s, k)
            return
    s.stage = STORING
    _produce(s)


@kernel
def _ask_trade(s, k):
    """Ask about the first space waiting in borough k."""
    s.asked_borough = k
    s.space = first(of(s.waiting[k]))
    put(s.waiting[k], rest(of(s.waiting[k])))
    s.ask = Ask.TRADE


@kernel
def legal_trade(s, legal):
    """One material of the player's, or none (P4.2)."""
    b = s.borough[mover(s)]
    legal[actions.NO] = True
    for material in range(MATERIALS):
        legal[actions.MATERIAL + material] = stock(b, material) > 0


@kernel
def apply_trade(s, action):
    """Choose the material to trade, or none; where it comes from is the next question (T7)."""
    if action != actions.NO:
        s.product = action - actions.MATERIAL
        s.ask = Ask.TAKE_FROM


@kernel
def legal_take_from(s, legal):
    """Plain spaces, City Hall or warehouses, where the material being traded lies (T7)."""
    b = s.borough[mover(s)]
    for where in range(STORES):
        legal[actions.STORE + where] = nonempty(kept_in(b, s.product, where))


@kernel
def apply_take_from(s, action):
    """Trade the material for money on a space b, for votes on a space d (P4.2)."""
    b = s.borough[mover(s)]
    material = s.product
    s.product = 0
    take_from(b, material, action - actions.STORE)
    if label(s.borough[s.asked_borough], s.space) == B:
        b.money += TRADE_MONEY[material]
    else:
        b.votes += TRADE_VOTES[material]


# -- production


@kernel
def _produce(s):
    """Each citizen who worked in a factory makes the material of his space (P4.3, P4.4)."""
    p = mover(s)
    for k in range(s.rules.players):
        there = s.borough[k]
        busy = workers(s, p, k) & of(there.family[Family.FACTORY])
        if nonempty(busy):
            _produce_in(s, p, k, busy)


@kernel
def _produce_in(s, p, k, busy):
    """Make the products of one borough; they pollute their host's borough (P6.1)."""
    there = s.borough[k]
    shipped = modules.shipped(s, k, busy)  # AS2: makes two, pollutes double
    flown = modules.flown(s, k, busy)  # NB1: makes two
    for material in range(MATERIALS):
        made = busy & labelled(there, Family.FACTORY, material)
        n = count(made) + count(made & shipped)
        twice = count(made & flown)
        if k == p:
            s.goods[material] += n + twice
        else:
            s.goods_abroad[k, material] += n
            s.second[k, material] += twice
    there.busy_factories += count(busy) + count(shipped)
    put(s.stones[k], modules.stone_spaces(s, k, busy))


@kernel
def _next_product(s):
    """Own products first, then the Tourists' (P4.3, P4.4)."""
    if own_goods(s) > 0:
        store_own(s)
    elif all_from_abroad(s) > 0:
        store_from_abroad(s)
    else:
        s.stage = STONES


QUESTIONS = [
    Question(
        Ask.TRADE,
        (Phase.INCOME,),
        legal=legal_trade,
        apply=apply_trade,
        brief=lazy("which material to trade at {here}?"),
        asks=lazy("What do you trade in the shop at {here}?"),
        help=lazy(
            "One material: on space b for money (${money}), on space d for votes ({votes}), for wood, "
            "stone, metal.",
            money=Listed(TRADE_MONEY),
            votes=Listed(TRADE_VOTES),
        ),
        no=lazy("no trade"),
    ),
    Question(
        Ask.TAKE_FROM,
        (Phase.INCOME,),
        legal=legal_take_from,
        apply=apply_take_from,
        brief=lazy("where does the traded {product} come from?"),
        asks=lazy("From where do you take the {product} you trade?"),
        help=lazy(
            "The space it leaves is free again: for a product, in City Hall also for a citizen, on a "
            "plain space for a tile."
        ),
    ),
]
