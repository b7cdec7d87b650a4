"""Sums of rows of a table of weights, many columns at a time in the registers of the processor.

Every column is added up in the order of its rows, as a plain loop would: the sums are the same, to the bit.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from smallcity_env.rules._jit import JIT, kernel

LANES = 32  # columns added at once
_LANES = ir.VectorType(ir.FloatType(), LANES)
_INT = ir.IntType(32)


def _filled(builder: Any, number: Any) -> Any:
    """Emit a vector with a number in every lane."""
    one = builder.insert_element(ir.Constant(_LANES, ir.Undefined), number, _INT(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INT, LANES), None))


@intrinsic
def _add_lanes(_typing: Any, table: Any, rows: Any, n: Any, x: Any, out: Any, start: Any) -> Any:
    """Emit the sum of n rows, each times its x if there are any, in the lanes of some columns."""
    scaled = not isinstance(x, types.NoneType)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        table, rows, out = (context.make_array(kinds[i])(context, builder, args[i]) for i in (0, 1, 4))
        width = builder.extract_value(table.shape, 1)
        place = builder.bitcast(builder.gep(out.data, [args[5]]), _LANES.as_pointer())
        total = cgutils.alloca_once_value(builder, builder.load(place, align=4))
        with cgutils.for_range(builder, args[2]) as loop:
            row = builder.sext(builder.load(builder.gep(rows.data, [loop.index])), width.type)
            begin = builder.gep(table.data, [builder.add(builder.mul(row, width), args[5])])
            added = builder.load(builder.bitcast(begin, _LANES.as_pointer()), align=4)
            if scaled:
                values = context.make_array(kinds[3])(context, builder, args[3])
                number = builder.load(builder.gep(values.data, [row]))
                added = builder.fmul(_filled(builder, number), added)
            builder.store(builder.fadd(builder.load(total), added), total)
        builder.store(builder.load(total), place, align=4)

    return types.none(table, rows, types.int64, x, out, types.int64), code


def _add_columns(table: Any, rows: Any, n: int, x: Any, out: Any, start: int) -> None:
    """The same in Python."""
    columns = slice(start, start + LANES)
    for row in rows[:n]:
        out[columns] += table[row, columns] if x is None else x[row] * table[row, columns]


add_lanes: Any = _add_lanes if JIT else _add_columns


@kernel
def add_rows(table, rows, n, out):
    """Add the first n of these rows of a table."""
    whole = len(out) - len(out) % LANES
    for start in range(0, whole, LANES):
        add_lanes(table, rows, n, None, out, start)
    for k in range(whole, len(out)):
        total = out[k]
        for i in range(n):
            total += table[rows[i], k]
        out[k] = total


@kernel
def add_affine(weights, x, rows, out):
    """Add x times the weights; zeros of x are skipped. `rows` is memory for the numbers of the others."""
    n = 0
    for i in range(len(x)):
        rows[n] = i
        n += x[i] != 0
    whole = len(out) - len(out) % LANES
    for start in range(0, whole, LANES):
        add_lanes(weights, rows, n, x, out, start)
    for k in range(whole, len(out)):
        total = out[k]
        for i in range(n):
            total += x[rows[i]] * weights[rows[i], k]
        out[k] = total
