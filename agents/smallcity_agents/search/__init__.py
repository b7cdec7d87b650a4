"""The search: its agents, the root, trees, simulations."""
