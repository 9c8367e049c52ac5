"""SMT-LIB 2: an integer variable a cell, over shown values."""

from collections.abc import Iterable, Iterator, Sequence

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear, Table
from satdoku.encoders.automaton import unroll
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Board, Puzzle, members


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """Variables bear the names of cells; `s3_2` is a state of constraint 3 behind its second cell."""
    board = puzzle.board
    for line in heading(puzzle, "export smt"):
        yield f"; {line}\n"
    yield "(set-option :produce-models true)\n(set-logic QF_LIA)\n"
    for cell, allowed in enumerate(puzzle.domains):
        label = board.label(cell)
        yield f"(declare-const {label} Int)\n(assert {_one_of(label, map(board.shown, members(allowed)))})\n"
    for number, rule in enumerate(board.constraints, 1):
        yield f"; {plain(rule.name)}\n"
        if isinstance(rule, Automaton) and rule.cells:
            yield from _automaton(rule, board, f"s{number}")
        else:
            yield f"(assert {_formula(rule, board)})\n"
    for grid in blocked:
        yield "; blocked\n"
        yield f"(assert (not {_equal(map(board.label, range(board.cells)), map(board.shown, grid))}))\n"
    yield f"(check-sat)\n(get-value ({' '.join(map(board.label, range(board.cells)))}))\n"


def _formula(rule: Constraint, board: Board) -> str:
    if not rule.cells:
        return "true" if rule.holds(()) else "false"
    labels = [board.label(cell) for cell in rule.cells]
    match rule:
        case AllDifferent():
            return f"(distinct {' '.join(labels)})" if len(labels) > 1 else "true"
        case Linear():
            terms = [f"(* {_number(by)} {label})" for by, label in zip(rule.coefficients, labels, strict=True)]
            total = rule.total + (board.first_value - 1) * sum(rule.coefficients)
            return f"(= {_number(total)} {_joined('+', terms)})"
        case Table():
            rows = sorted([board.shown(value) for value in row] for row in rule.tuples if min(row) > 0)
            return _joined("or", [_equal(labels, row) for row in rows])
        case Automaton():
            raise TypeError("an automaton takes several assertions")


def _automaton(rule: Automaton, board: Board, name: str) -> Iterator[str]:
    """A state behind each cell but the last; the first and the last state are decided."""
    layers = unroll(rule, board.values_of)
    if layers is None:
        yield "(assert false)\n"
        return
    before: str | None = None
    for index, (cell, edges) in enumerate(zip(rule.cells, layers, strict=True), 1):
        after = f"{name}_{index}" if index < len(layers) else None
        if after is not None:
            yield f"(declare-const {after} Int)\n"
        steps = []
        for state, targets in enumerate(edges):
            by_target: dict[int, list[int]] = {}
            for value, target in targets.items():
                by_target.setdefault(target, []).append(board.shown(value))
            for target, values in by_target.items():
                parts = [_one_of(board.label(cell), values)]
                parts += [] if before is None else [f"(= {before} {state})"]
                parts += [] if after is None else [f"(= {after} {target})"]
                steps.append(_joined("and", parts))
        yield f"(assert {_joined('or', steps)})\n"
        before = after


def _one_of(label: str, values: Iterable[int]) -> str:
    return _joined("or", [f"(= {label} {_number(value)})" for value in values])


def _equal(labels: Iterable[str], values: Iterable[int]) -> str:
    pairs = zip(labels, values, strict=True)
    return _joined("and", [f"(= {label} {_number(value)})" for label, value in pairs])


def _joined(word: str, parts: Sequence[str]) -> str:
    """An application to one part or more; no part of an `or` is false."""
    if not parts:
        return "false"
    return parts[0] if len(parts) == 1 else f"({word} {' '.join(parts)})"


def _number(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"


TARGETS = (Target(name="smt", summary="SMT-LIB 2 over integers, for z3, cvc5 and others", write=write),)
