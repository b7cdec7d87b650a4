"""New promise cards: special promises for every victory condition (PC1, section 13)."""

from ...language import lazy
from ..tables.declare import Expansion, PromiseCard

EXPANSION = Expansion(
    rules="PC1 [S]",
    needs=("new_buildings",),
    promises=(
        PromiseCard(39, lazy("Hub"), ("airport >= 1", "factories-3 >= 1")),
        PromiseCard(40, lazy("Trust"), ("bank >= 1", "commercial-spaces >= 6")),
        PromiseCard(41, lazy("Zero Waste"), ("recycling >= 1", "pollution <= 30")),
        PromiseCard(42, lazy("Terminus"), ("tramway >= 1", "tram-riders >= 3")),
    ),
)
ABOUT = lazy("Four more special promises, 39 to 42, for the advanced game.")
