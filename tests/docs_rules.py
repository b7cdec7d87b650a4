"""The numbers in docs/rules.md are those of the tables.

python -m tests.docs_rules    # after a change of a number: writes it into the sentences and tables
"""

import re
from pathlib import Path
from typing import Any, Final

from smallcity_env.rules.numbers import IN_FORCE
from smallcity_env.rules.tables import Material, in_force  # noqa: F401  # declares every number
from smallcity_env.rules.tables.promises import BY_NUMBER, Metric, Need
from smallcity_env.rules.tables.tiles import FEWER, PER_PLAYER

PAGE: Final = Path(__file__).parents[1] / "docs" / "rules.md"
SPELLED: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
METRICS: Final = {  # what a promise counts; one that asks for a building names it
    Metric.POLLUTION: "pollution", Metric.USABLE_PARKS: "usable park spaces", Metric.SCHOOL: "School",
    Metric.LIBRARY: "Library", Metric.HOMES: "residential spaces", Metric.MONEY: "money",
    Metric.LIVING: "living citizens in the borough", Metric.FACTORY_SPACES: "factory spaces",
    Metric.COMMERCIAL_SPACES: "commercial spaces", Metric.CULTURAL: "cultural buildings",
    Metric.MATERIALS: "stored materials", Metric.GRAVES: "cemetery spaces",
    Metric.TILE_SPACES: "tile spaces", Metric.VOTES: "votes before scoring", Metric.UNIVERSITY: "University",
    Metric.MUSEUM_GUESTS: "living citizens in the Museum", Metric.POLICE: "Police Station",
    Metric.FIRE: "Fire Station", Metric.AIRPORT: "Airport", Metric.BANK: "Bank",
    Metric.RECYCLING: "Recycling Center", Metric.TRAMWAY: "Tramway Station",
    Metric.FACTORIES_3: "a level-3 Factory", Metric.TRAM_RIDERS: "citizens on the tram",
}  # fmt: skip

