"""Sums of rows of a table of weights, in the order of the rows."""

from smallcity_env.library import kernel


@kernel
def add_rows(table, rows, n, out):
    """Add the first n of these rows of a table."""
    for i in range(n):
        row = table[rows[i]]
        for k in range(len(out)):
            out[k] += row[k]


@kernel
def add_affine(weights, x, out):
    """Add x times the weights; zeros of x are skipped."""
    for i in range(len(x)):
        if x[i] != 0:
            for k in range(len(out)):
                out[k] += x[i] * weights[i, k]


@kernel
def add(x, out):
    """Add an array to another."""
    for k in range(len(out)):
        out[k] += x[k]


@kernel
def copy(x, out):
    """Write an array into another."""
    for k in range(len(out)):
        out[k] = x[k]
