"""The modules' own questions: what is legal, and what an answer does."""

from .._jit import kernel
from ..spaces import NOWHERE, of
from ..tables import Ask
from . import asian, doctors, godzilla, mayor, pilgrim, terrain, trample


@kernel
def legal_answers(s, legal):
    """Answers to the modules' questions that are not spaces."""
    ask = s.ask
    if ask == Ask.SPEECH_WAY:
        mayor.legal_speech_way(s, legal)
    elif ask == Ask.ENGINEER:
        godzilla.legal_engineer(s, legal)
    elif ask == Ask.SALARY:
        doctors.legal_salary(s, legal)
    elif ask == Ask.LEAVE_WAY:
        trample.legal_leave_way(s, legal)
    elif ask == Ask.TURN:
        trample.legal_turn(s, legal)


@kernel
def offered(s):
    """The spaces that answer the modules' questions."""
    ask = s.ask
    if ask == Ask.SPEECH:
        return mayor.starts(s)
    if ask == Ask.CLEAN:
        return godzilla.cleanable(s)
    if ask == Ask.REVIVE:
        return of(s.borough[s.seat].cemetery)
    if ask == Ask.STONE:
        return terrain.heaps(s)
    if ask == Ask.PARK_GROWS:
        return asian.growths(s, s.seat, s.space)
    if ask == Ask.PILGRIM:
        return pilgrim.candidates(s, s.seat)
    if ask == Ask.ARRIVE:
        return godzilla.arrivals(s)
    if ask == Ask.ARRIVE_BESIDE:
        return godzilla.second_spaces(s)
    if ask == Ask.LEAVE:
        return trample.exits(s)
    return NOWHERE


@kernel
def answer(s, ask, action):
    """Carry out an answer to a module's question."""
    if ask == Ask.SPEECH:
        mayor.apply_speech(s, action)
    elif ask == Ask.SPEECH_WAY:
        mayor.apply_speech_way(s, action)
    elif ask == Ask.ENGINEER:
        godzilla.apply_engineer(s, action)
    elif ask == Ask.CLEAN:
        godzilla.apply_clean(s, action)
    elif ask == Ask.SALARY:
        doctors.apply_salary(s, action)
    elif ask == Ask.REVIVE:
        doctors.apply_revive(s, action)
    elif ask == Ask.STONE:
        terrain.apply_stone(s, action)
    elif ask == Ask.PARK_GROWS:
        asian.apply_park_grows(s, action)
    elif ask == Ask.PILGRIM:
        pilgrim.apply_pilgrim(s, action)
    elif ask == Ask.ARRIVE:
        godzilla.apply_arrive(s, action)
    elif ask == Ask.ARRIVE_BESIDE:
        godzilla.apply_arrive_beside(s, action)
    elif ask == Ask.LEAVE:
        trample.apply_leave(s, action)
    elif ask == Ask.LEAVE_WAY:
        trample.apply_leave_way(s, action)
    elif ask == Ask.TURN:
        trample.apply_turn(s, action)
