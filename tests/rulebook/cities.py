"""The Asian boards as drawn in the rules, and boroughs drawn on them."""

from smallcity_env.rules.actions import space_number
from smallcity_env.rules.tables import SIDE

MAPS = {
    "shanghai": """
    .  .  .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    Pt Pt .  .  .  .  .  .  #  #
    Pt Pt .  .  .  .  .  .  #  #
    Pt Pt .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    #  #  #  #  #  #  #  #  #  #
    #  #  #  #  #  #  #  #  #  #
    """,
    "seoul": """
    .  .  .  .  .  .  .  .  #  #
    .  C1 .  .  .  .  C1 .  #  #
    .  .  .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    .  C1 .  .  .  .  C1 .  #  #
    .  .  .  .  .  .  .  .  #  #
    #  #  #  #  #  #  #  #  #  #
    #  #  #  #  #  #  #  #  #  #
    """,
    "hong-kong": """
    .  .  .  .  .  .  .  .  .  #
    .  .  .  .  .  .  .  .  .  #
    .  .  .  .  .  C2 C2 .  .  #
    .  .  .  .  .  .  .  .  .  #
    #  #  #  #  #  #  #  #  #  #
    #  #  #  #  #  #  #  #  #  #
    .  .  .  .  .  .  .  .  .  #
    .  .  F3 F3 F3 .  .  .  .  #
    .  .  .  .  .  .  .  .  .  #
    .  .  .  .  .  .  .  .  .  #
    """,
    "tokyo": """
    .  .  .  .  .  .  .  .  #  #
    .  R1 .  .  .  .  R1 .  #  #
    .  .  .  B  B  .  .  .  #  #
    .  .  B  B  B  B  .  .  #  #
    .  .  B  B  B  B  .  .  #  #
    .  .  .  B  B  .  .  .  #  #
    .  R1 .  .  .  .  R1 .  #  #
    .  .  .  .  .  .  .  .  #  #
    #  #  #  #  #  #  #  #  #  #
    #  #  #  #  #  #  #  #  #  #
    """,
    "beijing": """
    .  .  .  .    .    .  .
    .  .  .  .    .    .  .
    .  .  .  .    .    .  .
    .  .  .  Hl:0 Hl:0 .  .
    .  .  .  Hl:0 Hl   .  .
    .  .  .  .    .    .  .
    .  .  .  .    .    .  .
    """,
    "bangkok": """
    .  .  .  f  ~  f  .  .  .  #
    .  .  .  f  ~  f  .  .  .  #
    .  .  f  f  ~  f  .  .  .  #
    .  .  f  ~  ~  f  .  .  .  #
    .  .  f  ~  f  f  .  .  .  #
    .  .  f  ~  f  .  .  .  .  #
    .  .  f  ~  f  .  .  .  .  #
    .  .  f  ~  ~  f  .  .  .  #
    .  .  f  f  ~  f  .  .  .  #
    #  #  #  #  #  #  #  #  #  #
    """,
    "delhi": """
    .  .  .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    .  .  E  E  E  E  .  .  #  #
    .  .  E  E  E  E  .  .  #  #
    .  .  E  E  E  E  .  .  #  #
    .  .  E  E  E  E  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    .  .  .  .  .  .  .  .  #  #
    #  #  #  #  #  #  #  #  #  #
    #  #  #  #  #  #  #  #  #  #
    """,
    "ulaanbaatar": """
    .  .  .  .    .    .  .  .  #  #
    .  .  .  .    .    .  Mo .  #  #
    .  .  .  .    .    .  .  .  #  #
    .  .  .  Hl:0 Hl:0 .  .  .  #  #
    .  .  .  Hl:0 Hl   .  .  .  #  #
    .  .  .  .    .    .  .  .  #  #
    .  .  .  .    .    .  .  .  #  #
    .  .  .  .    .    .  .  .  #  #
    #  #  #  #    #    #  #  #  #  #
    #  #  #  #    #    #  #  #  #  #
    """,
}


def drawn(city: str, **words: str) -> str:
    """The map of a city, its City Hall empty, with other words on some spaces: drawn("seoul", A1="R1:0")."""
    rows = [row.split() for row in MAPS[city].replace(":0", "").strip().splitlines()]
    for space, word in words.items():
        row, col = divmod(space_number(space), SIDE)
        rows[row][col] = word
    return "\n".join(" ".join(row) for row in rows)


def hall(space: str = "A1", *on: str) -> dict[str, str]:
    """City Hall with its first space here, and what is on its spaces: drawn("seoul", **hall("C3", "w"))."""
    col, row = space[0], int(space[1:])
    names = [f"{c}{r}" for r in (row, row + 1) for c in (col, chr(ord(col) + 1))]
    things = [f":{thing}" if thing else "" for thing in on] + [""] * len(names)
    return {name: f"Hl{thing}" for name, thing in zip(names, things, strict=False)}
