"""Words for the tests of godzillas: where things lie, and how a godzilla can leave its start."""

from smallcity_env import Ask, Game
from smallcity_env.rules import actions
from smallcity_env.text.grid import members
from tests.rulebook.words import play


def found(game: Game, field: str, seat: int = 0) -> str:
    """The spaces of a set in a borough, in reading order: its markers, its godzilla ..."""
    return " ".join(map(actions.space_name, members(game.state.borough[seat][field])))


def ways_out(game: Game) -> set[str]:
    """Every way the only godzilla of the round can leave its start by: A4 north ..."""
    if game.ask in (Ask.LEAVE, Ask.LEAVE_WAY):
        after = [play(game.clone(), actions.name(int(action))) for action in game.legal()]
        return set().union(*map(ways_out, after))
    answers = {entry.ask: actions.name(entry.action) for entry in game.log.entries}
    if Ask.LEAVE not in answers:
        return set()
    return {f"{answers[Ask.LEAVE].removeprefix('at ')} {answers[Ask.LEAVE_WAY]}"}
