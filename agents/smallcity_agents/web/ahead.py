"""Building at the same time (P2.1): answers of Phase 2 given ahead, kept, and played in turn order.

Who builds ahead does so in a copy of the game in which nobody else has built: it shows nothing of theirs.
"""

from typing import TypeAlias

from smallcity_env.game import Game
from smallcity_env.log import Log, replay_steps
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.rules.tables.names import tile_title
from smallcity_env.text.wording import shown

from ..play.match import Match

Gesture: TypeAlias = list[tuple[int, int]]  # questions and answers


class Ahead:
    """What people have answered ahead in the Phase 2 that is being played."""

    def __init__(self, kept: dict[int, list[Gesture]] | None = None) -> None:
        self.kept = kept or {}
        self.missed: set[int] = set()  # seats of whom an answer has become illegal
        self._begun: tuple[int, int, Game] | None = None  # round, log, game at its Phase 2

    def game(self, game: Game, seat: int | None) -> Game | None:
        """The copy in which a seat builds ahead; None if it is its turn, or it has built."""
        if seat is None or seat < 0 or game.over or game.phase is not Phase.BUILD or game.seat == seat:
            return None
        first, start = self._start(game)
        if any(entry.seat == seat for entry in game.log.entries[first:]):
            return None
        copy = start.clone()
        while _builds(copy) and copy.seat != seat:
            copy.step(actions.NO if actions.NO in copy.legal() else int(copy.legal()[0]))
        for _, action in (answer for gesture in self.kept.get(seat, []) for answer in gesture):
            if action not in copy.legal():  # stored by something else
                del self.kept[seat]
                return self.game(game, seat)
            copy.step(action)
        return copy if _builds(copy) and copy.seat == seat else None

    def _start(self, game: Game) -> tuple[int, Game]:
        """The length of the log when Phase 2 of this round began, and the game then."""
        if self._begun is None or self._begun[0] != game.round:
            phases = ((s.before["round_no"], s.before["phase"]) for s in replay_steps(game.log))
            now = (game.round, Phase.BUILD)
            first = next((n for n, phase in enumerate(phases) if phase == now), len(game.log))
            start = Game.replay(Log(game.log.start, game.log.entries[:first]))
            self._begun = game.round, first, start
        return self._begun[1:]

    def keep(self, seat: int, before: Game, after: Game) -> None:
        """Keep the answers of a gesture; `after` is the copy after them."""
        added = after.log.entries[len(before.log) :]
        gesture = [(int(e.ask), e.action) for e in added if e.seat == seat and not e.forced]
        self.kept.setdefault(seat, []).append(gesture)

    def undo(self, seat: int) -> bool:
        """Forget the last gesture of a seat; return whether there was one."""
        if not self.kept.get(seat):
            return False
        self.kept[seat].pop()
        return True

    def last(self, seat: int | None) -> str:
        """What `undo` takes back, in words that say nothing of the others; empty if nothing."""
        gestures = self.kept.get(-1 if seat is None else seat)
        return shown(gestures[-1][0][1], tile_title) if gestures and gestures[-1] else ""

    def play(self, match: Match) -> bool:
        """Play what the seat asked has answered ahead, as far as it is legal; return whether anything was."""
        seat = match.game.seat
        if match.game.over or match.game.phase is not Phase.BUILD or not self.kept.get(seat):
            return False
        gestures, played = self.kept.pop(seat), False
        for gesture in gestures:
            after = match.game.clone()
            for ask, action in gesture:
                if (after.seat, after.ask) != (seat, Ask(ask)) or action not in after.legal():
                    self.missed.add(seat)
                    return played
                after.step(action)
            match.advance(after)
            played = True
        return played


def _builds(game: Game) -> bool:
    return not game.over and game.phase is Phase.BUILD
