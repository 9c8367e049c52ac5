"""`satdoku minimize`: givens dropped until each is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from satdoku.backends import Ending
from satdoku.batch.questions import Answer, Asking, Style
from satdoku.batch.totals import plural
from satdoku.commands import Command
from satdoku.commands.asking import answer
from satdoku.commands.options import (
    OUTPUT,
    FormatTo,
    Input,
    Many,
    Output,
    Puzzles,
    Timeout,
    composed,
    key_of,
    option,
)
from satdoku.commands.puzzles import cells
from satdoku.commands.searches import STATUS, puzzle_of
from satdoku.commands.setting import Solving
from satdoku.commands.writing import format_for, named_format, suffixes
from satdoku.generator.recipe import Symmetry
from satdoku.inputs.items import Item
from satdoku.pictures import Picture
from satdoku.puzzle import Puzzle
from satdoku.terminal.grids import drawn, line
from satdoku.verdict import Verdict

if TYPE_CHECKING:
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.minimize import Minimal

MINIMAL, UNFINISHED = "minimal", "not finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Asking):
    """How to minimize.

    keep:    cells whose givens stay, such as `r1c1,r5c5`
    to:      the format of what is left
    witness: whether a second solution is shown for each given that is left
    alone:   whether there is one puzzle in all
    """

    seed: int = 0
    keep: str | None = None
    symmetry: Symmetry = Symmetry.NONE
    timeout: float | None = None
    to: str | None = None
    witness: bool = False
    alone: bool = False
    columns: ClassVar[Mapping[str, type]] = {
        "puzzle": str,
        "verdict": str,
        "result": str,
        "solution": str,
        "givens": int,
        "minimal": bool,
        "dropped": str,
        "spare": str,
        "untested": str,
        "witnesses": str,
        "ending": str,
        "reason": str,
        "error": str,
    }

    def key(self) -> Mapping[str, str]:
        return key_of(self)

    def open(self) -> Solving:
        return Solving(self.answered)

    def answered(self, solver: IncrementalSolver, item: Item) -> Answer:
        """The answer for an item; its status is 0 if what is left is minimal, 1 if there is nothing to minimize."""
        from satdoku.setter.minimize import Wish, minimized

        puzzle = puzzle_of(item)
        keep = frozenset() if self.keep is None else cells(self.keep, puzzle.board)
        found = minimized(solver, puzzle, Wish(self.seed, keep, self.symmetry, self.timeout))
        status = 3 if found.ending is Ending.TIMEOUT else STATUS[found.verdict]
        if found.puzzle is None:
            record: dict[str, object] = {"puzzle": item.name, "verdict": found.verdict.value}
            record |= {"reason": found.reason} if found.reason else {}
            return Answer(
                status=status, outcome=found.verdict.value, record=record, view=found, notes=(_nothing(found),)
            )
        return Answer(
            status=status,
            outcome=UNFINISHED if found.untested else MINIMAL,
            record=self._record(item, found, found.puzzle),
            view=found,
            notes=(_note(found, found.puzzle),),
            pictures=(Picture(found.puzzle),),
        )

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        from satdoku.setter.minimize import Minimal

        found = answer.view
        if not isinstance(found, Minimal):
            return None
        if found.puzzle is None:
            return None
        board = found.puzzle.board
        format = format_for(board, self.to, False, not style.alone)
        if style.boxed and self.to is None and format.name == "grid":
            text = drawn(board, found.puzzle.givens, True)
        else:
            text = format.write(found.puzzle, metadata=False)
        more = found.needed if self.witness else ()
        return "\n".join([text, *(f"# without {_given(found.puzzle, c)}: {line(board, g)}" for c, g in more)])

    def _record(self, item: Item, found: Minimal, left: Puzzle) -> dict[str, object]:
        assert found.solution is not None
        board = left.board
        record: dict[str, object] = {
            "puzzle": item.name,
            "verdict": found.verdict.value,
            "result": format_for(board, self.to, True, not self.alone).write(left, metadata=False),
            "solution": line(board, found.solution),
            "givens": sum(map(bool, left.givens)),
            "minimal": not found.untested and not found.spare,
            "dropped": [board.label(cell) for cell in found.dropped],
            "spare": [board.label(cell) for cell in found.spare],
            "untested": [board.label(cell) for cell in found.untested],
            "ending": found.ending.value,
        }
        if self.witness:
            record["witnesses"] = {_given(left, cell): line(board, grid) for cell, grid in found.needed}
        return record


def _nothing(found: Minimal) -> str:
    if found.verdict is Verdict.UNDECIDED:
        return "undecided: the search was stopped by its timeout before the puzzle was known to be unique"
    reason = f": {found.reason}" if found.reason else ""
    return f"{found.verdict.value}{reason}; only a puzzle with one solution can be minimized"


def _note(found: Minimal, left: Puzzle) -> str:
    before, after = (sum(map(bool, puzzle.givens)) for puzzle in (found.original, left))
    parts = [f"{plural(before, 'given')}, {after} left"]
    if found.untested:
        parts.append(f"undecided whether {len(found.untested)} of them are needed: the timeout came first")
    elif found.spare:
        parts.append(f"{len(found.spare)} of them kept though not needed by {'itself' if after == 1 else 'themselves'}")
    else:
        parts.append("each of them needed")
    return ", ".join(parts)


def _given(puzzle: Puzzle, cell: int) -> str:
    return f"{puzzle.board.label(cell)}={puzzle.board.shown(puzzle.givens[cell])}"


@composed
def command(
    input: Input,
    many: Many,
    output: Output,
    puzzles: Puzzles = None,
    seed: Annotated[int, option(OUTPUT, "--seed", help="Random seed for the order in which givens are tried.")] = 0,
    keep: Annotated[
        str | None, option(OUTPUT, "--keep", metavar="CELLS", help="Cells whose givens stay: r1c1,r5c5.")
    ] = None,
    symmetry: Annotated[Symmetry, option(OUTPUT, "--symmetry", help="Symmetry of the clue pattern.")] = Symmetry.NONE,
    witness: Annotated[
        bool, option(OUTPUT, "--witness", help="For each given that is left, a second solution without it.")
    ] = False,
    to: FormatTo = None,
    timeout: Timeout = None,
) -> None:
    """Drop givens until each is needed for the solution to be the only one.

    Exit status: 0 minimal, 1 some puzzle has no solution or several, 2 invalid input, 3 some were not finished in
    the time.
    """
    format = named_format(to, output.output)
    answer(
        lambda run: Ask(
            seed=seed, keep=keep, symmetry=symmetry, timeout=timeout, to=format, witness=witness, alone=run.alone
        ),
        puzzles=puzzles,
        input=input,
        many=many,
        output=output,
        timeout=timeout,
        known=(MINIMAL, UNFINISHED, *(verdict.value for verdict in Verdict if verdict is not Verdict.UNIQUE)),
        pictures=True,
        texts=suffixes(),
    )


COMMANDS = (Command(name="minimize", function=command, order=80),)
