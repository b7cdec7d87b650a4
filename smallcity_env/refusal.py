"""What a command line answers with one sentence and exit code 2."""


class Refused(Exception):
    """Something that cannot be carried out, in one sentence."""
