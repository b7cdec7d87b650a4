"""The guided first game: a sentence for each new thing, a suggestion, and kind words about costly answers.

Numbers come from the tables, and suggestions from the champion: other rules change what is said, not how.
"""

from collections.abc import Iterator
from typing import Any, Final

from smallcity_env import batch
from smallcity_env.game import Game
from smallcity_env.language import Text, lazy, lazy_n
from smallcity_env.log import Step, replay_steps, state_of
from smallcity_env.rules.tables import BUILDS, ELIMINATED_AT, GROW_COST, HOME_VOTES, TOURIST_FEE, Ask, Phase
from smallcity_env.rules.tables.cards import ADVANCE_COST, BROKEN, DIFFICULTIES
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.text import pieces

from ..play import analysis, review
from ..play.match import Match
from ..play.view import label

SEED: Final = 38
OPPONENT: Final = "level:1"
NEXT: Final = "level:2"
ROUNDS: Final = 3  # with the guide; then the person plays alone
SUGGESTED: Final = 1  # rounds with a suggestion for every question
MISTAKE: Final = 3.0  # points an answer may cost before the guide mentions it
LINE: Final = (Ask.WHAT, Ask.WHERE, Ask.WAY)  # one gesture on the page

CITY_HALL: Final = lazy(
    "This is your borough. City Hall comes first: homes will stand around it, so keep away from the corners."
)
QUESTIONS: Final[dict[Ask, Text]] = {
    Ask.DIFFICULTY: lazy(
        "Promise the voters something. The easiest promise is worth {least} points if you keep it and costs "
        "{broken} if you break it; harder ones are worth up to {most}. You then draw which one, in secret.",
        least=DIFFICULTIES[0],
        most=DIFFICULTIES[-1],
        broken=int(BROKEN[0]),
    ),
    Ask.CARD: lazy("Phase 1: take one card for this round. What you take, your opponent cannot have."),
    Ask.WHAT: lazy_n(
        "Phase 2: {n} build behind your screen, or a larger zone for ${grow}. Citizens vote at home and earn "
        "in shops and factories. A home of level 1 costs {cost} and needs {needs}.",
        "Phase 2: up to {n} builds behind your screen, or a larger zone for ${grow}. Citizens vote at home "
        "and earn in shops and factories. A home of level 1 costs {cost} and needs {needs}.",
        BUILDS,
        grow=GROW_COST,
        cost=pieces.cost(Kind.RESIDENTIAL_1),
        needs=pieces.criterion(Kind.RESIDENTIAL_1),
    ),
    Ask.MOVE: lazy(
        "Phase 3: every citizen may move once, from home to work or back. Who comes home votes; who goes to "
        "a shop or a factory brings money or materials."
    ),
    Ask.ABROAD: lazy(
        "A citizen abroad is a Tourist: what it earns is yours, and your neighbour gets ${fee}.",
        fee=TOURIST_FEE,
    ),
    Ask.TRADE: lazy("This space of a shop trades: a material for money or votes, if you like."),
    Ask.ROW: lazy(
        "Phase 7: a disc moves one column on in the City Council, and you take the reward of that column. "
        "The first costs {cost}.",
        cost=int(ADVANCE_COST[1]),
    ),
    Ask.PAY: lazy("Pay with money or with votes; every vote is a point at the end."),
    Ask.DIES: lazy("Pollution has become so high that a citizen dies: you choose which one."),
    Ask.STREET: lazy("The Mayor parades in a street of his host: nothing can be built there this round."),
    Ask.SUPPORT: lazy("The Supporter brings money or votes: money builds, votes are points."),
}
PHASES: Final[dict[Phase, Text]] = {  # that pass without a question
    Phase.INCOME: lazy("Phase 4: shops pay whoever has gone to them, and factories produce."),
    Phase.VOTE: lazy_n(
        "Phase 5: every citizen who came home voted. A home of level 1 gives {n} vote, larger homes more.",
        "Phase 5: every citizen who came home voted. A home of level 1 gives {n} votes, larger homes more.",
        int(HOME_VOTES[1]),
    ),
    Phase.POLLUTION: lazy(
        "Phase 6: people and busy factories pollute, parks clean. Pollution counts against you at the end, "
        "and at {out} you are out.",
        out=ELIMINATED_AT,
    ),
    Phase.VISIT: lazy("Phase 8: the Mayor has moved on to his next host, and a new round begins."),
}
FREE: Final = lazy("From here on you play by yourself. Hint, Coach and Undo stay with you.")
SILENT: Final[dict[str, Any]] = {"lessons": [], "suggestion": [], "action": None, "mistake": None}


def guide(match: Match) -> dict[str, Any]:
    """What the guide says to the person asked."""
    game, gesture = match.game, _gesture(match)
    if game.round > ROUNDS:
        first = not gesture or gesture[0].before["round_no"] <= ROUNDS
        return SILENT | {"lessons": [str(FREE)] if first else []}
    action, suggestion = _suggestion(game) if game.round <= SUGGESTED else (None, [])
    lessons = [str(lesson) for lesson in _lessons(game, gesture)]
    return {"lessons": lessons, "suggestion": suggestion, "action": action, "mistake": _mistake(gesture)}


def _gesture(match: Match) -> list[Step]:
    """The answers of the person's last gesture, with the positions before them."""
    log, seat = match.game.log, match.game.seat
    first = match.begun[-1] if match.begun else len(log)
    steps = list(replay_steps(log))[first:]
    return [step for step in steps if step.entry.seat == seat and not step.entry.forced]


def _lessons(game: Game, gesture: list[Step]) -> Iterator[Text]:
    """The sentences about what has appeared for the first time since the last answer."""
    if game.phase is Phase.SETUP and game.ask is Ask.WHERE:
        yield CITY_HALL
        return
    last = [int(gesture[0].before[name]) for name in ("round_no", "phase")] if gesture else [0, 0]
    for phase, lesson in PHASES.items():
        if last < [1, phase] <= [game.round, game.phase]:
            yield lesson
    given = {entry.ask for entry in game.log.entries if entry.seat == game.seat and not entry.forced}
    if game.ask in QUESTIONS and game.ask not in given:
        yield QUESTIONS[game.ask]


def _suggestion(game: Game) -> tuple[int, list[str]]:
    """The champion's answer, and what it would do in the same gesture."""
    seen = analysis.analyse(game.states)
    together = len(LINE) if game.ask in LINE else 1
    mine = [words for seat, words in seen.line[:together] if seat == game.seat]
    return seen.best, mine[:2] if game.ask is Ask.WHAT else mine[:1]


def _mistake(steps: list[Step]) -> dict[str, Any] | None:
    """The costliest answer of a gesture, if it cost much."""
    if not steps:
        return None
    states = batch.join([state_of(step.before.tobytes()) for step in steps])
    chosen = [step.entry.action for step in steps]
    found = review.better_answers(states, chosen)
    worst = max(range(len(steps)), key=lambda n: found[n][1])
    best, cost = found[worst]
    if cost < MISTAKE:
        return None
    given, better = (label(steps[worst].before, steps[worst].entry.seat, a) for a in (chosen[worst], best))
    why = review.why(states[worst : worst + 1], chosen[worst], best)
    return {"given": given, "better": better, "cost": round(cost, 1), "why": why}
