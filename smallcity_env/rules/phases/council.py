"""Phase 7: influence the City Council (section 10); the City Councilor's advance too (P1.3 G)."""

from typing import Any

from ...language import Listed, lazy
from ...library import kernel
from .. import actions, modules
from ..borough import spend, to_hall
from ..questions import Question
from ..tables import COLUMNS, DISCS, ROWS, Ask, Material, Pay, Phase, Row
from ..tables.cards import ADVANCE_COST, CONSTRUCTION, FINANCE, SUPPLIES, TOURISM
from ..tables.expansions import SALARY
from ..tables.names import MATERIAL_NAMES
from ..turns import enter, mover, next_turn, start_turns, turns_over

BEGIN, ADVANCING = range(2)  # stages of a turn


@kernel
def proceed(s):
    """In turn order each may advance a disc (P7.1)."""
    if s.turn < 0:
        start_turns(s)
    elif turns_over(s):
        enter(s, Phase.VISIT)
    elif s.stage == BEGIN:
        p = mover(s)
        s.advances = modules.paid_advances(s, p)
        s.free_advances = modules.free_advances(s, p)
        s.stage = ADVANCING
    elif s.advances + s.free_advances > 0:
        s.ask = Ask.ROW
    else:
        next_turn(s)


@kernel
def offer_one(s):
    """The City Councilor's single advance, paid as in Phase 7 (P1.3 G)."""
    s.advances = 1
    s.ask = Ask.ROW


@kernel
def _column_after(s, row):
    """The column a disc would reach in a row, 0 if none can advance (P7.1)."""
    council = s.borough[mover(s)].council
    if council[row] > 0:
        return council[row] + 1 if council[row] < COLUMNS else 0
    on_board = 0
    for r in range(ROWS):
        on_board += council[r] > 0
    return 1 if on_board < DISCS else 0


@kernel
def _pays(s, column, pay):
    """Whether the player can pay for a column in this way (P7.2, RB1)."""
    b = s.borough[mover(s)]
    if pay == Pay.NOTHING:
        return s.free_advances > 0
    if s.advances == 0:
        return False
    purse = b.money if pay == Pay.MONEY else b.votes
    return purse >= ADVANCE_COST[column]


@kernel
def legal_row(s, legal):
    """Rows where a disc can advance and the player can pay; or none."""
    legal[actions.NO] = True
    for row in range(ROWS):
        column = _column_after(s, row)
        if column > 0:
            money, votes = _pays(s, column, Pay.MONEY), _pays(s, column, Pay.VOTES)
            legal[actions.ROW + row] = money or votes or _pays(s, column, Pay.NOTHING)


@kernel
def apply_row(s, action):
    """Take a row to advance in, or stop."""
    if action == actions.NO:
        s.advances = 0
        s.free_advances = 0
    else:
        s.council_row = action - actions.ROW
        s.ask = Ask.PAY


@kernel
def legal_pay(s, legal):
    """All in money, all in votes, or Big Ben's free one (P7.2, RB1)."""
    column = _column_after(s, s.council_row)
    legal[actions.PAY + Pay.MONEY] = _pays(s, column, Pay.MONEY)
    legal[actions.PAY + Pay.VOTES] = _pays(s, column, Pay.VOTES)
    legal[actions.PAY + Pay.NOTHING] = _pays(s, column, Pay.NOTHING)


@kernel
def apply_pay(s, action):
    """Advance the disc and take the reward at once (P7.3)."""
    b = s.borough[mover(s)]
    column = _column_after(s, s.council_row)
    if action == actions.PAY + Pay.NOTHING:
        s.free_advances -= 1
    else:
        s.advances -= 1
        if action == actions.PAY + Pay.MONEY:
            spend(b, ADVANCE_COST[column])
        else:
            b.votes -= ADVANCE_COST[column]
    row = s.council_row
    s.council_row = 0
    b.council[row] = column
    _reward(s, row, column)


@kernel
def _reward(s, row, column):
    """Give the reward: money, a material, a tile or citizens (P7.4 - P7.6)."""
    p = mover(s)
    if row == Row.FINANCE:
        s.borough[p].money += FINANCE[column]
    elif row == Row.SUPPLIES:
        s.goods[SUPPLIES[column]] += 1
    elif row == Row.CONSTRUCTION:
        s.council_size = CONSTRUCTION[column]
        s.ask = Ask.WHAT
    elif row == Row.TOURISM and modules.doctor_waits(s, p):
        s.tourism_column = column
        s.ask = Ask.DOCTOR
    elif row == Row.TOURISM:
        welcome(s, p, TOURISM[column])


@kernel
def welcome(s, p, n):
    """Citizens from the reserve, as far as it lasts, into City Hall or the Career Center (P7.6)."""
    for _ in range(min(n, s.reserve[p])):
        s.reserve[p] -= 1
        to_hall(s, p)


@kernel
def legal_doctor(s, legal):
    """A Doctor instead of one citizen, or not (D2)."""
    legal[actions.YES] = True
    legal[actions.NO] = True


@kernel
def apply_doctor(s, action):
    """The Tourism row's citizens, one of them perhaps a Doctor (D2)."""
    p = mover(s)
    n = TOURISM[s.tourism_column]
    s.tourism_column = 0
    if action == actions.YES:
        modules.doctor_arrives(s, p)
        n -= 1
    welcome(s, p, n)


def _row(rewards: Any) -> Listed:
    """A row of the council board, without the place left of it."""
    return Listed(rewards[1:])


QUESTIONS = [
    Question(
        Ask.ROW,
        (Phase.SELECT, Phase.COUNCIL),
        legal=legal_row,
        apply=apply_row,
        brief=lazy("in which row of the council does a disc advance?"),
        asks=lazy("In which row of the City Council do you advance a disc?"),
        help=lazy(
            "Columns 1 to {columns} cost {costs}, in money or in votes. Finance: ${money}. Supplies: "
            "{materials}. Construction: a free tile of up to {spaces} spaces. Tourism: {citizens} "
            "citizens.",
            columns=COLUMNS,
            costs=_row(ADVANCE_COST),
            money=_row(FINANCE),
            materials=Listed(MATERIAL_NAMES[Material(m)] for m in SUPPLIES[1:]),
            spaces=_row(CONSTRUCTION),
            citizens=_row(TOURISM),
        ),
        no=lazy("advance no disc"),
    ),
    Question(
        Ask.PAY,
        (Phase.SELECT, Phase.COUNCIL),
        legal=legal_pay,
        apply=apply_pay,
        brief=lazy("pay the council with money or votes?"),
        asks=lazy("How do you pay the advance in {row}?"),
        help=lazy("All in money or all in votes."),
    ),
    Question(
        Ask.DOCTOR,
        (Phase.SELECT, Phase.COUNCIL),
        legal=legal_doctor,
        apply=apply_doctor,
        brief=lazy("a Doctor instead of a citizen?"),
        asks=lazy("Do you take a Doctor instead of a citizen?"),
        help=lazy("He stands in the Clinic and asks for ${salary} a round.", salary=SALARY),
        yes=lazy("a Doctor instead of one citizen"),
        no=lazy("no Doctor, only citizens"),
    ),
]
