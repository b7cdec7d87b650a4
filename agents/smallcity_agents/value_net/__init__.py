"""The value net: a small net that predicts how a game ends for every seat, in microseconds."""
