"""The value net: a small net that says how a game will end for every seat, in microseconds."""
