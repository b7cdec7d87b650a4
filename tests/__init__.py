"""The tests. Those that need the rules compile them themselves: no process may outlive its test."""

import os

os.environ.setdefault("SMALLCITY_BACKGROUND", "0")
