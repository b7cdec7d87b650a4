"""Training: one file per method; docs/training.md is the manual."""
