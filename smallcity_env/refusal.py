"""The error a command reports in one sentence, with exit code 2."""


class Refused(Exception):
    """A request that cannot be carried out; the message says why in one sentence."""
