"""`python -m smallcity_env` is the command `smallcity`."""

import sys

from .cli import command

sys.exit(command())
