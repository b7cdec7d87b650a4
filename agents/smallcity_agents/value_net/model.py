"""Load, save and apply value nets in Python."""

import itertools
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env import arguments, batch
from smallcity_env.batch import Mask, States
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS

from .. import AgentError
from ..evaluation.schema import WEIGHT_NAMES
from ..evaluation.weights import ROW_BY_PLAYERS, row, search_weights
from ..names import Names, fit
from ..net_file import NetFile, Shapes, width
from .forward import CALIBRATED, NET, OUTPUTS, SCORE, STRENGTH, Floats, ValueNet, evaluate_all, new_scratch
from .layout import NAMES
from .priors import write_priors

VALUE_NET: Final = "value_net"  # names the default net
SHIPPED: Final = Path(__file__).parents[1] / "data" / "value_net.npz"
CALIBRATION: Final = "paces"  # what files call it
TABLES: Final = ("codes", "numbers", "answers")  # of a row for each name; stored as float16


class Forecast(NamedTuple):
    """What the net expects of each seat."""

    payoffs: Floats  # (n, SEATS): 0 to 1, as a search values the end of a game
    scores: Floats  # (n, SEATS): final scores
    places: Floats  # (n, SEATS, SEATS): [game, seat, k] the chance to come in k-th, from 0


def forecast(states: States, net: ValueNet) -> Forecast:
    """Evaluate determinised games, as `batch.fork` makes them."""
    states = arguments.games(states, written=False)
    arguments.seats(0, states)  # every record has players
    outputs = np.zeros((len(states), SEATS, OUTPUTS), np.float32)
    payoffs = np.zeros((len(states), SEATS), np.float32)
    evaluate_all(states, net, new_scratch(net), outputs, payoffs)
    places = _places(outputs[:, :, STRENGTH], states["rules"]["players"])
    return Forecast(payoffs, outputs[:, :, SCORE], places)


def priors(
    states: States, seats: npt.ArrayLike, legal: Mask, net: ValueNet, weights: Any = None
) -> npt.NDArray[np.float64]:
    """Logits of the legal answers (n, ACTIONS) to determinised games; rows of greedy's weights by players."""
    states = arguments.games(states, written=False)
    asked, mask = arguments.seats(seats, states), arguments.masks(legal, len(states), written=False)
    if (mask > batch.masks(states)).any():
        raise AgentError("the masks are those of other games: they mark illegal answers")
    logits, rows = np.zeros((len(states), ACTIONS)), ROW_BY_PLAYERS[states["rules"]["players"]]
    known = search_weights() if weights is None else weights
    write_priors(states, asked, rows, known, mask, net, new_scratch(net), logits)
    return logits


def _places(strengths: Floats, players: npt.NDArray[np.integer[Any]]) -> Floats:
    """The chances of each place by Plackett and Luce: place after place is drawn by exp(strength)."""
    chances = np.zeros((*strengths.shape, SEATS), np.float32)
    for n in range(1, SEATS + 1):
        rows = np.flatnonzero(players == n)
        own = strengths[rows, :n].astype(np.float64)
        shares = np.exp(own - own.max(axis=1, keepdims=True, initial=-np.inf))
        for order in itertools.permutations(range(n)):
            left = shares[:, order][:, ::-1].cumsum(axis=1)[:, ::-1]  # of all not placed before
            chance = (shares[:, order] / left).prod(axis=1)
            chances[rows[:, None], order, range(n)] += chance[:, None]
    return chances


_default = SHIPPED  # the net of an empty path


def use(path: Path) -> None:
    """Make the net of a file the default of this process; refuses what is not a net."""
    global _default
    read(path)
    _default = path
    load.cache_clear()


@lru_cache(maxsize=8)
def load(path: str = "") -> ValueNet:
    """The net of a file, cached; an empty path is the default: the shipped one, or that of `use`."""
    return read(Path(path) if path else _default)[0]


def named(name: str) -> ValueNet:
    """The default net by its name, or the net of a file."""
    return load("" if name == VALUE_NET else name)


@cache
def blank() -> ValueNet:
    """The smallest net, of zeros, for searches without one."""
    arrays = {name: np.zeros(shape) for name, shape in shapes(1, 1, 1, NAMES).items()}
    return _for_rules_in_force(arrays, NAMES)


def write(path: Path, net: ValueNet, card: dict[str, Any]) -> None:
    """Write a net and its card atomically."""
    arrays: dict[str, Any] = net._asdict() | {"weights": np.array(net.weights[0].tolist())}
    arrays |= {name: arrays[name].astype(np.float16) for name in TABLES}
    arrays[CALIBRATION] = arrays.pop("calibration").reshape(-1, CALIBRATED)
    FILE.write(path, arrays, card)


def read(path: Path) -> tuple[ValueNet, dict[str, Any]]:
    """A net for the rules in force and its card; raises AgentError if the file is damaged or no net."""
    arrays, known, card = FILE.read(path)
    return _for_rules_in_force(arrays, known), card


def _for_rules_in_force(arrays: dict[str, Any], known: Names) -> ValueNet:
    """The arrays of a file as a net that has a weight for everything in the rules in force."""
    weights = dict(zip(known.labels("weights"), arrays["weights"].tolist(), strict=True))
    arrays = arrays | {"calibration": fit(arrays[CALIBRATION], CALIBRATION, known, NAMES, mean=False)}
    floats = {name: np.ascontiguousarray(arrays[name], np.float32) for name in ValueNet._fields[:-1]}
    for name in (*TABLES, "knees"):
        floats[name] = fit(floats[name], name, known, NAMES, mean=name != "numbers")
    floats["calibration"] = floats["calibration"].reshape(*NAMES.shape(CALIBRATION, "pace"), CALIBRATED)
    return ValueNet(**floats, weights=row({name: weights[name] for name in WEIGHT_NAMES if name in weights}))


def shapes(width: int, hidden: int, view: int, names: Names) -> Shapes:
    """The shape of every array in the file of a net of this size that knows these names."""
    sizes: dict[Any, int] = {"width": width, "hidden": hidden, "view": view}
    arguments: dict[str, Any] = {name: part for name, part in NET.parts.items() if name != "calibration"}
    every = {name: tuple(sizes.get(n, n) for n in array.shape) for name, array in arguments.items()}
    every |= {CALIBRATION: (names.size(CALIBRATION), CALIBRATED), "weights": (names.size("weights"),)}
    every |= {name: (names.size(name), *every[name][1:]) for name in (*TABLES, "knees")}
    return every


FILE: Final = NetFile(
    "value net", "smallcity train search", "smallcity-value-net-3", NAMES,
    lambda arrays, names: shapes(
        width(arrays, "first"), width(arrays, "second"), width(arrays, "view_bias"), names
    ),
    (np.float16, np.float32, np.float64),
)  # fmt: skip
