"""Digits and pencil marks that a solver entered: left out with a word, unless they are to count as givens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from satdoku.formats import Options
from satdoku.puzzle import Puzzle


def with_entered(
    puzzle: Puzzle, digits: Mapping[int, int], options: Options, marks: Mapping[int, int] | None = None
) -> tuple[Puzzle, list[str]]:
    """The puzzle, with what was entered if `options` ask for it, and a note if they do not.

    digits: the values 1..N of cells
    marks:  the candidates of cells, as `Puzzle` has them
    """
    pencilled = {cell: allowed for cell, allowed in (marks or {}).items() if allowed != puzzle.board.every_value}
    if options.entered:
        candidates = list(puzzle.candidates)
        for cell, allowed in [*pencilled.items(), *((cell, 1 << value) for cell, value in digits.items())]:
            candidates[cell] &= allowed
        return replace(puzzle, candidates=tuple(candidates)), []
    parts = [f"{len(digits)} entered digit{'s' * (len(digits) != 1)}"] if digits else []
    parts += [f"pencil marks in {len(pencilled)} cell{'s' * (len(pencilled) != 1)}"] if pencilled else []
    return puzzle, [f"{' and '.join(parts)} left out; with `entered` they count as givens"] if parts else []
