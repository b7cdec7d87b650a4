"""The citizens a person can still move in Phase 3, so that several can be moved at once (P3.1)."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from smallcity_env.batch import IllegalAction
from smallcity_env.game import Game
from smallcity_env.rules import actions
from smallcity_env.rules.tables import SEATS, Ask

MOST: Final = 40  # citizens asked about in one turn, at most
Plan: TypeAlias = dict[tuple[int, int], list[int]]  # by borough and space of a citizen: the answers


@dataclass(frozen=True)
class Mover:
    """A citizen and where they can go as long as nobody else moves."""

    where: int  # the borough they are in
    space: int
    goals: tuple[int, ...]  # spaces at home
    abroad: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by borough


def movers(game: Game) -> tuple[Mover, ...]:
    """The citizens who will be asked about in this turn, in order; empty at other questions."""
    if game.ask is not Ask.MOVE:
        return ()
    asked: list[Mover] = []
    copy, seat = game.clone(), game.seat
    while copy.ask is Ask.MOVE and copy.seat == seat and len(asked) < MOST:
        asked.append(_mover(copy))
        copy.step(actions.NO)
    return tuple(asked)


def _mover(game: Game) -> Mover:
    """The citizen being asked about."""
    legal = [int(action) for action in game.legal()]
    goals = tuple(action for action in legal if action < actions.BUILD)
    hosts = [action - actions.SEAT for action in legal if actions.SEAT <= action < actions.SEAT + SEATS]
    abroad = {host: _goals_abroad(game, host) for host in hosts}
    return Mover(int(game.state["asked_borough"]), int(game.state["space"]), goals, abroad)


def _goals_abroad(game: Game, host: int) -> tuple[int, ...]:
    """Where a Tourist can go in a borough."""
    copy = game.clone()
    before = len(copy.log)
    copy.step(actions.SEAT + host)
    if copy.ask is Ask.ABROAD:
        return tuple(int(action) for action in copy.legal())
    return (copy.log.entries[before + 1].action,)  # the only one


def tourists(game: Game, citizens: tuple[Mover, ...]) -> dict[int, int]:
    """The number of these citizens who can become Tourists in each borough (P3.2)."""
    return {host: _sent(game, host) for host in {host for mover in citizens for host in mover.abroad}}


def _sent(game: Game, host: int) -> int:
    """The number of citizens in one borough if all who can go there do."""
    copy, seat, sent = game.clone(), game.seat, 0
    while copy.ask is Ask.MOVE and copy.seat == seat:
        goes = bool(copy.mask()[actions.SEAT + host])
        copy.step(actions.SEAT + host if goes else actions.NO)
        if copy.state["ask"] == Ask.ABROAD:
            copy.step(int(copy.legal()[0]))
        sent += goes
    return sent


def apply_plan(game: Game, plan: Plan, rest_stays: bool) -> None:
    """Move citizens by a plan, in the order of the questions; the others stay or are asked about."""
    seat, left = game.seat, {key: list(moves) for key, moves in plan.items()}
    while game.ask is Ask.MOVE and game.seat == seat:
        key = int(game.state["asked_borough"]), int(game.state["space"])
        moves = left.pop(key, [])
        if not moves and not rest_stays:
            return
        before = len(game.log)
        for action in moves or [actions.NO]:
            if _answered(game, before, action):
                continue
            game.step(action)
    if left and rest_stays:
        borough, space = next(iter(left))
        raise IllegalAction(f"nobody at space {space} of borough {borough} is asked to move now")


def _answered(game: Game, before: int, action: int) -> bool:
    """Whether an answer was already given as a forced one: a Tourist's only space."""
    answered = game.log.entries[before:]
    return any(entry.forced and entry.ask is Ask.ABROAD and entry.action == action for entry in answered)
