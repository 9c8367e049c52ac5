"""Puzzles with proofs, folders of certificates and how to forge them, for the tests of certificates."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import dratify
import numpy as np

from satdoku import Puzzle, backends, check, classic
from satdoku.backends import Budget
from satdoku.certifier import Certifier
from satdoku.errors import CertificateError
from satdoku.proofs import drup
from satdoku.proofs.certificate import Certificate
from satdoku.proofs.checkers import Rup
from satdoku.proofs.drup import Numbers
from satdoku.proofs.formula import Formula
from satdoku.verdict import Session
from support.cli import run

ROOT = Path(__file__).parents[2]
PUZZLES = Path(__file__).parents[2] / "puzzles"

PAIRS = (10, 12, 10, 20, 24, 20, 10, 12, 12, 10, 24, 10, 24, 10, 12, 6)
"""Two candidates in each cell of a 4x4 board, and one solution."""

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def simple(*clauses: list[int]) -> Formula:
    """A formula of these clauses, whose variables are all of a grid of one value."""
    variables = max(abs(literal) for clause in clauses for literal in clause)
    return Formula(variables, variables, 1, np.zeros(0, np.int32), flat(list(clauses)))


def provers() -> list[str]:
    """Each backend that can certify, by a name that runs here."""
    able = {*backends.provers(), "dimacs:cadical", "dimacs:kissat"}
    return [name for name in backends.installed() if name in able]


@cache
def small(seed: int) -> Puzzle:
    """A 6x6 puzzle with one solution and as few givens as taking some away in a random order leaves."""
    rng = Random(seed)
    with Session("native") as session:
        board = classic(2, 3)
        empty = Puzzle.from_givens(board, dict(enumerate(rng.sample(range(1, 7), 6))))
        givens = list(session.run(empty, Budget(1)).grids[0])
        for cell in rng.sample(range(36), 36):
            value, givens[cell] = givens[cell], 0
            if session.run(Puzzle.from_givens(board, givens), Budget(2)).count > 1:
                givens[cell] = value
    return Puzzle.from_givens(board, givens, f"seed {seed}")


@cache
def certifier(prover: str) -> Certifier:
    return Certifier(prover)


@cache
def hard(number: int) -> Puzzle:
    """A 6x6 puzzle of pencil marks, with one grid or none, whose proof takes some steps; few do at this size."""
    seed = 0 if number == 0 else int(hard(number - 1).name) + 1
    while True:
        rng = Random(seed)
        board = classic(2, 3)
        marks = (rng.sample(range(1, 7), rng.choice((3, 4, 5))) for _ in range(board.cells))
        puzzle = Puzzle(board, tuple(sum(1 << value for value in some) for some in marks), str(seed))
        proof = certified(puzzle, "native").proof
        if proof is not None and (proof == 0).sum() > 4:
            return puzzle
        seed += 1


@cache
def certified(puzzle: Puzzle, prover: str) -> Certificate:
    found = certifier(prover).certify(puzzle, check(puzzle))
    assert found is not None
    return found


def accepted(refuted: Formula, proof: Numbers) -> bool:
    try:
        Rup().check(refuted, proof)
    except CertificateError:
        return False
    return True


def accepted_by_dratify(refuted: Formula, proof: Numbers) -> bool:
    return bool(dratify.check_proof(parsed(refuted.text()), drup.lines(proof), check_rat=False).ok)


@lru_cache(maxsize=4)
def parsed(text: str) -> Any:
    return dratify.parse_dimacs(text)


def flat(clauses: list[list[int]]) -> Numbers:
    return np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)


def steps_of(proof: Numbers) -> list[list[int]]:
    ends = np.flatnonzero(proof == 0).tolist()
    return [proof[begin:end].tolist() for begin, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)]


def refusal(folder: Path, *options: str) -> str:
    """Why `verify` refuses it."""
    result = run("verify", str(folder), *options)
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    assert result.stdout.startswith("refused: ")
    return str(result.stdout.removeprefix("refused: ").strip())


def rewrite(folder: Path, name: str, change: Callable[[str], str]) -> None:
    """Edit a file, and the manifest so that it has its hash."""
    path = folder / name
    text = path.read_text()
    assert change(text) != text
    path.write_text(change(text))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["sha256"][name] = sha256(path.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


def edit(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))


def swapped(text: str) -> str:
    return text[1] + text[0] + text[2:]
