"""Value trades and storage (Phase 4)."""

from smallcity_env.library import kernel
from smallcity_env.rules import actions
from smallcity_env.rules.borough import label
from smallcity_env.rules.tables import MATERIALS, SEATS, Store

from .people import B, trade


@kernel
def evaluate_trade(s, legal, w, features, value):
    """Trade a material for money or votes if the gain exceeds its value (P4.2)."""
    for_money = label(s.borough[s.asked_borough], s.space) == B
    for material in range(MATERIALS):
        if legal[actions.MATERIAL + material]:
            value[actions.MATERIAL + material] = trade(material, for_money, w, features[0])


@kernel
def evaluate_product(s, legal, f, value):
    """The most valuable product first."""
    for material in range(MATERIALS):
        value[actions.MATERIAL + material] = f.good[material]


@kernel
def evaluate_tourist(s, legal, f, value):
    """The Tourist with the most valuable product first."""
    for k in range(SEATS):
        for material in range(MATERIALS):
            if s.goods_abroad[k, material] > 0:
                value[actions.SEAT + k] = max(value[actions.SEAT + k], 1 + f.good[material])


@kernel
def evaluate_store(value):
    """Prefer the Warehouse: City Hall needs room for newcomers (P3.4)."""
    value[actions.STORE + Store.WAREHOUSE] = 1


@kernel
def evaluate_take_from(value):
    """Take from land first, to build on it, then from City Hall, for newcomers (T7, P3.4)."""
    value[actions.STORE + Store.PLAIN] = 2
    value[actions.STORE + Store.CITY_HALL] = 1
