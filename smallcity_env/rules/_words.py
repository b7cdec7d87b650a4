"""The records of a batch as words, in place."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ._jit import JIT
from .limits import WORDS
from .schema import STATE_BYTES

_WORD = np.dtype(np.int16)
_WORDS: Any = types.Array(types.int16, 2, "C")


@intrinsic
def _as_words(_typing: Any, states: Any) -> Any:
    """Emit a view of every game as int16; nobody counts it, so it is no longer kept than the games."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from numba.np.arrayobj import populate_array  # not needed where everything is compiled already

        games = context.make_array(signature.args[0])(context, builder, args[0])
        view = context.make_array(_WORDS)(context, builder)
        whole = [ir.IntType(64)(n) for n in (WORDS, STATE_BYTES, _WORD.itemsize)]
        shape, strides = (games.nitems, whole[0]), whole[1:]
        data = builder.bitcast(games.data, view.data.type)
        populate_array(view, data, shape, strides, whole[-1], meminfo=None)
        return view._getvalue()

    return _WORDS(states), code


def words(states: Any) -> Any:
    """A view of every game as int16."""
    return states.view(_WORD).reshape(len(states), WORDS)


as_words: Any = _as_words if JIT else words