# What the rules say, with the key of each number and how it is written; `*` is anything within a cell.
SENTENCES: Final = (
    "z is {zone.start} at the start",
    *(
        f"| {name} * | ${{tiles.{key}.rate}} per space [*] "
        f"| {{tiles.{key}.supply}} [R], {{tiles.{key}.supply:sum}} in all"
        for name, key in (
            ("Residential 1/2/3/4/5 |", "residential"), ("Commercial 1/2/3/4 |", "commercial"),
            ("Factory 1/2/3 |", "factory"), ("Park 1/2/3 |", "park"),
        )
    ),
    "| Warehouse | * | {tiles.warehouse:price}, or free (P2.9) [R] | {tiles.warehouse.supply:supply} [P]; "
    "at most {limits.warehouses} a player [R]",
    *(
        f"| {name} | * | {{tiles.{key}:price}} [R] | {{tiles.{key}.supply:supply}} [P] |"
        for name, key in (("Refinery", "refinery"), ("Harbor", "harbor"))
    ),
    *(
        f"| {name} | * | {{tiles.{key}:price}} [R] | +{{tiles.{key}.gain}} [R] "
        f"| {{tiles.{key}.supply:supply}} [P] | {rooms} |"
        for name, key, rooms in (
            ("School", "school", "0"), ("Library", "library", "0"),
            ("Museum", "museum", "{tiles.museum.rooms}"), ("Metro Station", "metro", "0"),
            ("Clinic", "clinic", "{tiles.clinic.rooms}"),
            ("University", "university", "{tiles.university.rooms}"),
        )
    ),
    "| Recycling Center | * | {tiles.recycling:price} [S] | {tiles.recycling.supply:supply} [S] "
    "| {tiles.recycling.rooms} |",
    "at most {terrain.stones} stones [S]",
    "**C4** [S] {godzillas.markers} Radiation markers; godzillas {godzillas.figures} for 1/2/3/4 players",
    "Every colour has {citizens.all} citizens at the start [P] and {citizens.reserve} more",
    "chooses a difficulty [R], {promises.worth:or} [P], and draws",
    "Money by turn order: {money.start:$}; with the Power Plant module {money.start_power_plants:$} [S].",
    "enlarge the zone by one size for ${zone.grow} [R]",
    "not influenced by a residential tile; {limits:factories}.",
    "to any other borough, and {limits.metro_tourists:word} to each",
    "the host gets ${money.tourist} for each Tourist who worked in the borough, "
    "or ${money.museum_tourist} for one in the Museum",
    "| a | ${money.shop} [R] |",
    "for money: wood ${money.trade.0}, stone ${money.trade.1}, metal ${money.trade.2} [S] |",
    "| c | {votes.shop} votes [R] |",
    "for votes: wood {votes.trade.0}, stone {votes.trade.1}, metal {votes.trade.2} [S] |",
    "residential level n gives {votes.home:level} [R], the University {votes.university} [R]",
    "At {pollution.eliminated} a player is eliminated",
    "each of the levels {pollution.deaths:,} reached",
    "from round {pollution.smog_round} one more if pollution was made",
    "in your Clinic, {pollution.clinic:word} death* prevented",
    "Column 1/2/3/4 costs {council.cost}, paid",
    "| 1 Finance | {council.finance:$ | } | P7.4 |",
    "| 2 Supplies | {council.supplies: | } | P7.4 |",
    "ends after round {rounds.all} ({rounds.power_plants} with the Power Plant module)",
    "plus its {promises.worth}; broken [R]: minus {promises.broken}, "
    "a special one minus {promises.special_broken}. "
    "A fulfilled special promise is plus {promises.special_worth}.",
    "| score | below {scores.solo.0} | {scores.solo: | } | |---",
    "money + {scores.stored} a stored wood/stone/metal + {scores.commercial} a commercial space "
    "+ {scores.factory} a factory space",
    "| Population | {scores.citizen} a living citizen in the borough + {scores.home} a residential space",
    "| Culture | {scores.cultural} a cultural building + {scores.service} a service building "
    "+ {scores.real} for each of",
    *(
        f"| {n} | {BY_NUMBER[n].name} | {{promises.{n}.pile:worth}} | {{promises.{n}.needs:needs}} |"
        for n in range(1, 17) if n != 8
    ),
    "| 8 | {promises.square} x {promises.square} [S name] | {promises.8.pile:worth} "
    "| {promises.8.needs:needs} (river spaces",
    f"| 17-20 | * Ballot {' / '.join(f'{{promises.{n}.needs:bound}}' for n in range(17, 21))} "
    "| {promises.special_worth} |",
    *(
        f"| {n}-{n + 3} | special, * | {{promises.special_worth}} | "
        + " / ".join(f"{{promises.{k}.needs:needs}}" for k in range(n, n + 4)) + " |"
        for n in (21, 25, 29)
    ),
    f"| 33-36 | * | {'/'.join(f'{{promises.{n}.pile:worth}}' for n in range(33, 37))} [R] |",
    "| 37, 38 | * | {promises.37.pile:worth} / {promises.38.pile:worth} [R] "
    "| >= {promises.37.needs:bound} plants / >= {promises.38.needs:bound} powered columns |",
    "| 39-42 | new * | {promises.special_worth} | "
    + " / ".join(f"{{promises.{k}.needs:needs}}" for k in range(39, 43)) + " |",
)  # fmt: skip
SLOT: Final = re.compile(r"\{([\w.-]+)(?::([^}]+))?\}")


def page(text: str) -> str:
    """The rules with the numbers in force; LookupError for a sentence that is not there once."""
    for sentence in SENTENCES:
        pattern = re.compile(_pattern(sentence))
        found = list(pattern.finditer(text))
        if len(found) != 1:
            raise LookupError(f"docs/rules.md has {len(found)} times: {sentence}")
        for n, (key, style) in reversed(list(enumerate(SLOT.findall(sentence), start=1))):
            value = written(key, style)
            if " ".join(found[0][n].split()) != value:
                text = text[: found[0].start(n)] + value + text[found[0].end(n) :]
    return text


def _pattern(sentence: str) -> str:
    """A sentence as a pattern: slots and `*` are open, and lines may break at any blank."""
    parts = re.split(r"(\{[^}]+\}|\*| )", sentence)
    open_parts = {"*": r"[^|\n]*?", " ": r"\s+"}
    return "".join(
        r"([^.;]+?)" if SLOT.fullmatch(part) else open_parts.get(part, re.escape(part)) for part in parts
    )


