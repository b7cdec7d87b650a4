"""The command `train`."""
