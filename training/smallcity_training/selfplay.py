"""Self-play: a learner with its company."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .learner import Learner, passed
from .opponent_pool import Company


class SelfPlay(Learner):
    """A learner that plays itself, its past and scripted opponents."""

    def __init__(self, run: Any, wanted: Any) -> None:
        super().__init__(run, wanted)
        self.company = Company(wanted, run.folder / "checkpoints", self.net)
        self.new_tables()

    def new_tables(self) -> None:
        """Seats for the games of a stage."""
        self.company.sit_down(self.tables, self.config.seed + self.stage)

    def ended(self, over: npt.NDArray[np.bool_]) -> None:
        """Games have ended and begun anew."""
        rows = np.flatnonzero(over)
        self.games += len(rows)
        self.company.seating.draw(rows)

    def milestones(self, before: int) -> None:
        """Also, now and then, the net as it is becomes one of the opponents."""
        if passed(before, self.steps, self.config.pool_every):
            self.company.add_to_pool(self.keep().name)
        super().milestones(before)

    def kept(self) -> dict[str, Any]:
        """Also who sits where."""
        return super().kept() | {"company": self.company.kept()}

    def go_on(self, kept: dict[str, Any]) -> None:
        """Also who sits where."""
        super().go_on(kept)
        self.new_tables()
        self.company.go_on(kept["company"])
