"""Load, save and apply value nets in Python."""

import itertools
import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env import arguments, files
from smallcity_env.batch import States
from smallcity_env.refusal import Refused
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables import POWER_ROUNDS, SEATS
from smallcity_env.rules.tables.in_force import FINGERPRINT, foreign

from .. import AgentError
from ..judge.schema import WEIGHT_NAMES, WEIGHTS
from .forward import OUTPUTS, PACES, SCORE, STRENGTH, Floats, ValueNet, evaluate_all, new_scratch
from .layout import CODE_COUNT, NUMBER_COUNT

FORMAT: Final = "smallcity-value-net-1"
SHIPPED: Final = Path(__file__).parents[1] / "data" / "value_net.npz"
CARD: Final = "card"
HALVED: Final = ("codes", "numbers")  # stored as float16
LARGEST: Final = 1000.0  # of a weight: far larger ones overflow
FLOATS: Final = (np.float16, np.float32, np.float64)


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


@lru_cache(maxsize=8)
def is_value_net(path: Path) -> bool:
    """Whether a file is a value net, readable or not by this version."""
    try:
        card = json.loads(str(files.read_arrays(path, "the value net")[CARD]))
    except (Refused, OSError, ValueError, KeyError, RecursionError):
        return False
    return isinstance(card, dict) and card.get("format") == FORMAT


@lru_cache(maxsize=8)
def load(path: str = "") -> ValueNet:
    """The net of a file, cached; an empty path is the shipped one."""
    return read(Path(path) if path else SHIPPED)[0]


def write(path: Path, net: ValueNet, card: dict[str, Any]) -> None:
    """Write a net and its card atomically."""
    arrays: dict[str, Any] = net._asdict() | {"weights": np.array(net.weights[0].tolist())}
    arrays |= {name: arrays[name].astype(np.float16) for name in HALVED}
    facts = {"format": FORMAT, "numbers": FINGERPRINT, "codes": CODE_COUNT, "judge": list(WEIGHT_NAMES)}
    files.write_arrays(path, arrays | {CARD: np.array(json.dumps(facts | card))}, compressed=True)


def read(path: Path) -> tuple[ValueNet, dict[str, Any]]:
    """A net and its card; raises AgentError if it cannot be used."""
    if not files.is_file(path):
        raise AgentError(f"there is no value net {path}: `smallcity train search` writes them")
    try:
        arrays = files.read_arrays(path, "the value net")
        card: dict[str, Any] = json.loads(str(arrays.pop(CARD)))
    except Refused as wrong:
        raise AgentError(str(wrong)) from None
    except (ValueError, KeyError, RecursionError):
        raise AgentError(f"{path} is not a value net of this project") from None
    if mismatch := _mismatch(arrays, card):
        raise AgentError(f"the value net {path} does not fit: {mismatch}")
    weights = np.array([tuple(arrays.pop("weights"))], WEIGHTS)
    floats = {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()}
    return ValueNet(**floats, weights=weights), card


def _mismatch(arrays: dict[str, Any], card: Any) -> str:
    """Why a net does not fit this version; empty if it does."""
    if not isinstance(card, dict):
        return "its card is not a mapping"
    if card.get("format") != FORMAT:
        return f"its format is {card.get('format')!r}, not {FORMAT!r}"
    if wrong := foreign(str(card.get("numbers", STANDARD))):
        return wrong
    if missing := set(ValueNet._fields) ^ set(arrays):
        return f"it should hold {', '.join(ValueNet._fields)}, which differs by {', '.join(sorted(missing))}"
    if card.get("judge") != list(WEIGHT_NAMES):
        return "greedy's judge had other weights"
    for name, shape in shapes(arrays["first"].size, arrays["second"].size).items():
        array = arrays[name]
        if array.shape != shape or array.dtype not in FLOATS:
            return f"{name} must be floats {shape}, not {array.dtype} {array.shape}"
        if not (np.abs(array) <= LARGEST).all():
            return f"{name} is not finite, or has a number beyond {LARGEST:g}"
    return ""


def shapes(width: int, hidden: int) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a net of this size."""
    return {
        "codes": (CODE_COUNT, width),
        "numbers": (NUMBER_COUNT, width),
        "first": (width,),
        "own": (width, hidden),
        "everybody": (width, hidden),
        "second": (hidden,),
        "deep": (hidden, hidden),
        "third": (hidden,),
        "heads": (hidden, OUTPUTS),
        "last": (OUTPUTS,),
        "paces": (POWER_ROUNDS + 1, SEATS + 1, PACES),
        "weights": (len(WEIGHT_NAMES),),
    }
