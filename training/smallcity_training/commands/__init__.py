"""The commands `train` and `evaluate`."""
