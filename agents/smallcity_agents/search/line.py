"""The principal variation of a search."""

from typing import Any


def line_of(nodes: Any, edges: Any, action: int, most: int) -> list[int]:
    """An action at the root of a tree and the most visited answers after it, at most `most` in all."""
    known = {int(edges[edge]["action"]): edge for edge in _listed(edges, int(nodes[0]["edge"]))}
    line, edge = [action], known.get(action, 0)
    while edge and len(line) < most:
        after = _listed(nodes, int(edges[edge]["child"]))
        answers = _listed(edges, int(nodes[_most_visited(nodes, after)]["edge"])) if after else []
        edge = _most_visited(edges, answers) if answers else 0
        line += [int(edges[edge]["action"])] if edge else []
    return line


def _listed(rows: Any, first: int) -> list[int]:
    """The indices of a linked list; 0 ends it."""
    indices = []
    while first:
        indices.append(first)
        first = int(rows[first]["next"])
    return indices


def _most_visited(rows: Any, which: list[int]) -> int:
    """The row with the most visits; of equals, the oldest."""
    return max(reversed(which), key=lambda row: int(rows[row]["visits"]))
