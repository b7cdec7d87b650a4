"""Materials: where they lie, where there is room, which one is taken (T7, P4.3)."""

from ..library import kernel
from .borough import hall, hall_room, spaces_of, stored, unusable
from .spaces import NOWHERE, add, at, first, nonempty, of, overlap, put, remove
from .spaces import count as count_spaces
from .tables import MATERIALS, Store
from .tables.tiles import Kind


@kernel
def stock(b, material):
    """The number of a material in the borough."""
    return count_spaces(of(b.materials[material]))


@kernel
def warehouse_room(b):
    """Free usable warehouse spaces; the Shanghai port's only when no warehouse has one (T7)."""
    taken = stored(b) | unusable(b)
    room = spaces_of(b, Kind.WAREHOUSE) - taken
    if nonempty(room):
        return room
    return spaces_of(b, Kind.PORT) - taken


@kernel
def warehouse_count(b):
    """The number of materials that warehouses and the port can still take."""
    both_kinds = spaces_of(b, Kind.WAREHOUSE) | spaces_of(b, Kind.PORT)
    return count_spaces(both_kinds - (stored(b) | unusable(b)))


@kernel
def room(b):
    """The number of materials the borough can still store."""
    return warehouse_count(b) + count_spaces(hall_room(b))


@kernel
def put_on(b, material, space):
    """Put a material on a space."""
    add(b.materials[material], at(space))


@kernel
def store(b, material, where):
    """Store a product in City Hall or in a warehouse: the first free space (T7)."""
    if where == Store.CITY_HALL:
        put_on(b, material, first(hall_room(b)))
    else:
        put_on(b, material, first(warehouse_room(b)))


@kernel
def _preferred(b, lying, covered):
    """Of the spaces where a material lies, those it is taken from first (T7)."""
    if overlap(lying, covered):
        return lying & covered
    plain = lying - of(b.tiled)
    if nonempty(plain):
        return plain
    if overlap(lying, hall(b)):
        return lying & hall(b)
    warehouses = spaces_of(b, Kind.WAREHOUSE)
    if overlap(lying, warehouses):
        return lying & warehouses
    return lying


@kernel
def take(b, material, covered):
    """Pay one material as a cost; those about to be covered go first (T7)."""
    lying = of(b.materials[material])
    put(b.materials[material], lying - at(first(_preferred(b, lying, covered))))


@kernel
def kept_in(b, material, where):
    """The spaces of one kind of store where a material lies (T7)."""
    lying = of(b.materials[material])
    if where == Store.PLAIN:
        return lying - of(b.tiled)
    if where == Store.CITY_HALL:
        return lying & hall(b)
    return (lying & of(b.tiled)) - hall(b)


@kernel
def take_from(b, material, where):
    """Take one material to trade from the kind of store the player chose (T7)."""
    space = first(_preferred(b, kept_in(b, material, where), NOWHERE))
    remove(b.materials[material], at(space))


@kernel
def lose(b, spaces):
    """Discard the materials on these spaces (G9)."""
    for material in range(MATERIALS):
        remove(b.materials[material], spaces)
