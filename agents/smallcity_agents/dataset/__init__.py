"""Games of agents as arrays for offline learning: shards, their card, and Minari."""

from .shards import Shard, load, write

__all__ = ["Shard", "load", "write"]
