"""MiniZinc, with all four constraints under their global names."""

from collections.abc import Iterable, Iterator, Sequence

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear, Table
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Board, Puzzle, members


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """One variable a cell, named as the cell, over shown values; what is printed is the grid, row by row."""
    board = puzzle.board
    for line in heading(puzzle, "export minizinc"):
        yield f"% {line}\n"
    yield 'include "alldifferent.mzn";\ninclude "regular.mzn";\ninclude "table.mzn";\n\n'
    for cell, allowed in enumerate(puzzle.domains):
        yield f"var {_domain(allowed or board.every_value, board)}: {board.label(cell)};\n"
    yield "\n"
    if not all(puzzle.candidates):
        yield "constraint false; % a cell without candidates\n"
    for rule in board.constraints:
        yield f"constraint {_expression(rule, board)}; % {plain(rule.name)}\n"
    for grid in blocked:
        differs = ", ".join(f"{board.label(cell)} != {board.shown(value)}" for cell, value in enumerate(grid))
        yield f"constraint exists([{differs}]); % blocked\n"
    yield "\nsolve satisfy;\n\noutput [\n"
    for start in range(0, board.cells, board.columns):
        row = range(start, min(start + board.columns, board.cells))
        yield '  "' + " ".join(f"\\({board.label(cell)})" for cell in row) + '\\n",\n'
    yield "];\n"


def _domain(allowed: int, board: Board) -> str:
    if allowed == board.every_value:
        return board.size.span
    return "{" + ", ".join(str(board.shown(value)) for value in members(allowed)) + "}"


def _expression(rule: Constraint, board: Board) -> str:
    if not rule.cells:
        return "true" if rule.holds(()) else "false"
    cells = "[" + ", ".join(map(board.label, rule.cells)) + "]"
    match rule:
        case AllDifferent():
            return f"alldifferent({cells})"
        case Linear():
            terms = zip(rule.coefficients, rule.cells, strict=True)
            total = rule.total + (board.first_value - 1) * sum(rule.coefficients)
            return " + ".join(f"{c}*{board.label(cell)}" for c, cell in terms) + f" = {total}"
        case Table():
            rows = sorted([board.shown(value) for value in row] for row in rule.tuples if min(row) > 0)
            return f"table({cells}, {_matrix(rows)})" if rows else "false"
        case Automaton():
            return _regular(rule, board)


def _regular(rule: Automaton, board: Board) -> str:
    """`regular` numbers states from 1 and wants a next state for every value from 1; 0 is failure."""
    states = {rule.start, *rule.accepting}
    states.update(state for step in rule.transitions for state in (step[0], step[2]))
    number = {state: index for index, state in enumerate(sorted(states), 1)}
    if not rule.accepting:
        return "false"
    step = rule.step()
    most = max(board.domain(cell).bit_length() - 1 for cell in rule.cells)
    values = range(1, most + 1)
    rows = [[number[step[state, value]] if (state, value) in step else 0 for value in values] for state in number]
    accepting = "{" + ", ".join(str(number[state]) for state in sorted(rule.accepting)) + "}"
    by = f" - {board.first_value - 1}".replace("- -", "+ ") if board.first_value != 1 else ""
    cells = "[" + ", ".join(board.label(cell) + by for cell in rule.cells) + "]"
    arguments = [cells, str(len(number)), str(most), _matrix(rows), str(number[rule.start])]
    return f"regular({', '.join(arguments)}, {accepting})"


def _matrix(rows: Iterable[Sequence[int]]) -> str:
    return "[| " + " | ".join(", ".join(map(str, row)) for row in rows) + " |]"


TARGETS = (Target(name="minizinc", summary="MiniZinc, with alldifferent, table and regular", write=write),)
