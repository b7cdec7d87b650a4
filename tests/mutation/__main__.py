"""python -m tests.mutation TARGET: see run.py."""

from .run import main

main()
