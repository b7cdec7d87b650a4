"""Names of types for annotations, which nothing reads here."""

from typing import Any


class NDArray:
    """An array of some type."""

    def __class_getitem__(cls, _):
        return Any


ArrayLike = DTypeLike = Any
