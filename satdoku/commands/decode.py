"""`satdoku decode`: the grid in a SAT solver's answer."""

import json
from typing import Annotated

import typer

from satdoku.commands import Command
from satdoku.commands.options import INPUT, AsJson, composed
from satdoku.commands.puzzles import once, raw, shown, text_of
from satdoku.errors import InputError
from satdoku.exports.answers import Status
from satdoku.limits import MAX_CNF
from satdoku.terminal.messages import say
from satdoku.terminal.texts import drawn, line

STATUS = {Status.SATISFIABLE: 0, Status.UNSATISFIABLE: 1, Status.UNKNOWN: 3}

SENTENCES = {
    Status.SATISFIABLE: None,
    Status.UNSATISFIABLE: "unsatisfiable: the solver says that no grid satisfies the clauses",
    Status.UNKNOWN: "undecided: the solver stopped without an answer",
}


@composed
def command(
    cnf: Annotated[str, typer.Argument(help="The CNF that the solver read; or - for standard input.")],
    answer: Annotated[str, typer.Argument(help="What the solver wrote; or - for standard input.")],
    map: Annotated[
        str | None,
        typer.Option(help="What `export --map` wrote; needed if satdoku did not write the CNF.", rich_help_panel=INPUT),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The grid in a SAT solver's answer, checked against the puzzle and every clause.

    Exit status: 0 a grid, 1 the answer says unsatisfiable, 2 invalid input or a wrong answer, 3 undecided.
    """
    from satdoku.exports.decode import decode
    from satdoku.exports.names import from_json

    once(cnf, answer, map)
    # The answer first: in a pipe it ends when the solver does, and the CNF beside it is complete by then.
    text = text_of(answer)
    try:
        names = None if map is None else from_json(text_of(map, MAX_CNF))
    except InputError as error:
        raise InputError(f"{shown(map or '')}: {error}") from None
    found = decode(raw(cnf, MAX_CNF), text, names, (shown(cnf), shown(answer)))
    board, grid = found.puzzle.board, found.grid
    if as_json:
        record: dict[str, object] = {"puzzle": found.puzzle.name, "answer": found.status.value}
        if grid is not None:
            record |= {"solution": line(board, grid), "refereed": found.refereed}
        print(json.dumps(record, ensure_ascii=False))
    else:
        note = SENTENCES[found.status]
        if grid is not None:
            print(drawn(board, grid))
            note = None if found.refereed else "checked against the clauses alone: the puzzle's rules are not known"
        if note is not None:
            say(f"{found.puzzle.name}: {note}")
    raise typer.Exit(STATUS[found.status])


COMMANDS = (Command(name="decode", function=command, order=110),)
