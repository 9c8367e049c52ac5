"""A 0-1 linear program in CPLEX LP format, for solvers of integer programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from satdoku.constraints import Grid
from satdoku.exports import Target, heading, plain
from satdoku.exports.pseudo_boolean import Program, Sum
from satdoku.puzzle import Puzzle

WIDTH = 100
"""Longer lines are split: some readers take 255 characters, and no more."""


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """Variable `x_r1c1_7` is 1 if r1c1 holds 7; `y_1`, `y_2` and so on belong to rules that are clauses."""
    return _lines(puzzle, Program(puzzle, blocked))


def _lines(puzzle: Puzzle, program: Program) -> Iterator[str]:
    for line in heading(puzzle, "export lp"):
        yield from (f"\\ {part}\n" for part in wrap(line, WIDTH))

    def name(variable: int) -> str:
        named = program.name(variable)
        return f"y_{variable - program.placements}" if named is None else f"x_{named.replace('=', '_')}"

    # Any grid will do: readers want an objective all the same.
    yield f"Minimize\n obj: 0 {name(1)}\nSubject To\n"
    rule = ""
    for number, each in enumerate(program.sums(), 1):
        if each.name != rule:
            rule = each.name
            yield from (f"\\ {part}\n" for part in wrap(plain(rule), WIDTH))
        yield from _row(f"c{number}", each, [name(variable) for _, variable in each.terms])
    yield "Binary\n"
    for variable in range(1, program.variables + 1):
        yield f" {name(variable)}\n"
    yield "End\n"


def _row(label: str, each: Sum, names: list[str]) -> Iterator[str]:
    line = f" {label}:"
    for (coefficient, _), name in zip(each.terms, names, strict=True):
        factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
        line += f" {'-' if coefficient < 0 else '+'} {factor}{name}"
        if len(line) > WIDTH:
            yield f"{line}\n"
            line = " "
    yield f"{line} {'>=' if each.least else '='} {each.total}\n"


TARGETS = (Target(name="lp", summary="a 0-1 linear program in CPLEX LP format", write=write),)
