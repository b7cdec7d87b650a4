"""Agents that learn: one file per way to train; docs/training.md says how."""
