"""CP-SAT's model as protobuf text, which `CpModel.proto.parse_text_format` and the solver's own tools read."""

from collections.abc import Iterator, Sequence
from itertools import chain

from satdoku.constraints import Grid
from satdoku.encoders.cpsat import encode
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Puzzle


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """Variables bear the names of cells; a cell without candidates keeps all, and a false clause says so."""
    model = encode(puzzle.board)
    every = puzzle.board.every_value
    model.restrict(Puzzle(puzzle.board, tuple(allowed or every for allowed in puzzle.candidates)))
    if not all(puzzle.candidates):
        model.model.add_bool_or([]).with_name("a cell without candidates")
    if blocked:
        shown = [[*map(puzzle.board.shown, grid)] for grid in blocked]
        model.model.add_forbidden_assignments(model.cells, shown).with_name("blocked")
    model.model.name = plain(puzzle.name)
    text = str(model.model.proto).rstrip("\n")
    return chain((f"# {line}\n" for line in heading(puzzle, "export cpsat")), [text, "\n"])


TARGETS = (Target(name="cpsat", summary="the model of OR-Tools CP-SAT, as protobuf text", write=write),)
