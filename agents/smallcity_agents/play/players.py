"""What players are called: You, Level 3, a name of their own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from smallcity_env.language import _, lazy

HUMAN: Final = "human"
LEVEL: Final = "level:"
COLOURS: Final = (lazy("Red"), lazy("Blue"), lazy("Yellow"), lazy("Violet"))  # of the pieces of each seat


def player_names(names: Sequence[str], you: int | None = None, own: Mapping[int, str] = {}) -> list[str]:
    """The players as a seat knows them; `own` are the names people have given themselves."""
    called = [own.get(p) or _called(name, p) for p, name in enumerate(names)]
    same = Counter(called)
    told = [f"{name} {_colour(p)}" if same[name] > 1 else name for p, name in enumerate(called)]
    return [_("You") if p == you else name for p, name in enumerate(told)]


def _called(name: str, p: int) -> str:
    if name == HUMAN or not name:
        return _colour(p)
    if name.startswith(LEVEL):
        return _("Level {level}", level=name.removeprefix(LEVEL))
    return name[:1].upper() + name[1:]


def _colour(p: int) -> str:
    """What a seat is called on its own, as the pieces are drawn."""
    return str(COLOURS[p]) if p < len(COLOURS) else _("Player {number}", number=p + 1)
