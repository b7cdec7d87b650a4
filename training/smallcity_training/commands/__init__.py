"""The commands `train` and `evaluate`, one file each."""