def written(key: str, style: str) -> str:
    """A number as the rules write it."""
    match style:
        case "price":
            return price(key)
        case "factories":
            return factories()
    value: Any = IN_FORCE.get(key)
    if value is None:  # one of several: council.finance.0
        whole, _, index = key.rpartition(".")
        value = IN_FORCE[whole][int(index)]
        return _word(whole, value)
    match style:
        case "sum":
            return str(sum(value))
        case "supply":
            return {PER_PLAYER: "1 a player", FEWER: "players-1, at least 1"}.get(value, str(value))
        case "$":
            return ", ".join(f"${n}" for n in value)
        case "$ | ":
            return " | ".join(f"${n}" for n in value)
        case "or":
            return f"{', '.join(map(str, value[:-1]))} or {value[-1]}"
        case "word":
            return SPELLED[value]
        case "level":
            return "n votes" if value == (1, 2, 3, 4, 5) else "/".join(map(str, value))
        case "worth":
            return str(IN_FORCE["promises.worth"][value - 1])
        case "needs":
            return " and ".join(map(condition, value))
        case "bound":
            return str(value[0].low)
    if not isinstance(value, tuple):
        return str(value)
    return (f"{style} " if style == "," else style or "/").join(_word(key, n) for n in value)


def _word(key: str, value: int) -> str:
    """A number, or the material it stands for."""
    return Material(value).name.lower() if key == "council.supplies" else str(value)


def price(tile: str) -> str:
    """`$3, 5 votes, wood, 2 stone`."""
    cost = {field: IN_FORCE[f"{tile}.{field}"] for field in ("money", "votes", "materials")}
    parts = [f"${cost['money']}"] * (cost["money"] > 0) + [f"{cost['votes']} votes"] * (cost["votes"] > 0)
    several = [n for n in cost["materials"] if n]
    for material, n in zip(Material, cost["materials"], strict=True):
        name = material.name.lower()
        parts += [f"{n} {name}" if n > 1 or len(several) == 1 else name] * (n > 0)
    return ", ".join(parts) or "free"


def factories() -> str:
    """What the levels of a Factory need beside them (P2.8)."""
    needed = zip(IN_FORCE["limits.refineries"], IN_FORCE["limits.harbors"], strict=True)
    names = [
        " and ".join(name for n, name in zip(both, ("a Refinery", "a Harbor"), strict=True) if n)
        for both in needed
    ]
    levels = [f"level {level} by {what}" for level, what in enumerate(names, start=1) if what]
    return ", ".join(levels).replace(" by", " is influenced by", 1) or "no level needs a Refinery or a Harbor"


def condition(need: Need) -> str:
    """One thing a promise asks for, as section 13 writes it."""
    least = need.low > 0
    bound = need.low if least else need.high
    match need.metric:
        case Metric.GAPS:
            square = " x ".join([str(IN_FORCE["promises.square"])] * 2)
            if bound:
                return f"at most {bound} spaces of the zone in the first {square} have no tile"
            return f"every space of the zone in the first {square} has a tile"
        case Metric.HIGHEST_HOME if least:
            return f"a residential tile of level {bound if bound == 5 else f'>= {bound}'}"
        case Metric.TOWERS if least:
            return f"{SPELLED[bound]} residential tiles of level >= {IN_FORCE['promises.tower']}"
        case Metric.GRAVES if bound == 0:
            return "no cemetery"
    name = METRICS[need.metric]
    return name if least and bound == 1 else f"{name} {'>=' if least else '<='} {bound}"


def told() -> set[str]:
    """The keys of all numbers that a sentence tells."""
    keys = {key for sentence in SENTENCES for key, _ in SLOT.findall(sentence)}
    keys |= {key.rpartition(".")[0] for key in keys if key[-1].isdigit()}
    keys |= {f"{tile}.{field}" for tile in keys for field in ("money", "votes", "materials")}
    return keys | {"limits.refineries", "limits.harbors", "promises.tower"}


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
