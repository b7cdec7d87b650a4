"""One game is one record: RULES, BOROUGH and STATE. A clone is a copy of bytes, a save is the bytes.

Field names must not be methods of np.record (tested), inner blocks are aligned plain dtypes and
only STATE is a record. There are no gaps between fields, for numpy would not copy them: where one would be,
`_block` puts a field of its own. Whatever is counted or calculated with is i2: a byte would wrap, silently
in compiled code. A set of spaces is two words (see spaces.py).
"""

from typing import Any, Final

import numpy as np

from .tables import MATERIALS, MODULES, ROWS, SEATS, SPACES, UPGRADING
from .tables.cards import ALL_CARDS
from .tables.modules import FIELDS
from .tables.tiles import KINDS

_BYTE, _COUNT, _SPACES = "u1", "i2", "u8"
_SET: Final = (_SPACES, (2,))
WRITTEN: Final = {  # the names of fields in saves, texts and observations, where they differ
    "just_built": "fresh",
    "pollution_made": "made",
    "busy_factories": "smoke",
    "warehouse_due": "brings",
    "architect_used": "cultured",
}
PADDING: Final = "padding"  # how the names of fields begin that fill a gap


def _block(fields: list[Any]) -> "np.dtype[Any]":
    """An aligned block of these fields, with a field of bytes wherever it would have a gap."""
    full: list[Any] = []
    used = 0
    for field in fields:
        alone = np.dtype([field], align=True)
        if gap := -used % alone.alignment:
            full.append((f"{PADDING}_{field[0]}", _BYTE, (gap,)))
        full.append(field)
        used += gap + alone.itemsize
    gap = np.dtype(full, align=True).itemsize - used
    return np.dtype([*full, (PADDING, _BYTE, (gap,))] if gap else full, align=True)


RULES = _block(
    [
        ("players", _COUNT),
        ("rounds", _COUNT),
        ("victory", _COUNT),  # Victory
        ("advanced", _COUNT),
        ("stockholm", _COUNT),
        ("godzillas_2016", _COUNT),  # G13
        ("board", _COUNT, (SEATS,)),  # Board of each seat
        *((module, _COUNT) for module in MODULES),  # 1: with this module
    ]
)

BOROUGH = _block(
    [
        # sets of spaces
        ("zone", *_SET),  # the constructible zone (T1)
        ("tiled", *_SET),  # under a tile
        ("firsts", *_SET),  # the first space of every tile, in reading order
        ("just_built", *_SET),  # the first space of tiles built in this Phase 2 (P2.2)
        ("family", _SPACES, (UPGRADING, 2)),  # under tiles of each family
        ("citizens", _SPACES, (SEATS, 2)),  # by colour; those on a Tramway Station are in `riders`
        ("worked", *_SET),  # citizens who worked this round (T6)
        ("materials", _SPACES, (MATERIALS, 2)),
        ("cemetery", *_SET),
        ("markers", *_SET),  # Radiation
        ("godzilla", *_SET),
        ("growing", *_SET),  # AS5: parks that grow at the end of this Phase 3
        ("growing_later", *_SET),  # AS5: ... of the next round's
        ("mayor", *_SET),  # his street (P1.1) or his two spaces of City Hall (M1)
        # by space
        ("first", _BYTE, (SPACES,)),  # the first space of the tile that covers this one
        ("kind", _BYTE, (SPACES,)),  # at the first space: Kind of the tile
        ("way", _BYTE, (SPACES,)),  # at the first space: which way round, an index of shapes.WAYS
        # counts
        ("built", _BYTE, (KINDS,)),  # tiles standing, by kind
        ("money", _COUNT),
        ("votes", _COUNT),
        ("pollution", _COUNT),
        ("pollution_made", _COUNT),  # pollution made this round (P6.1)
        ("busy_factories", _COUNT),  # factory spaces that produced this round
        ("career", _COUNT),  # citizens in the Career Center
        ("zone_side", _COUNT),  # z: the zone lies in the z x z square
        ("hall", _COUNT),  # the first space of City Hall
        ("out", _COUNT),  # the round of elimination, 0: still in
        ("card", _COUNT),  # Card taken this round
        ("council", _BYTE, (ROWS,)),  # the column of a disc in each row, 0: none
        ("difficulty", _COUNT),  # index of DIFFICULTIES, open
        ("promise", _COUNT),  # number of the secret promise
        ("special", _COUNT),  # number of the secret special promise
        # modules
        ("cleaned", _COUNT),  # G11: the Engineer cleaned instead of his old effect
        ("doctor", _COUNT),  # D2: a Doctor stands in the Clinic
        ("riders", _COUNT, (SEATS,)),  # NB4: people on the Tramway Station, by colour
        ("flood", _COUNT),  # AS7: money of this round that cannot pay for builds
        ("powered", _COUNT),  # PP2: one bit for each column
        ("plants", _COUNT, (3,)),  # PP2: plants built, by level
        *((field.name, _COUNT) for field in FIELDS),
    ]
)

