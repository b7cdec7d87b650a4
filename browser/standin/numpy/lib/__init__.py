from . import format

__all__ = ["format"]
