"""Threads that share the rows of a batch compute what one thread computes."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from smallcity_agents.net.features import decode, inputs
from smallcity_env import Config, batch
from smallcity_training.net import Net
from smallcity_training.parallel import Batch, GradientWorkers, Metrics

ROWS = 7


class Small(nn.Module):
    """A layer that is used and one that is not."""

    def __init__(self) -> None:
        super().__init__()
        self.used, self.unused = nn.Linear(3, 2), nn.Linear(1, 1)

    def loss(self, part: Batch) -> tuple[Tensor, Metrics]:
        """The mean squared error."""
        error = (self.used(part["x"]) - part["y"]).square().mean()
        return error, {"error": error.item(), "first": part["x"][:, 0].mean().item()}


@pytest.mark.parametrize("threads", [1, 2, 3, ROWS + 2])
def test_the_gradients_of_the_parts_are_those_of_the_minibatch(threads: int) -> None:
    torch.manual_seed(0)
    net, rows = Small(), {"x": torch.randn(ROWS, 3), "y": torch.randn(ROWS, 2)}
    metrics = GradientWorkers(threads).backward(net.loss, rows, net)
    gradients = [p.grad for p in net.used.parameters()]
    assert all(p.grad is None for p in net.unused.parameters())
    loss, whole = net.loss(rows)
    expected = torch.autograd.grad(loss, list(net.used.parameters()))
    for a, b in zip(gradients, expected, strict=True):
        assert a is not None and torch.allclose(a, b, atol=1e-6)
    assert metrics == pytest.approx(whole, abs=1e-6)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_predictions_are_those_of_the_whole_batch(threads: int) -> None:
    torch.manual_seed(1)
    net, legal = Net(4, 8, 16), batch.new_masks(ROWS)
    states = batch.new(ROWS, Config(players=3), range(ROWS), legal)
    seen = inputs(states, states["seat"], legal)
    features, logits, values = GradientWorkers(threads).predict(net, seen, legal)
    expected = net.predict(decode(seen), legal)
    assert all(np.array_equal(a, b) for a, b in zip(features, decode(seen), strict=True))
    assert torch.allclose(logits, expected[0], atol=1e-6) and torch.allclose(values, expected[1], atol=1e-6)
    assert not logits.requires_grad


@pytest.mark.parametrize("threads", [1, 2])
def test_a_step_of_fused_adam_is_that_of_torchs_own_backward(threads: int) -> None:
    torch.manual_seed(2)
    pictures = torch.randn(ROWS, 4, 5, 5).contiguous(memory_format=torch.channels_last)
    ours, torchs = nn.Conv2d(4, 4, 3), nn.Conv2d(4, 4, 3)
    torchs.load_state_dict(ours.state_dict())

    def loss(part: Batch) -> tuple[Tensor, Metrics]:
        return ours(part["x"]).square().mean(), {}

    GradientWorkers(threads).backward(loss, {"x": pictures}, ours)
    torchs(pictures).square().mean().backward()
    for net in (ours, torchs):
        torch.optim.Adam(net.parameters(), 0.1, fused=True).step()
    assert torch.allclose(ours.weight, torchs.weight, atol=1e-4)
