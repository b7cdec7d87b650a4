"""Training state on disk: nested dicts of arrays and JSON values in one npz file; loading runs no code."""

import json
import math
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env import files
from smallcity_env.refusal import Refused

State = dict[str, Any]  # arrays, JSON values, or dicts of them
VALUES: Final = "values.json"


def save(path: Path, state: State) -> None:
    """Write a state atomically: a killed process leaves the old file or the new one."""
    arrays: dict[str, Any] = {}
    values = _split(state, "", arrays)
    files.write_arrays(path, arrays | {VALUES: np.array(json.dumps(values))})


def load(path: Path) -> State:
    """Read a state without unpickling anything; `check` it before use."""
    arrays = files.read_arrays(path, "the training state")
    try:
        state: State = json.loads(str(arrays.pop(VALUES)))
        state.keys()  # it is a mapping
        for name, array in arrays.items():
            *parents, last = name.split("/")
            node = state
            for parent in parents:
                node = node[parent]
            node[last] = array
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Refused(f"{path} is not a training state of this project") from None
    return state


def check(state: Any, like: Any, name: str = "") -> None:
    """Refuse a state whose keys, types, shapes or dtypes differ from `like`, or that is not finite."""
    if isinstance(like, dict):
        if not isinstance(state, dict) or state.keys() != like.keys():
            raise Refused(f"the training state does not fit: {name or 'it'} must hold {', '.join(like)}")
        for key in like:
            check(state[key], like[key], f"{name}/{key}" if name else key)
    elif type(state) is not type(like):
        raise Refused(f"the training state does not fit: {name} must be {type(like).__name__}")
    elif isinstance(like, np.ndarray):
        if state.shape != like.shape or state.dtype != like.dtype:
            raise Refused(f"the training state does not fit: {name} must be {like.dtype} {like.shape}")
        if like.dtype.kind == "f" and not np.isfinite(state).all():
            raise Refused(f"the training state is damaged: {name} is not finite")
    elif isinstance(like, float) and not math.isfinite(state):
        raise Refused(f"the training state is damaged: {name} is not finite")


def _split(node: State, prefix: str, arrays: dict[str, Any]) -> State:
    """The JSON values of a state; its arrays go to `arrays` under their path."""
    values: State = {}
    for key, value in node.items():
        if isinstance(value, np.ndarray):
            arrays[prefix + key] = value
        else:
            values[key] = _split(value, f"{prefix}{key}/", arrays) if isinstance(value, dict) else value
    return values
