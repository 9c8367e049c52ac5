"""OPB, the format of the pseudo-Boolean competition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satdoku.constraints import Grid
from satdoku.exports import Target, heading
from satdoku.exports.pseudo_boolean import Program
from satdoku.puzzle import Puzzle


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """The format numbers its variables, so comments `* varname x7 r1c1=7` name them."""
    return _lines(puzzle, Program(puzzle, blocked))


def _lines(puzzle: Puzzle, program: Program) -> Iterator[str]:
    # The first line counts what follows, and a second walk costs less than keeping all sums.
    yield f"* #variable= {program.variables} #constraint= {sum(1 for _ in program.sums())}\n"
    for line in heading(puzzle, "export opb"):
        yield f"* {line}\n"
    for variable in range(1, program.variables + 1):
        name = program.name(variable)
        if name is None:
            break
        yield f"* varname x{variable} {name}\n"
    for each in program.sums():
        terms = " ".join(f"{coefficient:+d} x{variable}" for coefficient, variable in each.terms)
        yield f"{terms} {'>=' if each.least else '='} {each.total} ;\n"


TARGETS = (Target(name="opb", summary="OPB, for pseudo-Boolean solvers", write=write),)
