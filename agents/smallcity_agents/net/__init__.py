"""The policy net without torch: features, forward pass, checkpoints."""
