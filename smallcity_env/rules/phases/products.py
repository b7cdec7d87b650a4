"""Storing products one after the other (P4.3, P4.4): own ones, then what Tourists made abroad."""

from ...language import lazy
from ...library import kernel
from .. import actions
from ..borough import hall_room
from ..questions import Question
from ..spaces import nonempty
from ..storage import room, store, warehouse_count
from ..tables import HALL_SPACES, MATERIALS, SEATS, Ask, Phase, Store
from ..turns import mover


@kernel
def own_goods(s):
    """The number of own products waiting to be stored."""
    n = 0
    for material in range(MATERIALS):
        n += s.goods[material]
    return n


@kernel
def goods_from(s, k):
    """The number of Tourists' products in borough k waiting to be sent home."""
    n = 0
    for material in range(MATERIALS):
        n += s.goods_abroad[k, material]
    return n


@kernel
def all_from_abroad(s):
    """The number of Tourists' products waiting in all boroughs."""
    n = 0
    for k in range(SEATS):
        n += goods_from(s, k)
    return n


@kernel
def _sorts(s, k):
    """The number of different materials waiting from borough k; k = -1: own ones."""
    n = 0
    for material in range(MATERIALS):
        n += (s.goods[material] if k < 0 else s.goods_abroad[k, material]) > 0
    return n


@kernel
def store_own(s):
    """Store the next own product, asking which if not all fit; without room all are lost (P4.3)."""
    b = s.borough[mover(s)]
    left = room(b)
    s.product_from = 0
    if left == 0:
        s.goods[:] = 0
    elif own_goods(s) > left and _sorts(s, -1) > 1:
        s.ask = Ask.PRODUCT
    else:
        s.product = _first_sort(s, -1)
        s.ask = Ask.STORE


@kernel
def _first_sort(s, k):
    """The first material waiting to be stored."""
    for material in range(MATERIALS):
        if (s.goods[material] if k < 0 else s.goods_abroad[k, material]) > 0:
            return material
    return 0


@kernel
def store_from_abroad(s):
    """Store a Tourist's next product, asking which if not all fit at home (P4.4)."""
    sorts = 0
    host = -1
    for k in range(SEATS):
        sorts += _sorts(s, k)
        if host < 0 and goods_from(s, k) > 0:
            host = k
    if sorts > 1 and all_from_abroad(s) > room(s.borough[mover(s)]):
        s.ask = Ask.TOURIST
    else:
        s.product_from = host + 1
        s.product = _first_sort(s, host)
        _send(s)


@kernel
def legal_tourist(s, legal):
    """The boroughs where a Tourist's product waits."""
    for k in range(SEATS):
        legal[actions.SEAT + k] = goods_from(s, k) > 0


@kernel
def apply_tourist(s, action):
    """Choose whose product goes next, then ask which."""
    k = action - actions.SEAT
    s.product_from = k + 1
    s.ask = Ask.PRODUCT


@kernel
def legal_product(s, legal):
    """Offer the materials waiting to be stored."""
    k = s.product_from - 1
    for material in range(MATERIALS):
        waits = s.goods[material] if k < 0 else s.goods_abroad[k, material]
        legal[actions.MATERIAL + material] = waits > 0


@kernel
def apply_product(s, action):
    """Take the product to be stored next."""
    s.product = action - actions.MATERIAL
    if s.product_from > 0:
        _send(s)
    else:
        s.ask = Ask.STORE


@kernel
def _send(s):
    """A Tourist's product: home, else into a warehouse of the host, else lost (P4.4)."""
    if room(s.borough[mover(s)]) > 0:
        s.ask = Ask.STORE
        return
    k, material = s.product_from - 1, s.product
    host = s.borough[k]
    if warehouse_count(host) > 0:
        store(host, material, Store.WAREHOUSE)
    _sent(s, k, material)


@kernel
def _sent(s, k, material):
    """Count off a product waiting in borough k; an Airport's second one stays with the host (NB1)."""
    s.goods_abroad[k, material] -= 1
    if s.second[k, material] > 0:
        s.second[k, material] -= 1
        host = s.borough[k]
        if warehouse_count(host) > 0:
            store(host, material, Store.WAREHOUSE)
        elif nonempty(hall_room(host)):
            store(host, material, Store.CITY_HALL)
    s.product_from = 0
    s.product = 0


@kernel
def legal_store(s, legal):
    """Warehouse or City Hall, where there is room (P4.3)."""
    b = s.borough[mover(s)]
    legal[actions.STORE + Store.WAREHOUSE] = warehouse_count(b) > 0
    legal[actions.STORE + Store.CITY_HALL] = nonempty(hall_room(b))


@kernel
def apply_store(s, action):
    """Store the product."""
    material = s.product
    store(s.borough[mover(s)], material, action - actions.STORE)
    if s.product_from > 0:
        _sent(s, s.product_from - 1, material)
    else:
        s.goods[material] -= 1
        s.product = 0


QUESTIONS = [
    Question(
        Ask.PRODUCT,
        (Phase.INCOME,),
        legal=legal_product,
        apply=apply_product,
        brief=lazy("which product to store first?"),
        asks=lazy("Which product is stored next?"),
        help=lazy("There is not room for all; the rest is lost."),
    ),
    Question(
        Ask.STORE,
        (Phase.SELECT, Phase.INCOME, Phase.COUNCIL),
        legal=legal_store,
        apply=apply_store,
        brief=lazy("the {product}: to a Warehouse or to City Hall?"),
        asks=lazy("Where do you store the {product}?"),
        help=lazy("City Hall has {n} spaces for people and materials together.", n=HALL_SPACES),
    ),
    Question(
        Ask.TOURIST,
        (Phase.INCOME,),
        legal=legal_tourist,
        apply=apply_tourist,
        brief=lazy("whose product comes home first?"),
        asks=lazy("From where does a product come home next?"),
        help=lazy("There is not room for all of them."),
    ),
]
