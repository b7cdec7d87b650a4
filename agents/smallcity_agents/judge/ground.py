"""Single spaces of land: streets, graves, stones, parks that grow, the Mayor's speech."""

from smallcity_env.rules import actions
from smallcity_env.rules._jit import kernel
from smallcity_env.rules.borough import crowd
from smallcity_env.rules.modules.mayor import ACROSS, DOWN
from smallcity_env.rules.spaces import around, at, beside, both, count, either, of, tile, without
from smallcity_env.rules.tables import SPACES, Family

from .land import land_worth, levels, survey

SIDES = (ACROSS, DOWN)


@kernel
def judge_land(b, legal, w, value, sign):
    """Every space by the homes that could stand there and the open land beside it: dear (sign 1) or
    cheap (sign -1)."""
    sets = survey(b)
    for space in range(SPACES):
        if legal[actions.AT + space]:
            here = at(space)
            worth = w.site_land * levels(without(here, sets[-1]), sets)
            value[actions.AT + space] = sign * (worth + w.site_snug * count(both(beside(here), sets[-2])))


@kernel
def judge_street(s, legal, value):
    """Where the host would like to build: near his homes and public buildings."""
    sets = survey(s.borough[s.host])
    for space in range(SPACES):
        if legal[actions.AT + space]:
            near = either(at(space), around(at(space)))
            value[actions.AT + space] = land_worth(at(space), sets) * SPACES + land_worth(near, sets)


@kernel
def judge_street_way(s, legal, value):
    """The way that takes more."""
    sets = survey(s.borough[s.host])
    for i in range(len(SIDES)):
        if legal[actions.WAY + i]:
            value[actions.WAY + i] = land_worth(tile(SIDES[i], s.space), sets)


@kernel
def _listeners(b, spaces):
    """People and places for people near some spaces of City Hall."""
    near = around(spaces)
    homes = either(of(b.family[Family.RESIDENTIAL]), of(b.family[Family.COMMERCIAL]))
    return count(both(near, either(crowd(b), homes)))


@kernel
def judge_speech(s, legal, value):
    """Where the most can listen (M4)."""
    b = s.borough[s.host]
    for space in range(SPACES):
        if legal[actions.AT + space]:
            value[actions.AT + space] = _listeners(b, at(space))


@kernel
def judge_speech_way(s, legal, value):
    """The side where the most can listen."""
    b = s.borough[s.host]
    for i in range(len(SIDES)):
        if legal[actions.WAY + i]:
            value[actions.WAY + i] = _listeners(b, tile(SIDES[i], s.space))
