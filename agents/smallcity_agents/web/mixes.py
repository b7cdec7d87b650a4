"""What cannot be played together, in the words of players; Config refuses it in those of developers."""

from collections import Counter
from collections.abc import Iterator

from smallcity_env.config import EDITIONS, MODULES
from smallcity_env.language import _
from smallcity_env.rules.tables import Victory
from smallcity_env.rules.tables.maps import ASIAN
from smallcity_env.rules.tables.maps import NAMES as BOARD_NAMES
from smallcity_env.rules.tables.modules import EXPANSIONS
from smallcity_env.rules.tables.names import MODULE_TITLES, VICTORY_NAMES, board_title

from .forms import NewTable


def impossible(form: NewTable) -> Iterator[str]:
    """A sentence for each mix the rules do not allow (AS1, PC1, G12, G13)."""
    for module in (module for module in MODULES if module in form.modules):
        for other in (other for other in EXPANSIONS[module].needs if other not in form.modules):
            yield _only_with(module, other)
    if "godzillas" not in form.modules:
        if form.stockholm:
            yield _only_with(_("Stockholm: radiation scores"), "godzillas")
        if form.edition != EDITIONS[0]:
            yield _only_with(_("Edition of the godzillas"), "godzillas")
    yield from _cities(form)


def _only_with(what: str, module: str) -> str:
    first, second = (MODULE_TITLES.get(name, name) for name in (what, module))
    return _("“{what}” can only be played with “{module}”.", what=first, module=second)


def _cities(form: NewTable) -> Iterator[str]:
    """Asian boards: with votes only, and each city once."""
    played = Counter(form.boards * (len(form.players) if len(form.boards) == 1 else 1))
    cities = {board_title(board): played[name] for board, name in BOARD_NAMES.items() if board in ASIAN}
    victory = VICTORY_NAMES[Victory.VOTES]
    if any(cities.values()) and form.victory != Victory.VOTES.name.lower():
        yield _("Asian cities allow only the victory condition “{victory}”.", victory=victory)
    for city in (city for city, n in cities.items() if n > 1):
        yield _("{city} can only be played by one player.", city=city)
