"""Layers of the compiled nets: sums of rows of weights, always in the same order."""

import numpy as np

from smallcity_env.library import kernel

ZERO, ONE = np.float32(0), np.float32(1)


@kernel
def copy(x, out):
    """Write an array into another of the same length."""
    for k in range(len(out)):
        out[k] = x[k]


@kernel
def add(weights, x, out):
    """Add x times the weights."""
    for k in range(len(out)):
        out[k] += x * weights[k]


@kernel
def add_affine(weights, x, out):
    """Add x times the weights; zeros of x are skipped."""
    for i in range(len(x)):
        if x[i] != ZERO:
            add(weights[i], x[i], out)


@kernel
def relu(x):
    """ReLU, in place."""
    for k in range(len(x)):
        x[k] = max(x[k], ZERO)
