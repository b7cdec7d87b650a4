"""Value action cards, City Council advances, promises and Doctors (Phases 1 and 7)."""

from smallcity_env.library import kernel
from smallcity_env.rules import actions
from smallcity_env.rules.modules.moments import total
from smallcity_env.rules.spaces import count, of
from smallcity_env.rules.tables import (
    BUILDS,
    COLUMNS,
    MATERIALS,
    NEEDS_HARBOR,
    NEEDS_REFINERY,
    ROWS,
    Card,
    Family,
    Pay,
    Row,
)
from smallcity_env.rules.tables.cards import (
    ADVANCE_COST,
    ALL_CARDS,
    CONSTRUCTION,
    FINANCE,
    SUPPLIES,
    SUPPORT_MONEY,
    SUPPORT_VOTES,
    TOURISM,
)
from smallcity_env.rules.tables.expansions import CLEANED, SALARY, SPECIALIST_VOTES
from smallcity_env.rules.tables.tiles import COUNCIL_KINDS, CULTURAL_KINDS, TILES, Kind
from smallcity_env.rules.zone import can_grow

from .deltas import add_tile, covered_kind, enlarge, upgrade_tile
from .schema import Workplace
from .value import future_value

# -- cards


@kernel
def evaluate_card(s, p, legal, w, features, value):
    """Each card by its effect this round (P1.3)."""
    for card in range(1, ALL_CARDS + 1):
        if legal[actions.CARD_ID[card]]:
            value[actions.CARD_ID[card]] = _card(s, p, card, w, features)


_of_expansions = total("card_value", "s, p, card, f")  # expansions value their own cards


@kernel
def _card(s, p, card, w, features):
    """The value of a card now."""
    f = features[0]
    if card == Card.MAYOR:
        return w.card_mayor
    if card == Card.ARCHITECT:
        return w.card_architect * _saved_material(s, p, f)
    if card == Card.MEDIATOR:
        return f.coin * min(w.card_mediator, f.money / BUILDS)
    if card == Card.ENGINEER:
        return max(_clean_production(w, f), _cleaning(s, p, w))
    if card == Card.SUPPORTER:
        return max(SUPPORT_MONEY * f.coin, SUPPORT_VOTES * f.vote)
    if card == Card.PLANNER:
        return _planner(s, p, w, features)
    if card == Card.COUNCILOR:
        return w.card_councilor * _best_advance(s, p, w, features)
    if card == Card.PHYSICIAN:
        return SPECIALIST_VOTES * f.vote * w.cycle * TILES[Kind.FACTORY_3].spaces * f.built[Kind.FACTORY_3]
    if card == Card.ARTIST:
        return SPECIALIST_VOTES * f.vote * w.cycle * f.rooms[Workplace.MUSEUM]
    return 0.0 + _of_expansions(s, p, card, f)


@kernel
def _clean_production(w, f):
    """The Engineer's old effect: production without pollution."""
    factories = f.rooms[Workplace.WOOD] + f.rooms[Workplace.STONE] + f.rooms[Workplace.METAL]
    return w.card_engineer * w.pollution * w.cycle * min(factories, f.active) * (1 - f.clean)


@kernel
def _cleaning(s, p, w):
    """The value of removing markers (G11)."""
    return w.card_marker * min(count(of(s.borough[p].markers)), CLEANED)


@kernel
def _planner(s, p, w, features):
    """The value of a free enlargement."""
    if not can_grow(s, p):
        return 0.0
    features[1] = features[0]
    enlarge(s.borough[p], features[1])
    return w.card_planner * (future_value(features[1], w) - future_value(features[0], w))


@kernel
def _saved_material(s, p, f):
    """The value of the material the Architect saves on a cultural building that is then affordable."""
    best = 0.0
    for kind in CULTURAL_KINDS:
        row = TILES[kind]
        if f.built[kind] == 0 and s.supply[kind] > 0:
            missing, dearest = 0.0, 0.0
            for material in range(MATERIALS):
                missing += max(0, row.materials[material] - f.goods[material])
                if row.materials[material] > 0:
                    dearest = f.good[material]
            if missing == 0:
                best = max(best, dearest)
            elif missing == 1:
                best = max(best, dearest + 1)
    return best


@kernel
def evaluate_support(f, value):
    """The Supporter's money or votes (P1.3 E)."""
    value[actions.PAY + Pay.MONEY] = SUPPORT_MONEY * (f.coin + f.thrift)
    value[actions.PAY + Pay.VOTES] = SUPPORT_VOTES * f.vote


