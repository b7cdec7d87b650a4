"""Threads that share the rows of a batch, for forward passes and for the gradients of a minibatch.

Torch's own threads share single operations, most of which are too small here to benefit. Instead, each
thread takes its share of the rows through the whole net; neither torch nor our kernels hold the interpreter's
lock while they compute. The parts and the order of summation depend only on the number of threads:
a run can be repeated and resumed exactly.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from itertools import pairwise
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from smallcity_agents.net.features import Features, decode
from smallcity_env.batch import Mask
from smallcity_env.rules.layout import Seen

from .net import Net

Batch = dict[str, Tensor]
Metrics = dict[str, float]
Gradients = Sequence[Tensor | None]  # by parameter; None: not used
Loss = Callable[[Batch], tuple[Tensor, Metrics]]
Result = TypeVar("Result")


class GradientWorkers:
    """A pool of threads."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    def predict(self, net: Net, seen: Seen, legal: Mask) -> tuple[Features, Tensor, Tensor]:
        """Features, logits and values of some observations."""

        def part(rows: slice) -> tuple[Features, tuple[Tensor, Tensor]]:
            features = decode(seen[rows])
            return features, net.predict(features, legal[rows])

        features, outputs = zip(*self._map(part, len(seen)), strict=True)
        logits, values = map(torch.cat, zip(*outputs, strict=True))
        return Features(*map(np.concatenate, zip(*features, strict=True))), logits, values

    def backward(self, loss: Loss, batch: Batch, net: nn.Module) -> Metrics:
        """Set the gradients of a minibatch; the metrics are means over its rows."""
        parameters = list(net.parameters())
        n = len(next(iter(batch.values())))

        def part(rows: slice) -> tuple[Gradients, Metrics]:
            share = (rows.stop - rows.start) / n
            mean, metrics = loss({name: tensor[rows] for name, tensor in batch.items()})
            gradients = torch.autograd.grad(mean * share, parameters, allow_unused=True)
            return gradients, {name: metric * share for name, metric in metrics.items()}

        gradients, metrics = zip(*self._map(part, n), strict=True)
        for parameter, parts in zip(parameters, zip(*gradients, strict=True), strict=True):
            used = [gradient for gradient in parts if gradient is not None]
            # contiguous like the parameters: fused Adam reads gradients in memory order, ignoring strides
            parameter.grad = reduce(torch.add, used).contiguous() if used else None
        return {name: sum(part[name] for part in metrics) for name in metrics[0]}

    def _map(self, work: Callable[[slice], Result], rows: int) -> list[Result]:
        """Map over parts of some rows, one per thread, or fewer if there are fewer rows."""
        parts = list(_parts(rows, self.threads))
        return [work(parts[0])] if len(parts) == 1 else list(self._pool.map(work, parts))


def _parts(rows: int, threads: int) -> Iterator[slice]:
    """Near-equal parts, none empty."""
    edges = np.linspace(0, rows, min(threads, max(rows, 1)) + 1, dtype=int).tolist()
    return (slice(a, b) for a, b in pairwise(edges))
