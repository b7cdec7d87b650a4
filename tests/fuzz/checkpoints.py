"""Checkpoints, value nets and training states: damaged or altered ones are refused, or are what they say."""

import copy
import io
import json
import random
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from smallcity_agents.net import checkpoint
from smallcity_agents.net.features import inputs
from smallcity_agents.net.model import Net
from smallcity_agents.policy import choose
from smallcity_agents.value_net import model
from smallcity_env import Config, Game, batch, files
from smallcity_env.rules.rng import streams
from smallcity_env.rules.schema import STATE_BYTES
from smallcity_training import state
from tests.agents.test_value_net import random_net
from tests.training import tiny

from .attempts import altered, damaged, refused

FOLDER = Path(tempfile.mkdtemp())
NET, VALUES, RUN = FOLDER / "net.npz", FOLDER / "values.npz", FOLDER / "run"
ODD = (np.nan, np.inf, -1, 0, 1e30, 255)
REPEATED = 20  # training states of one training


@cache
def _net() -> tuple[Any, dict[str, Any]]:
    """Small random weights and a card."""
    rng = np.random.default_rng(1)
    shapes = checkpoint.shapes(2, 3, 4)
    made = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    return made, {"steps": 1, "reward": "score", "command": "-", "hours": 0.5}


def attempt(chance: random.Random) -> bool:
    """One file of three kinds."""
    return chance.choice((_checkpoint, _checkpoint, _value_net, _state))(chance)


def _checkpoint(chance: random.Random) -> bool:
    """A checkpoint, which must play if it is read."""
    arrays, card = _net()
    checkpoint.write(NET, arrays, card)
    _spoil(NET, "card", chance)
    read: list[Net] = []
    if refused(lambda: read.append(Net(checkpoint.read(NET)[0]))):
        return True
    position = _position()
    legal = batch.masks(position.states)
    with np.errstate(all="ignore"):  # large weights overflow
        logits, _ = read[0](inputs(position.states, position.seat, legal), legal)
    assert legal[0, choose(logits, legal, streams([1]), 0.0)[0]]
    return False


def _value_net(chance: random.Random) -> bool:
    """A value net, whose numbers must be finite if it is read."""
    model.write(VALUES, random_net(), {"steps": 1})
    _spoil(VALUES, "card", chance)
    read: list[Any] = []
    if refused(lambda: read.append(model.read(VALUES)[0])):
        return True
    forecast = model.forecast(batch.clone(_position().states), read[0])
    assert not np.isnan(forecast.payoffs).any()
    return False


@cache
def _position() -> Game:
    return Game(Config(players=2), seed=1)


@cache
def _trainer() -> Any:
    """A training that has been saved after an update."""
    trainer = tiny.start("ppo", RUN, steps=10**6, evaluate_games=2, opponents_share=0.0)
    trainer.update()
    trainer.save()
    return trainer


def _state(chance: random.Random) -> bool:
    """A training state, from which the games must play on if it is taken."""
    trainer, path = _trainer(), RUN / "state.npz"
    saved = trainer.state_dict()
    good = copy.deepcopy(saved)
    for part in saved["games"].values():
        if isinstance(part, dict) and chance.random() < 0.5:
            records = part["records"]
            records[chance.randrange(len(records)), chance.randrange(STATE_BYTES)] = chance.randrange(256)
    state.save(path, saved)
    _spoil(path, state.VALUES, chance, often=0.6)
    try:
        if refused(trainer.resume):
            return True
        for _ in range(REPEATED):
            legal = trainer.games.legal
            trainer.games.step(batch.pick(legal, streams(range(len(legal)))))
        return False
    finally:
        trainer._restore(good)


def _spoil(path: Path, card: str, chance: random.Random, often: float = 1.0) -> None:
    """Change bytes, an array or the card of a file of arrays."""
    if chance.random() > often:
        return
    data = path.read_bytes()
    if chance.random() < 0.3:
        path.write_bytes(damaged(data, chance))
        return
    with np.load(io.BytesIO(data)) as file:
        arrays = {name.removesuffix(".npy"): file[name] for name in file.files}
    if chance.random() < 0.5:
        arrays[card] = np.array(json.dumps(altered(json.loads(str(arrays[card])), chance)))
    else:
        name = chance.choice([name for name in arrays if name != card])
        arrays = _changed(arrays, name, chance)
    files.write_arrays(path, arrays)
    if chance.random() < 0.05:
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(chance.choice(("extra.npy", "x")), b"abc")


def _cast(odd: Any, dtype: Any) -> Any:
    """Numbers in another dtype, in which they may overflow."""
    with np.errstate(all="ignore"):
        return np.asarray(odd).astype(dtype)


def _changed(arrays: dict[str, Any], name: str, chance: random.Random) -> dict[str, Any]:
    """One array lost, cut, reshaped, of another dtype, or with a strange number in it."""
    made, array = dict(arrays), arrays[name].copy()
    match chance.randrange(7):
        case 0:
            del made[name]
            return made
        case 1:
            array = array[: len(array) // 2] if array.ndim else array[None]
        case 2:
            array = _cast(array, chance.choice(("f8", "i8", "?", "u1", "f2")))
        case 3:
            array = array.reshape(-1)
        case 4:
            made["strange"] = array
        case _ if array.size:
            odd = chance.choice(ODD if array.dtype.kind == "f" else (0, 1, 255))
            array.reshape(-1)[chance.randrange(array.size)] = _cast(odd, array.dtype)
    made[name] = array
    return made
