"""Agents by name: `make("greedy")`, `make("mcts:sims=200")`; `AGENTS` lists them."""

import dataclasses
import importlib
import inspect
import os
import sys
from collections.abc import Iterable
from typing import Any, Final

from smallcity_env.arguments import shown

from .agent import Agent, AgentError

__all__ = ["AGENTS", "Agent", "AgentError", "load", "make", "names_in", "refuse_own", "sees_view"]

AGENTS: Final = {  # label: module and class
    "random": "smallcity_agents.random:Random",
    "first": "smallcity_agents.first:First",
    "greedy": "smallcity_agents.greedy:Greedy",
    "builder": "smallcity_agents.greedy:Builder",
    "industrialist": "smallcity_agents.greedy:Industrialist",
    "green": "smallcity_agents.greedy:Green",
    "culture": "smallcity_agents.greedy:Culture",
    "merchant": "smallcity_agents.greedy:Merchant",
    "rollout": "smallcity_agents.search.agent:Rollout",
    "mcts": "smallcity_agents.search.agent:Mcts",
    "search": "smallcity_agents.search.agent:Search",
    "champion": "smallcity_agents.search.agent:Champion",
    "level": "smallcity_agents.level:Level",
    "policy": "smallcity_agents.policy:Policy",
    "stdio": "smallcity_agents.stdio:Stdio",
}
COMMAND: Final = "stdio"  # the agent that runs a command: never named by a file or a form
_BOOLS: Final = {"True": True, "False": False}  # as `Agent.name` writes them


def make(name: str) -> Agent:
    """Make the agent of a name like `random`, `level:3` or `mcts:sims=200,seconds=1`."""
    if not isinstance(name, str):
        raise AgentError(f"an agent is made by its name, a text, not {shown(name)}")
    label, _, options = name.partition(":")
    if label in AGENTS:
        kind = load(label)
    elif "." in label:
        kind = _load_custom(label)
    else:
        raise AgentError(f"there is no agent {shown(label)}: choose from {', '.join(AGENTS)}")
    if label == COMMAND:
        return kind(**{"command": options})
    values: dict[str, Any] = {}
    for key, value in (_option(kind, text) for text in options.split(",") if text):
        if key in values:
            raise AgentError(f"option {key} of {kind.label} is given twice")
        values[key] = value
    return kind(**values)


def refuse_own(names: Iterable[str], source: str, allowed: Iterable[str], option: str) -> None:
    """Refuse a file's agents that are not ours, since making them runs code, unless they are `allowed`."""
    known = {*AGENTS, *(_label(name) for name in allowed)} - {COMMAND}
    for label in map(_label, names):
        if label not in known:
            own = f"{source} names the agent {label!r}, which is not ours"
            raise AgentError(f"{own}: to run its code, add {option} {' '.join(label.split())}")


def _label(name: str) -> str:
    """An agent's name without its options; a command is allowed as a whole only."""
    return name if name.partition(":")[0] == COMMAND else name.partition(":")[0]


def names_in(text: str) -> list[str]:
    """Split names at commas: `greedy,mcts:sims=10,seconds=1,random` are three."""
    names: list[str] = []
    for part in text.split(","):
        if names and "=" in part and ":" not in part:
            names[-1] += f",{part}"  # another option of the previous agent
        else:
            names.append(part)
    return names


def load(label: str) -> type[Agent]:
    """The class of an agent, imported on first use."""
    module, _, name = AGENTS[label].partition(":")
    kind: type[Agent] = getattr(importlib.import_module(module), name)
    return kind


def sees_view(name: str) -> bool:
    """Whether an agent is kept from what its seat cannot see; an agent that is not imported counts as not."""
    label = name.partition(":")[0]
    module, _, kind = label.rpartition(".")
    found = load(label) if label in AGENTS else getattr(sys.modules.get(module), kind, None)
    return getattr(found, "sees", "") == "view"


def _load_custom(label: str) -> type[Agent]:
    """The user's own agent, by module and class: `lazy.Lazy`."""
    if (here := os.getcwd()) not in sys.path:
        sys.path.append(here)
    module, _, name = label.rpartition(".")
    try:
        if not all(part.isidentifier() for part in label.split(".")):
            raise ImportError("not the name of a module and a class")
        kind = getattr(importlib.import_module(module), name, None)
    except (ImportError, ValueError) as error:
        raise AgentError(f"the agent {shown(label)} cannot be imported: {error}") from None
    if not (isinstance(kind, type) and issubclass(kind, Agent)) or inspect.isabstract(kind):
        raise AgentError(f"{label!r} is not an agent: {module} has no subclass of Agent called {name}")
    kind.label = label  # so that `make(agent.name)` works
    return kind


def _option(kind: type[Agent], text: str) -> tuple[str, Any]:
    """Parse `key=value`, or just the value of an agent's only option; the field determines the type."""
    defaults: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(kind)}
    if "=" not in text and len(defaults) == 1:
        text = f"{next(iter(defaults))}={text}"
    key, _, value = text.partition("=")
    if key not in defaults:
        known = ", ".join(f"{k}={v}" for k, v in defaults.items()) or "none"
        raise AgentError(f"{kind.label} has no option {shown(key)}; options: {known}")
    type_ = type(defaults[key])
    try:
        return key, _BOOLS[value] if type_ is bool else type_(value)
    except (ValueError, KeyError):
        raise AgentError(
            f"option {key} of {kind.label} needs type {type_.__name__}, not {shown(value)}"
        ) from None
