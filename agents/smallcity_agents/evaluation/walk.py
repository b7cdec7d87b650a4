"""Value the walks of a godzilla by their damage (section 14), and markers to clean."""

from smallcity_env.library import kernel
from smallcity_env.rules.borough import cells, crowd, kind_at, tile_at
from smallcity_env.rules.modules.trample import HALF_TURN, WAYS, ahead, enclosed, may_turn
from smallcity_env.rules.spaces import at, each, first, has, nonempty, of, overlap
from smallcity_env.rules.tables import MATERIALS, SPACES, Family
from smallcity_env.rules.tables.tiles import TILES, Kind


@kernel
def damage(s, p, space, w, f):
    """The loss on a space a godzilla steps on: people, materials, the use of the space."""
    b = s.borough[p]
    here = at(space)
    loss = 0.0
    if overlap(of(b.citizens[p]), here):
        loss += w.death + f.from_work
    elif overlap(crowd(b), here):
        loss -= w.host
    for material in range(MATERIALS):
        if overlap(of(b.materials[material]), here):
            loss += f.good[material]
    if not has(of(b.markers), space):
        loss += ruin(s, b, space, w) * f.left - s.rules.stockholm
    return loss


@kernel
def ruin(s, b, space, w):
    """The loss of a ruined space per round."""
    kind = kind_at(b, space)
    if kind == Kind.NONE:
        return 0.0
    family = TILES[kind].family
    if family == Family.RESIDENTIAL:
        return w.ruin * w.ruin_home * TILES[kind].level
    if family == Family.COMMERCIAL or TILES[kind].public != 0:
        return w.ruin * w.ruin_home
    return w.ruin


@kernel
def _straight(s, p, head, heading, steps, w, f, trail):
    """The damage of the next steps while they go straight."""
    b = s.borough[p]
    loss = 0.0
    while steps > 0 and overlap(ahead(head, heading), of(b.zone)):
        head = first(ahead(head, heading))
        if not has(trail, head):
            loss += damage(s, p, head, w, f)
        steps -= 1
    return loss


@kernel
def _turn(s, p, head, heading, steps, w, f, trail):
    """The cheapest turn at the edge; -1 if there is none."""
    best, least = -1, 0.0
    b = s.borough[p]
    for way in range(WAYS):
        if may_turn(b, head, heading, way, of(b.markers) | trail):
            loss = _straight(s, p, head, way, steps, w, f, trail)
            if best < 0 or loss < least:
                best, least = way, loss
    return best


@kernel
def walk(s, p, head, heading, steps, w, f):
    """The damage of a whole walk from a space, with the turns it must make (G7)."""
    b = s.borough[p]
    loss = 0.0
    trail = at(head)
    tail = head
    while steps > 0:
        if not overlap(ahead(head, heading), of(b.zone)):
            way = _turn(s, p, head, heading, steps, w, f, trail)
            if way < 0 and enclosed(b, head, tail):
                return loss
            if way < 0:
                head, tail, heading = tail, head, (heading + HALF_TURN) % WAYS
                continue
            heading = way
        tail = head
        head = first(ahead(head, heading))
        if not has(trail, head):
            loss += damage(s, p, head, w, f)
        trail |= at(head)
        steps -= 1
    return loss


@kernel
def way_out(s, p, start, space, steps, w, f):
    """The cheapest walk that leaves the start by a space."""
    b = s.borough[p]
    least = SPACES + 0.0
    for way in range(WAYS):
        if overlap(ahead(space, way), of(b.zone) - start):
            least = min(least, walk(s, p, space, way, steps, w, f))
    return least


@kernel
def _cheapest(s, p, start, steps, w, f):
    """The cheapest walk from a start."""
    least = SPACES + 0.0
    for space in each(start):
        least = min(least, way_out(s, p, start, space, steps, w, f))
    return least if least < SPACES else 0.0


@kernel
def start(b, spaces):
    """The tile both spaces lie on, or the spaces themselves (G6)."""
    t = first(spaces)
    if kind_at(b, t) != Kind.NONE:
        whole = cells(b, tile_at(b, t))
        if not nonempty(spaces - whole):
            return whole
    return spaces


@kernel
def arrival(s, p, space, start, w, f):
    """The damage where it appears, and on the cheapest walk from its start."""
    return damage(s, p, space, w, f) + _cheapest(s, p, start, s.die[p], w, f)


@kernel
def beside(s, p, space, w, f):
    """The damage of its second space."""
    b = s.borough[p]
    from_both = start(b, at(s.space) | at(space)) if nonempty(of(b.markers)) else at(s.space)
    return arrival(s, p, space, from_both, w, f)
