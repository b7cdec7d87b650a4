"""`python -m smallcity_env` is the command `smallcity`."""

import sys

from .cli import main

sys.exit(main())
