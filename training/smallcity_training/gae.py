"""What a decision was worth to the seat that took it: advantages seat by seat.

In self-play the seat that answers changes from step to step, and what a seat is paid for an answer comes
while others answer. So every seat of every game has its own account: what it was paid since its last
answer, and what it expected at its next one.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Worth(NamedTuple):
    """Of every decision (steps, games)."""

    advantages: Floats
    returns: Floats
    known: Bools  # False: the seat was not asked again, so nobody knows yet


def worth(
    seats: Ints,
    values: Floats,
    paid: Floats,
    over: Bools,
    last_seats: Ints,
    last_values: Floats,
    discount: float,
    trace: float,
) -> Worth:
    """Advantages of the decisions of (steps, games), with GAE seat by seat.

    `seats` answered, expecting `values`; then everybody was `paid` (steps, games, seats), and the game was
    `over` or not. At the end `last_seats` are asked, expecting `last_values`.
    """
    steps, games = seats.shape
    rows = np.arange(games)
    account = _Accounts(games, paid.shape[2])
    account.expect(rows, last_seats, last_values)
    advantages, known = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.bool_)
    for t in range(steps - 1, -1, -1):
        account.close(over[t])
        account.since += paid[t]
        known[t] = account.known[rows, seats[t]]
        surprise = account.surprise(rows, seats[t], values[t], discount, trace)
        advantages[t] = np.where(known[t], surprise, 0)
        account.expect(rows, seats[t], values[t], advantages[t])
    return Worth(advantages, advantages + values, known)


class _Accounts:
    """What is known of the future of every seat, going back in time."""

    def __init__(self, games: int, seats: int) -> None:
        self.since = np.zeros((games, seats), np.float32)  # paid since the seat's last answer
        self.expected = np.zeros((games, seats), np.float32)  # at its next answer
        self.carried = np.zeros((games, seats), np.float32)  # its next answer's advantage
        self.known = np.zeros((games, seats), np.bool_)

    def close(self, over: Bools) -> None:
        """After the end nothing comes."""
        self.since[over], self.expected[over], self.carried[over], self.known[over] = 0, 0, 0, True

    def surprise(self, rows: Ints, seats: Ints, values: Floats, discount: float, trace: float) -> Floats:
        """How much better it went than the seats expected."""
        where = rows, seats
        error = self.since[where] + discount * self.expected[where] - values
        surprise: Floats = error + discount * trace * self.carried[where]
        return surprise

    def expect(self, rows: Ints, seats: Ints, values: Floats, carried: Floats | float = 0.0) -> None:
        """An answer of these seats, earlier than all known so far."""
        where = rows, seats
        self.since[where], self.expected[where], self.carried[where] = 0, values, carried
        self.known[where] = True
