"""A benchmark others can cite: fixed tasks, a split of the rules, report cards (docs/benchmark.md)."""