@kernel
def evaluate_engineer(s, p, w, f, value):
    """The Engineer's cleaning or his old effect (G11)."""
    value[actions.CLEAN] = _cleaning(s, p, w)
    value[actions.OLD_EFFECT] = _clean_production(w, f)


# -- the council


@kernel
def _best_advance(s, p, w, features):
    """The value of the best advance available now."""
    best = 0.0
    on_board = 0
    for row in range(ROWS):
        on_board += s.borough[p].council[row] > 0
    for row in range(ROWS):
        column = s.borough[p].council[row] + 0
        if column < COLUMNS and (column > 0 or on_board <= 1):
            best = max(best, advance(s, p, row, w, features))
    return best


@kernel
def advance(s, p, row, w, features):
    """The reward of a row's next column less its price, paid in the cheaper currency."""
    f = features[0]
    column = s.borough[p].council[row] + 1
    cost = ADVANCE_COST[column] * min(f.coin + f.thrift, f.vote)
    if s.free_advances > 0:
        cost = 0.0
    ahead = (COLUMNS - column) * f.left / s.rules.rounds
    if row == Row.FINANCE:
        return (f.coin + f.thrift) * FINANCE[column] - cost + w.row_finance * ahead
    if row == Row.SUPPLIES:
        good = f.good[SUPPLIES[column]] + f.hoard if f.store > 0 else 0.0
        return good - cost + w.row_supplies * ahead
    if row == Row.CONSTRUCTION:
        built = _best_free_tile(s, p, CONSTRUCTION[column], w, features)
        return built - cost + w.row_construction * ahead
    if row == Row.TOURISM:
        features[1] = features[0]
        features[1].waiting += min(TOURISM[column], s.reserve[p])
        features[1].living += min(TOURISM[column], s.reserve[p])
        arrived = future_value(features[1], w) - future_value(f, w)
        return arrived - cost + w.row_tourism * ahead
    return -cost


@kernel
def _best_free_tile(s, p, size, w, features):
    """The value of the best tile the Construction row could build (P7.5)."""
    f = features[0]
    now = future_value(f, w)
    best = 0.0
    for kind in COUNCIL_KINDS:
        if TILES[kind].spaces <= size and s.supply[kind] > 0 and _buildable(f, kind):
            features[1] = features[0]
            add_tile(features[1], kind)
            best = max(best, future_value(features[1], w) - now)
            old = covered_kind(s.borough[p], kind) if TILES[kind].family != Family.OTHER else 0
            if old > 0:
                features[1] = features[0]
                upgrade_tile(features[1], kind, old)
                best = max(best, future_value(features[1], w) - now)
    return best


@kernel
def _buildable(f, kind):
    """Whether the council could build this tile somewhere, as far as the features show."""
    row = TILES[kind]
    if row.limit > 0 and f.built[kind] >= row.limit:
        return False
    if row.family == Family.RESIDENTIAL:
        return f.publics >= row.level
    if row.family == Family.COMMERCIAL:
        return f.spaces[Family.RESIDENTIAL] >= row.level + 1
    if row.family == Family.FACTORY:
        refined = f.built[Kind.REFINERY] >= NEEDS_REFINERY[row.level]
        return refined and f.built[Kind.HARBOR] >= NEEDS_HARBOR[row.level]
    return True


@kernel
def evaluate_pay(f, value):
    """Pay in the cheaper currency; Big Ben's free advance comes first."""
    value[actions.PAY + Pay.MONEY] = -f.coin - f.thrift
    value[actions.PAY + Pay.VOTES] = -f.vote
    value[actions.PAY + Pay.NOTHING] = 0


# -- modules


@kernel
def evaluate_doctor(w, f, value):
    """A Doctor pays off if there are graves to revive from (D2)."""
    value[actions.YES] = w.doctor * (f.graves > 0) * f.left - SALARY * f.coin
    value[actions.NO] = 1


@kernel
def evaluate_salary(w, features, value):
    """Pay the salary to revive a citizen (D3)."""
    f = features[0]
    features[1] = features[0]
    features[1].graves -= 1
    features[1].waiting += 1
    features[1].living += 1
    features[1].money -= SALARY
    value[actions.YES] = future_value(features[1], w) - future_value(f, w) if f.graves > 0 else -f.coin
