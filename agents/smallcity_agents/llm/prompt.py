"""A seat's view of a game in words, for language models.

Everything is said about a redacted copy, in which what the seat cannot see is resampled with a fixed seed:
the text cannot depend on it. Only the legal answers are those of the real game.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from smallcity_env import batch
from smallcity_env.game import Game
from smallcity_env.language import Listed, _, joined
from smallcity_env.rules import scoring
from smallcity_env.rules.actions import space_name
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.promises import BY_NUMBER, Metric, Promise
from smallcity_env.show import Ink
from smallcity_env.text.promises import metric_words
from smallcity_env.text.wording import seat_name

from .. import AGENTS
from ..play import view
from ..play.match import HUMAN
from ..play.movers import Mover
from ..play.turn import Turn, turn

SEED: Final = 1  # of what is resampled: any fixed one
UNWRAPPED: Final = 0  # columns
GOALS: Final = 14  # spaces a citizen can go to that are listed
OPPONENT: Final = "opponent"
PLAIN: Final = Ink(False)


def redacted(game: Game, seat: int) -> Game:
    """A copy of a game without what a seat cannot see; the legal answers stay those of the game."""
    seen = game.clone()
    seen.states = batch.fork(game.states, seat, [SEED])
    return seen


def safe_names(names: Sequence[str], you: int) -> list[str]:
    """The players as a model is told about them: names that somebody chose freely could give it orders."""
    known = [name if re.fullmatch(r"[a-z]+(:[a-z0-9=.,]*)?", name) else OPPONENT for name in names]
    ours = [name if name.partition(":")[0] in (*AGENTS, HUMAN) else OPPONENT for name in known]
    return [_("you") if p == you else name for p, name in enumerate(ours)]


# -- the table


def table_text(seen: Game, you: int, names: Sequence[str], seats: Collection[int] = ()) -> str:
    """Tracks, promises and boroughs of a redacted game; `seats` limits the boroughs that are drawn."""
    marked = [] if seen.over or seen.seat != you else view.spaces_in(seen.legal().tolist())
    lines = [*view.score_lines(seen.states, you, names, UNWRAPPED, PLAIN), *_progress(seen.state, you)]
    lines += ["", *view.board_lines(seen.state, you, names, 1, PLAIN, seats, marked)]
    return compact(lines)


def legend_text(seen: Game) -> str:
    """How boroughs are drawn."""
    return compact(view.legend_lines(seen.state, UNWRAPPED, PLAIN))


def compact(lines: Sequence[str]) -> str:
    """Lines with single blanks: columns need not be aligned."""
    return "\n".join(re.sub(r" {2,}", " ", line).rstrip() for line in lines).strip("\n")


def _progress(state: Any, you: int) -> Iterator[str]:
    """How far the seat's own promises are."""
    b = state["borough"][you]
    for number in (int(b[which]) for which in ("promise", "special") if b[which]):
        promise = BY_NUMBER[number]
        values = {"name": promise.name, "measured": Listed(_measured(state, you, promise))}
        if scoring.kept(state, you, number):
            yield _("{name}: kept if the game ended now ({measured})", **values)
        else:
            yield _("{name}: not kept yet ({measured})", **values)


def _measured(state: Any, you: int, promise: Promise) -> Iterator[str]:
    """The present amount of everything a promise counts."""
    for need in promise.needs:
        metric = Metric(need.metric)
        yield f"{metric_words(metric)} {int(scoring.measure(state, you, metric))}"


# -- the question


def question_text(seen: Game) -> str:
    """The question of a redacted game and its legal answers with their effects."""
    asked, you = turn(seen), seen.seat
    question = f"{asked.question} ({asked.count})" if asked.count else asked.question
    lines = [_("{moment}. You are seat {p}.", moment=asked.title, p=you)]
    lines.append(_("Question: {question}", question=question))
    if asked.ask is Ask.ROW:
        lines += view.council_lines(seen.state, you, UNWRAPPED, PLAIN)
    effects = {answer.action: answer.effect for answer in asked.answers}
    lines += [_("Answers:"), *view.answer_lines(seen.state, you, asked.legal, effects, UNWRAPPED)]
    return compact([*lines, *_moves(asked)])


def help_text(seen: Game) -> str:
    """What the question is about, and why builds that are not offered are not possible."""
    asked = turn(seen)
    refused = (_("not {names}: {reason}", names=Listed(n), reason=why) for why, n in asked.reasons.items())
    return "\n".join([asked.help, *refused]).strip()


def _moves(asked: Turn) -> Iterator[str]:
    """The citizens who can be moved in one go."""
    if len(asked.movers) > 1:
        yield _("You may still move, with `go`: {movers}", movers=joined(map(_mover, asked.movers)))


def _mover(mover: Mover) -> str:
    """A citizen and where he can go."""
    goals = [space_name(goal) for goal in mover.goals]
    goals += [f"{host}:{space_name(goal)}" for host, spaces in mover.abroad.items() for goal in spaces]
    more = " ..." if len(goals) > GOALS else ""
    return _("{space} to {goals}", space=space_name(mover.space), goals=" ".join(goals[:GOALS]) + more)


def result_text(game: Game, you: int) -> str:
    """How a game ended for a seat."""
    scores, ranking = game.scores(), game.ranking()
    place = 1 + sum(len(tied) for tied in ranking[: next(k for k, t in enumerate(ranking) if you in t)])
    named = [view.player(p, _("you")) if p == you else seat_name(p) for p in range(len(scores))]
    points = Listed(f"{name} {n}" for name, n in zip(named, scores, strict=True))
    said = [_("The game is over. Scores: {points}.", points=points)]
    said += [_("You were eliminated.")] if game.state["borough"][you]["out"] else []
    alone = len(scores) == 1
    said.append(_("Title: {title}.", title=game.title()) if alone else _("Your place: {n}.", n=place))
    return " ".join(said)
