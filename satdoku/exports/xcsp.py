"""XCSP3-core, with all four constraints under their own names."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear, Table
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Board, Puzzle, members

NEVER = "<intension> eq({cell},add({cell},1)) </intension>"


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """One variable a cell, named as the cell, over shown values."""
    board = puzzle.board
    domains = [allowed or board.every_value for allowed in puzzle.domains]
    yield '<instance format="XCSP3" type="CSP">\n'
    for line in heading(puzzle, "export xcsp"):
        yield f"<!-- {_comment(line)} -->\n"
    yield "<variables>\n"
    for cell, allowed in enumerate(domains):
        values = " ".join(str(board.shown(value)) for value in members(allowed))
        yield f'  <var id="{board.label(cell)}"> {values} </var>\n'
    yield "</variables>\n<constraints>\n"
    never = NEVER.format(cell=board.label(0))
    if not all(puzzle.candidates):
        yield f"  {never}\n"
    for rule in board.constraints:
        yield f"  <!-- {_comment(plain(rule.name))} -->\n"
        yield f"  {_element(rule, board, domains) or never}\n"
    for grid in blocked:
        cells = " ".join(map(board.label, range(board.cells)))
        values = ",".join(str(board.shown(value)) for value in grid)
        yield f"  <extension> <list> {cells} </list> <conflicts> ({values}) </conflicts> </extension>\n"
    yield "</constraints>\n</instance>\n"


def _element(rule: Constraint, board: Board, domains: Sequence[int]) -> str | None:
    """None for a constraint that no grid satisfies."""
    if not rule.cells:
        return "<!-- true -->" if rule.holds(()) else None
    cells = " ".join(map(board.label, rule.cells))
    match rule:
        case AllDifferent():
            return f"<allDifferent> {cells} </allDifferent>" if len(rule.cells) > 1 else "<!-- one cell -->"
        case Linear():
            total = rule.total + (board.first_value - 1) * sum(rule.coefficients)
            factors = " ".join(map(str, rule.coefficients))
            condition = f"<condition> (eq,{total}) </condition>"
            return f"<sum> <list> {cells} </list> <coeffs> {factors} </coeffs> {condition} </sum>"
        case Table():
            rows = sorted([board.shown(value) for value in row] for row in rule.tuples if _fits(row, rule, domains))
            if not rows:  # some readers take no table without a row that fits
                return None
            if len(rule.cells) == 1:  # a list of values, without brackets
                supports = " ".join(str(value) for (value,) in rows)
            else:
                supports = "".join(f"({','.join(map(str, row))})" for row in rows)
            return f"<extension> <list> {cells} </list> <supports> {supports} </supports> </extension>"
        case Automaton():
            return _regular(rule, cells, board)


def _fits(row: Sequence[int], rule: Table, domains: Sequence[int]) -> bool:
    return min(row) > 0 and all(domains[cell] >> value & 1 for cell, value in zip(rule.cells, row, strict=True))


def _regular(rule: Automaton, cells: str, board: Board) -> str | None:
    if not rule.accepting or not rule.transitions:
        return None
    steps = "".join(f"(q{a},{board.shown(value)},q{b})" for a, value, b in sorted(rule.transitions))
    final = " ".join(f"q{state}" for state in sorted(rule.accepting))
    parts = f"<transitions> {steps} </transitions> <start> q{rule.start} </start> <final> {final} </final>"
    return f"<regular> <list> {cells} </list> {parts} </regular>"


def _comment(text: str) -> str:
    """Text in a comment of XML, where two hyphens may not follow each other."""
    return escape(text).replace("--", "- -").removesuffix("-")


TARGETS = (Target(name="xcsp", summary="XCSP3, with allDifferent, sum, extension and regular", write=write),)
