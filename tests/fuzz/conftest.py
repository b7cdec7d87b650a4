"""How much is tried: a little with the other tests, or `--hypothesis-profile=long` by `make fuzz`."""

from hypothesis import HealthCheck, settings

from tests.fuzz import tries

slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
settings.register_profile("short", max_examples=150, deadline=None, derandomize=True, database=None,
                          suppress_health_check=slow)  # fmt: skip
settings.register_profile("long", max_examples=5000, deadline=None, database=None, print_blob=True,
                          suppress_health_check=slow)  # fmt: skip
settings.load_profile("short")


def pytest_terminal_summary(terminalreporter):
    """Say how many inputs were tried (with -n0)."""
    if tries.COUNT:
        parts = ", ".join(f"{n:,} {what}" for what, n in tries.COUNT.items())
        terminalreporter.write_line(f"fuzz: {sum(tries.COUNT.values()):,} inputs tried ({parts})")
