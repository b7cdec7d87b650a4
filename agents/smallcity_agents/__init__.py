"""Agents by name: `make("greedy")`, `make("mcts:sims=200")`; `AGENTS` lists what there is."""

import dataclasses
import importlib
import os
import sys
from typing import Any, Final

from smallcity_env.refusal import Refused

from .agent import Agent

__all__ = ["AGENTS", "Agent", "AgentError", "load", "make", "names_in"]

AGENTS: Final = {  # short name: where it is written
    "random": "smallcity_agents.random:Random",
    "first": "smallcity_agents.first:First",
    "greedy": "smallcity_agents.greedy:Greedy",
    "builder": "smallcity_agents.greedy:Builder",
    "industrialist": "smallcity_agents.greedy:Industrialist",
    "green": "smallcity_agents.greedy:Green",
    "culture": "smallcity_agents.greedy:Culture",
    "merchant": "smallcity_agents.greedy:Merchant",
    "rollout": "smallcity_agents.rollout:Rollout",
    "mcts": "smallcity_agents.mcts:Mcts",
    "human": "smallcity_agents.play.human:Human",
    "policy": "smallcity_agents.policy:Policy",
}


_TRUTH: Final = {"True": True, "False": False}  # as `Agent.name` writes them


class AgentError(Refused, ValueError):
    """A name that makes no agent, in one sentence that says what there is."""


def make(name: str) -> Agent:
    """The agent of a name like `random` or `mcts:sims=200,seconds=1`."""
    label, _, options = name.partition(":")
    if label in AGENTS:
        kind = load(label)
    elif "." in label:
        kind = _own(label)
    else:
        raise AgentError(f"there is no agent {label!r}: choose from {', '.join(AGENTS)}")
    return kind(**dict(_option(kind, text) for text in options.split(",") if text))


def names_in(text: str) -> list[str]:
    """Names separated by commas: `greedy,mcts:sims=10,seconds=1,random` are three."""
    names: list[str] = []
    for part in text.split(","):
        if names and "=" in part and ":" not in part:
            names[-1] += f",{part}"  # one more option of the agent before it
        else:
            names.append(part)
    return names


def load(label: str) -> type[Agent]:
    """The class of an agent, read only when it is used."""
    file, _, kind = AGENTS[label].partition(":")
    found: type[Agent] = getattr(importlib.import_module(file), kind)
    return found


def _own(label: str) -> type[Agent]:
    """An agent of the user's own, by file and class as Python names them: `lazy.Lazy`."""
    if (here := os.getcwd()) not in sys.path:
        sys.path.append(here)
    file, _, name = label.rpartition(".")
    try:
        kind = getattr(importlib.import_module(file), name, None)
    except ImportError as wrong:
        raise AgentError(f"the agent {label!r} cannot be read: {wrong}") from None
    if not (isinstance(kind, type) and issubclass(kind, Agent)):
        raise AgentError(f"{label!r} is no agent: {file} has no class {name} made from agents.Agent")
    kind.label = label  # so that its name makes it again
    return kind


def _option(kind: type[Agent], text: str) -> tuple[str, Any]:
    """An option and its value, or one sentence."""
    key, _, value = text.partition("=")
    defaults: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(kind)}
    if key not in defaults:
        known = ", ".join(f"{k}={v}" for k, v in defaults.items()) or "none"
        raise AgentError(f"{kind.label} has no option {key!r}: there are {known}")
    wanted = type(defaults[key])
    try:
        return key, _TRUTH[value] if wanted is bool else wanted(value)
    except (ValueError, KeyError):
        raise AgentError(
            f"the option {key} of {kind.label} needs a {wanted.__name__}, not {value!r}"
        ) from None
