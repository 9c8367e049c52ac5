"""`satdoku minimize`: givens dropped until each is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from satdoku.backends import Ending
from satdoku.batch.questions import Answer, Style
from satdoku.clue_symmetry import Symmetry
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import OUTPUT, FormatTo, Timeout, composed, option
from satdoku.commands.puzzles import cells, format_for, named_format, suffixes
from satdoku.commands.searches import STATUS, SetterQuestion, after, asked, item_puzzle, table
from satdoku.formats.line import flat as line
from satdoku.inputs.items import Item
from satdoku.outcome import VERDICTS
from satdoku.pictures import Picture
from satdoku.puzzle import Puzzle
from satdoku.terminal.texts import grid_drawing
from satdoku.variants import REGIONS, mark_label
from satdoku.verdict import Verdict
from satdoku.words import plural

if TYPE_CHECKING:
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.minimize import Minimal

ALL = "all"  # of the givens stay
NEEDED = ("each of them needed", "and it is needed")  # where several are left, where one is
MINIMAL, UNFINISHED = "minimal", "not finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimize(SetterQuestion):
    seed: int = option(OUTPUT, "Random seed for the order in which givens are tried.", default=0)
    keep: str | None = option(OUTPUT, "Cells whose givens stay: r1c1,r5c5; or all.", joined=True, metavar="CELLS")
    marks: bool = option(OUTPUT, "Drop marks that are not needed too, after the givens.", default=False)
    symmetry: Symmetry = option(OUTPUT, "Symmetry of the clue pattern.", default=Symmetry.NONE)
    witness: bool = option(OUTPUT, "For each given that is left, a second solution without it.", default=False)
    to: FormatTo = None
    timeout: Timeout = None
    alone: bool = False
    outcomes, pictures = (MINIMAL, UNFINISHED, *VERDICTS[1:]), True
    columns = table(
        "verdict engines tried puzzle solution givens:int minimal:bool dropped spare untested marks:int marks_dropped"
        " marks_untested witnesses ending reason error"
    )

    def answered(self, solver: IncrementalSolver, item: Item) -> Answer:
        from satdoku.setter.minimize import MinimizeOptions, minimized

        puzzle = item_puzzle(item)
        given = frozenset(cell for cell, value in enumerate(puzzle.givens) if value)
        keep = given if self.keep == ALL else cells(self.keep, puzzle.board) if self.keep else frozenset()
        wish = MinimizeOptions(
            seed=self.seed, keep=keep, symmetry=self.symmetry, timeout=self.timeout, marks=self.marks
        )
        minimal = minimized(solver, puzzle, wish)
        verdict, left = minimal.verdict.value, minimal.puzzle
        record = {**self.about(item), "verdict": verdict, **asked(minimal.engines, minimal.tried)}
        return Answer(
            status=3 if minimal.ending is Ending.TIMEOUT else STATUS[minimal.verdict],
            outcome=verdict if left is None else UNFINISHED if minimal.untested or minimal.marks_untested else MINIMAL,
            record=record
            | (self._result(minimal, left) if left else {"reason": minimal.reason} if minimal.reason else {}),
            engine=after(minimal.engines, minimal.tried),
            view=minimal,
            notes=(_nothing(minimal) if left is None else _note(minimal, left) + _marks(minimal, left) * self.marks,),
            pictures=lambda: () if left is None else (Picture(left),),
        )

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        minimal: Any = answer.view
        if minimal is None or minimal.puzzle is None:
            return None
        board = minimal.puzzle.board
        chosen = format_for(board, self.to, False, not style.alone)
        if style.boxed and self.to is None and chosen.name == "grid":
            text = grid_drawing(board, minimal.puzzle.givens, True)
        else:
            text = chosen.write(minimal.puzzle, metadata=False)
        more = minimal.needed if self.witness else ()
        return "\n".join([text, *(f"# without {_given(minimal.puzzle, c)}: {line(board, g)}" for c, g in more)])

    def _result(self, minimal: Minimal, left: Puzzle) -> dict[str, object]:
        assert minimal.solution is not None
        board = left.board
        record: dict[str, object] = {
            "puzzle": format_for(board, self.to, True, not self.alone).write(left, metadata=False),
            "solution": line(board, minimal.solution),
            "givens": left.given_count,
            "minimal": not minimal.untested and not minimal.spare,
            "dropped": list(map(board.label, minimal.dropped)),
            "spare": list(map(board.label, minimal.spare)),
            "untested": list(map(board.label, minimal.untested)),
            "ending": minimal.ending.value,
        }
        if self.marks:
            record["marks"] = _mark_count(left)
            record["marks_dropped"] = list(map(mark_label, minimal.marks_dropped))
            record["marks_untested"] = list(map(mark_label, minimal.marks_untested))
        if self.witness:
            record["witnesses"] = {_given(left, cell): line(board, grid) for cell, grid in minimal.needed}
        return record


def _nothing(minimal: Minimal) -> str:
    if minimal.verdict is Verdict.UNDECIDED:
        return "undecided: the search was stopped by its timeout before the puzzle was known to be unique"
    reason = f": {minimal.reason}" if minimal.reason else ""
    return f"{minimal.verdict.value}{reason}; only a puzzle with one solution can be minimized"


def _note(minimal: Minimal, left: Puzzle) -> str:
    before, after = minimal.original.given_count, left.given_count
    if not before:
        return "no givens to drop"
    parts = [f"{plural(before, 'given')}, {after or 'none'} left"]
    if minimal.untested:
        parts.append(f"undecided whether {len(minimal.untested)} of them are needed: the timeout came first")
    elif minimal.spare:
        parts.append(
            f"{len(minimal.spare)} of them kept though not needed by {'itself' if after == 1 else 'themselves'}"
        )
    elif after:
        parts.append(NEEDED[after == 1])
    return ", ".join(parts)


def _mark_count(puzzle: Puzzle) -> int:
    return sum(mark.kind not in REGIONS for mark in puzzle.board.marks)


def _marks(minimal: Minimal, left: Puzzle) -> str:
    """`; 5 marks, 3 left, each of them needed; without thermometer at r1c1, ...`."""
    before, after = _mark_count(minimal.original), _mark_count(left)
    if not before:
        return "; no marks to drop"
    text = f"; {plural(before, 'mark')}, {after or 'none'} left"
    if minimal.marks_untested:
        text += f", {len(minimal.marks_untested)} of them untested: the timeout came first"
    elif after:
        text += f", {NEEDED[after == 1]}"
    return text + (f"; without {', '.join(map(mark_label, minimal.marks_dropped))}" if minimal.marks_dropped else "")


def _given(puzzle: Puzzle, cell: int) -> str:
    return f"{puzzle.board.label(cell)}={puzzle.board.shown(puzzle.givens[cell])}"


@composed
def minimize(run: Run, own: Minimize) -> None:
    """Drop givens until each is needed for the solution to be the only one.

    Exit status: 0 minimal, 1 some puzzle has no solution or several, 2 invalid input, 3 some were not finished in
    the time.
    """
    answer(replace(own, to=named_format(own.to, run.output.output)), run, texts=suffixes())
