"""Mutation testing: change one operator of a function at a time, and see whether a test fails.

    python -m tests.mutation rules --count 300

A mutant that no test notices is a survivor: either a test is missing, or the change makes no difference.
"""
