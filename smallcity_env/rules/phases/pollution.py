"""Phase 6: measure pollution (section 9), after the Godzillas."""

from ...language import Listed, lazy
from ...library import kernel
from .. import actions, modules
from ..borough import at_place, empty, hall, leave, unusable
from ..people import mine, people_on_tiles, pilgrims, riders, send_home, tourists
from ..questions import Question
from ..spaces import add, at, beside, count, has, nonempty, of, remove
from ..tables import CLINIC_SAVES, DEATH_LEVELS, ELIMINATED_AT, SMOG_ROUND, Ask, Card, Family, Phase, Place
from ..turns import enter, mover, next_turn, players_in, playing, start_turns, turns_over

WAKING, TRAMPLING, MEASURING, DYING = range(4)  # parts of the phase
BEGIN, BURYING = range(2)  # stages of a turn of deaths
MIN_PLAYERS = 2  # players a game needs to go on; one in solo (P6.2)


@kernel
def proceed(s):
    """Godzillas, the measure, and the deaths in turn order (P6.1, P6.3)."""
    if s.part == WAKING:
        s.part = TRAMPLING if modules.godzillas_wake(s) else MEASURING
    elif s.part == TRAMPLING:
        if modules.next_walk(s):
            s.part = MEASURING
    elif s.part == MEASURING:
        _measure_all(s)
    elif turns_over(s):
        s.deaths = 0
        enter(s, Phase.COUNCIL)
    elif s.stage == BEGIN:
        s.deaths = deaths_due(s, mover(s))
        s.stage = BURYING
    elif s.deaths > 0 and nonempty(doomed(s)):
        s.ask = Ask.DIES
    else:
        next_turn(s)


# -- measuring


@kernel
def pollution_made(s, p):
    """People, production and noise, less parks and recycling, never below 0, and the residual (P6.1)."""
    if modules.never_pollutes(s, p):
        return 0
    dirt = people_on_tiles(s, p) + production(s.borough[p]) + modules.noise(s, p)
    return max(dirt - parks(s.borough[p]) - modules.recycled(s, p), 0) + modules.residual(s, p)


@kernel
def production(b):
    """The pollution of the factory spaces that produced; none with the Engineer's old effect (P6.1)."""
    return 0 if b.card == Card.ENGINEER and b.cleaned == 0 else b.busy_factories + 0


@kernel
def parks(b):
    """The pollution that parks remove: one for each usable space (P6.1)."""
    return count(of(b.family[Family.PARK]) - unusable(b))


@kernel
def _measure_all(s):
    """All measure at once; whoever reaches 100 is out (P6.1, P6.2)."""
    for p in range(s.rules.players):
        if playing(s, p):
            b = s.borough[p]
            b.pollution_made = pollution_made(s, p)
            b.pollution += b.pollution_made
    for p in range(s.rules.players):
        if playing(s, p) and s.borough[p].pollution >= ELIMINATED_AT:
            s.borough[p].out = s.round_no
    for p in range(s.rules.players):
        if s.borough[p].out == s.round_no:
            _leave_game(s, p)
    if players_in(s) < min(s.rules.players, MIN_PLAYERS):
        enter(s, Phase.OVER)
    else:
        s.part = DYING
        start_turns(s)


@kernel
def _leave_game(s, p):
    """An eliminated player's Tourists go to the reserve, his guests home (P6.2)."""
    for k in range(s.rules.players):
        if k != p:
            there = s.borough[k]
            guests = tourists(s, k, p)
            riding = riders(s, k, p)
            s.reserve[p] += count(guests) + riding
            remove(there.citizens[p], guests)
            remove(there.worked, guests)
            there.riders[p] -= riding
            if playing(s, k):
                send_home(s, p, k)
    modules.leaves_game(s, p)


# -- deaths


@kernel
def highest(s, p):
    """Whether nobody still in has a higher pollution level (P6.3)."""
    for q in range(s.rules.players):
        if playing(s, q) and s.borough[q].pollution > s.borough[p].pollution:
            return False
    return True


@kernel
def deaths_due(s, p):
    """One for each level reached or passed, one for the worst smog; the Clinic prevents one (P6.3)."""
    b = s.borough[p]
    if modules.never_pollutes(s, p):
        return modules.certain_deaths(s)
    n = int(smog(s, p))
    for level in DEATH_LEVELS:
        n += reaches(b, level)
    return n - min(n, saved(s, p))


@kernel
def reaches(b, level):
    """Whether the pollution made this round reached or passed a level (P6.3)."""
    return b.pollution - b.pollution_made < level <= b.pollution


@kernel
def smog(s, p):
    """Whether a citizen dies because the borough is the most polluted of all (P6.3)."""
    return s.round_no >= SMOG_ROUND and s.borough[p].pollution_made > 0 and highest(s, p)


@kernel
def saved(s, p):
    """How many deaths a citizen who worked in the Clinic prevents (P6.3)."""
    working = mine(s, p, p) & of(s.borough[p].worked)
    return CLINIC_SAVES if nonempty(working & at_place(s, p, Place.CLINIC)) else 0


@kernel
def doomed(s):
    """Whom the player may lose: a citizen in the borough, City Hall only when no other is left (P6.4)."""
    p = mover(s)
    b = s.borough[p]
    own = of(b.citizens[p]) - pilgrims(s, p)
    if riders(s, p, p) > 0:
        own |= at_place(s, p, Place.TRAMWAY)
    outside = own - hall(b)
    return outside if nonempty(outside) else own


@kernel
def apply_dies(s, action):
    """Let the citizen die, then ask for his grave."""
    p = mover(s)
    b = s.borough[p]
    space = action - actions.AT
    if has(of(b.citizens[p]), space):
        leave(b, p, space)
    else:
        b.riders[p] -= 1
    s.deaths -= 1
    if nonempty(graves(s)):
        s.ask = Ask.GRAVE
    else:
        s.reserve[p] += 1


@kernel
def graves(s):
    """An empty space, next to an existing cemetery space if any such is free (P6.4)."""
    b = s.borough[mover(s)]
    open_land = empty(b)
    near = open_land & beside(of(b.cemetery))
    return near if nonempty(near) else open_land


@kernel
def apply_grave(s, action):
    """Add a space to the cemetery."""
    b = s.borough[mover(s)]
    add(b.cemetery, at(action - actions.AT))


QUESTIONS = [
    Question(
        Ask.DIES,
        (Phase.POLLUTION,),
        spaces=doomed,
        apply=apply_dies,
        brief=lazy("which citizen dies?"),
        asks=lazy("Which citizen dies of pollution?"),
        help=lazy(
            "One at {levels} pollution, and from round {first} one in the most polluted borough.",
            levels=Listed(DEATH_LEVELS),
            first=SMOG_ROUND,
        ),
        at=lazy("the citizen at {space} dies"),
    ),
    Question(
        Ask.GRAVE,
        (Phase.POLLUTION,),
        spaces=graves,
        apply=apply_grave,
        brief=lazy("where is he buried?"),
        asks=lazy("Where is he buried?"),
        help=lazy("On an empty space, beside the cemetery if there is one."),
        at=lazy("he is buried at {space}"),
    ),
]