_FIELDS = _block(
    [
        ("stream", "u8"),  # chance
        ("borough", BOROUGH, (SEATS,)),
        ("shown", BOROUGH, (SEATS,)),  # what others see while all build in secret (P2.1, SU2)
        ("waiting", _SPACES, (SEATS, 2)),
        ("free", _SPACES, (SEATS, 2)),  # people spaces open to this player in each borough (P3.1)
        ("stones", _SPACES, (SEATS, 2)),  # TB3: factory spaces whose mountain stone is due
        ("start", *_SET),  # the start of the walk (G6); after the first step, what of it gets no marker (G8)
        # the game
        ("rules", RULES),
        ("round_no", _COUNT),
        ("phase", _COUNT),  # Phase
        ("ask", _COUNT),  # Ask: the only truth about what is being decided
        ("seat", _COUNT),  # ... and by whom
        ("host", _COUNT),  # seat the Mayor visits
        ("next_host", _COUNT),  # seat + 1 of who took card A, 0: nobody
        ("part", _COUNT),  # part of the phase, for those done in several rounds of turns
        ("turn", _COUNT),  # place in turn order of the player whose turn it is, -1: before the first
        ("stage", _COUNT),  # step of that turn
        ("supply", _COUNT, (KINDS,)),
        ("took", _COUNT, (SEATS, KINDS)),  # from the supply, in secret, less what was given back (P2.1)
        ("reserve", _COUNT, (SEATS,)),  # citizens out of play, by colour
        ("markers", _COUNT),  # in the supply
        ("godzillas", _COUNT),
        ("doctors", _COUNT),
        ("circle", _COUNT, (ALL_CARDS + 1,)),  # 1: the card lies in the circle
        # the build under way
        ("kind", _COUNT),  # Kind asked for, NONE: no build under way
        ("upgrade", _COUNT),
        ("anchor", _COUNT),
        ("council_size", _COUNT),  # spaces of a free council build (P7.5), 0: a paid one
        ("warehouse_due", _COUNT),  # first space + 1 of a tile whose Warehouse is due (P2.9)
        ("builds", _COUNT),  # left in this Phase 2
        ("enlarged", _COUNT),
        ("architect_used", _COUNT),  # the Architect's building has been built
        # the council advance under way
        ("council_row", _COUNT),
        ("tourism_column", _COUNT),  # D2: whose citizens a Doctor may be one of
        ("advances", _COUNT),  # paid ones left
        ("free_advances", _COUNT),  # Big Ben's (RB1)
        # people on the move, and spaces still to be asked about
        ("waiting_riders", _COUNT, (SEATS,)),
        ("sent", _COUNT, (SEATS,)),  # Tourists sent to each borough this round
        ("asked_borough", _COUNT),  # the borough of the citizen or space being asked about
        ("space", _COUNT),  # ... and its space
        ("destination", _COUNT),  # the borough a Tourist goes to
        # products to be stored
        ("goods", _COUNT, (MATERIALS,)),
        ("goods_abroad", _COUNT, (SEATS, MATERIALS)),  # a Tourist's, by the borough they were made in
        ("second", _COUNT, (SEATS, MATERIALS)),  # NB1: of those, the ones with a second for the host
        ("product", _COUNT),  # the Material being stored or traded
        ("product_from", _COUNT),  # seat + 1 of the borough a Tourist made it in, 0: own
        ("deaths", _COUNT),  # due to the player whose turn it is
        # Godzillas
        ("die", _COUNT, (SEATS,)),
        ("hosts", _COUNT, (SEATS,)),
        ("stayed", _COUNT),  # G4, solo: it never left since the round before
        ("steps_left", _COUNT),  # of the walk
        ("to_clean", _COUNT),  # G11: markers the Engineer still cleans
        ("heading", _COUNT),  # Way
        ("head", _COUNT),
        ("tail", _COUNT),
        # Ulaanbaatar
        ("pilgrim", _COUNT),  # space + 1 of the Pilgrim, 0: none
        ("pilgrim_of", _COUNT),  # his colour
        ("sender", _COUNT),  # seat + 1 of who sent the last one
        ("returned", _COUNT),  # where he came back to: 1 City Hall, 2 Career Center
    ]
)
STATE = np.dtype((np.record, _FIELDS))
STATE_BYTES: Final = STATE.itemsize
