"""satdoku: check, solve, count, explain and generate Sudoku of any variant.

import satdoku
puzzle = satdoku.read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
satdoku.check(puzzle).verdict    # Verdict.UNIQUE
satdoku.solve(puzzle).grid       # the grid: 81 values, row-major
satdoku.count(puzzle).count      # 1
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

from satdoku import marks
from satdoku.api import views as _views  # noqa: F401  it enters how puzzles are shown
from satdoku.api.ask import check, check_many, count, draw, estimate, solve
from satdoku.api.build import add_constraints, board, build
from satdoku.api.models import CnfModel, CpsatModel, cnf, cpsat_model, decode
from satdoku.api.setter import candidates, difficulty, explain, generate, minimize
from satdoku.api.symmetries import canonical
from satdoku.api.texts import certify, convert, export, render, verify, write
from satdoku.backends import Budget, Ending
from satdoku.constraints import AllDifferent, Automaton, Grid, Linear, Table
from satdoku.errors import (
    BackendError,
    CertificateError,
    Disagreement,
    FormatError,
    InputError,
    PuzzleError,
    Refused,
    SatdokuError,
    WrongAnswer,
)
from satdoku.inputs.programs import load, load_many, read
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.variants.boxes import classic
from satdoku.verdict import Outcome, Session, Verdict, stated_solution_fault
from satdoku.version import __version__

if TYPE_CHECKING:
    from satdoku.clue_symmetry import Symmetry
    from satdoku.counting.estimates import Estimate
    from satdoku.generator.work import Failure, Made
    from satdoku.proofs.certificate import Certificate, Claim
    from satdoku.proofs.verify import Verified
    from satdoku.setter import Candidates, Completion, Difficulty, Explanation, Fact, Guarantee, Minimal, Reason, Step

_RESULTS = {
    "satdoku.counting.estimates": ("Estimate",),
    "satdoku.setter": (
        "Candidates", "Completion", "Difficulty", "Explanation", "Fact", "Guarantee", "Minimal", "Reason", "Step",
    ),
    "satdoku.proofs.certificate": ("Certificate", "Claim"),
    "satdoku.proofs.verify": ("Verified",),
    "satdoku.generator.work": ("Failure", "Made"),
    "satdoku.clue_symmetry": ("Symmetry",),
}  # fmt: skip
"""Types of results that are imported when they are asked for: their modules import numpy and solvers."""


def __getattr__(name: str) -> Any:
    for module, names in _RESULTS.items():
        if name in names:
            return getattr(import_module(module), name)
    if name == "Judge":
        warn("Judge is now called Session", DeprecationWarning, stacklevel=2)
        return Session
    raise AttributeError(f"module 'satdoku' has no attribute {name!r}")


__all__ = [
    "AllDifferent", "Automaton", "BackendError", "Board", "Budget", "Candidates", "Certificate",
    "CertificateError", "Claim", "CnfModel", "Completion", "CpsatModel", "Difficulty", "Disagreement", "Ending",
    "Estimate", "Explanation", "Fact", "Failure", "FormatError", "Grid", "Guarantee", "InputError", "Linear",
    "Made", "Mark", "Minimal", "Outcome", "Puzzle", "PuzzleError", "Reason", "Refused", "SatdokuError",
    "Session", "Step", "Symmetry", "Table", "Verdict", "Verified", "WrongAnswer", "__version__",
    "add_constraints", "board", "build", "candidates", "canonical", "certify", "check", "check_many", "classic", "cnf",
    "convert", "count", "cpsat_model", "decode", "difficulty", "draw", "estimate", "explain", "export",
    "generate", "load", "load_many", "marks", "minimize", "read", "render", "solve", "stated_solution_fault",
    "verify", "write",
]  # fmt: skip
