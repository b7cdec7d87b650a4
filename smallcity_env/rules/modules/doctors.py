"""Doctors (D1 - D4)."""

from ...language import lazy
from ...library import kernel
from .. import actions
from ..borough import spend, to_hall, works
from ..questions import Question
from ..spaces import at, nonempty, of, remove
from ..tables import Ask, Phase
from ..tables.declare import Expansion
from ..tables.expansions import DOCTORS, SALARY
from ..tables.tiles import Kind
from ..turns import mover

EXPANSION = Expansion(rules="D1 - D4 [S]", questions=("DOCTOR", "SALARY", "REVIVE"))
ABOUT = lazy("A Doctor in the Clinic, paid ${salary} each round, brings a dead citizen back.", salary=SALARY)


@kernel
def set_up(s):
    """One Doctor a player in the reserve (D1)."""
    s.doctors = DOCTORS * s.rules.players


@kernel
def waits(s, p):
    """Whether the player may take a Doctor: an uncontaminated Clinic without one (D2)."""
    b = s.borough[p]
    return s.doctors > 0 and b.doctor == 0 and works(b, Kind.CLINIC)


@kernel
def arrives(s, p):
    """Place the Doctor in the Clinic (D2)."""
    s.doctors -= 1
    s.borough[p].doctor = 1


@kernel
def leaves(s, p):
    """Return the Doctor to the reserve (D3, D4)."""
    b = s.borough[p]
    if b.doctor > 0:
        b.doctor = 0
        s.doctors += 1


@kernel
def salary(s):
    """Ask for the Doctor's salary (D3)."""
    if s.borough[mover(s)].doctor > 0:
        s.ask = Ask.SALARY


@kernel
def legal_salary(s, legal):
    """Pay the Doctor, if there is the money, or let him go (D3)."""
    legal[actions.YES] = s.borough[mover(s)].money >= SALARY
    legal[actions.NO] = True


@kernel
def apply_salary(s, action):
    """If paid, a dead citizen is revived; otherwise the Doctor leaves (D3)."""
    p = mover(s)
    b = s.borough[p]
    if action == actions.NO:
        leaves(s, p)
        return
    spend(b, SALARY)
    if nonempty(of(b.cemetery)):
        s.ask = Ask.REVIVE


@kernel
def apply_revive(s, action):
    """Revive a citizen in City Hall; his cemetery space is cleared (D3)."""
    p = mover(s)
    b = s.borough[p]
    remove(b.cemetery, at(action - actions.AT))
    to_hall(s, p)


@kernel
def graves(s):
    """The graves of citizens who can be revived (D3)."""
    return of(s.borough[s.seat].cemetery)


QUESTIONS = [
    Question(
        Ask.SALARY,
        (Phase.INCOME,),
        legal=legal_salary,
        apply=apply_salary,
        brief=lazy("pay the Doctor?"),
        asks=lazy("Do you pay the Doctor ${salary}?", salary=SALARY),
        help=lazy("Paid, he brings one of your dead back; unpaid, he leaves."),
        yes=lazy("pay the Doctor"),
        no=lazy("the Doctor leaves"),
    ),
    Question(
        Ask.REVIVE,
        (Phase.INCOME,),
        spaces=graves,
        apply=apply_revive,
        brief=lazy("which citizen is revived?"),
        asks=lazy("Which citizen is revived?"),
        help=lazy("He goes to City Hall, or to the Career Center."),
        at=lazy("the citizen buried at {space} is revived"),
    ),
]
