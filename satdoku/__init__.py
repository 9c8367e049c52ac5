"""satdoku: check, solve, count, explain and generate Sudoku of any variant.

import satdoku
puzzle = satdoku.read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
satdoku.check(puzzle).verdict    # Verdict.UNIQUE
satdoku.solve(puzzle).grid       # the grid: 81 values, row-major
satdoku.count(puzzle).count      # 1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from satdoku.registry import VIEWS

if TYPE_CHECKING:
    from satdoku import marks as marks
    from satdoku.api.ask import check as check
    from satdoku.api.ask import check_many as check_many
    from satdoku.api.ask import count as count
    from satdoku.api.ask import draw as draw
    from satdoku.api.ask import estimate as estimate
    from satdoku.api.ask import solve as solve
    from satdoku.api.build import add_constraints as add_constraints
    from satdoku.api.build import board as board
    from satdoku.api.build import build as build
    from satdoku.api.models import CnfModel as CnfModel
    from satdoku.api.models import CpsatModel as CpsatModel
    from satdoku.api.models import cnf as cnf
    from satdoku.api.models import cpsat_model as cpsat_model
    from satdoku.api.models import decode as decode
    from satdoku.api.setter import candidates as candidates
    from satdoku.api.setter import difficulty as difficulty
    from satdoku.api.setter import explain as explain
    from satdoku.api.setter import generate as generate
    from satdoku.api.setter import minimize as minimize
    from satdoku.api.symmetries import canonical as canonical
    from satdoku.api.texts import certify as certify
    from satdoku.api.texts import convert as convert
    from satdoku.api.texts import export as export
    from satdoku.api.texts import render as render
    from satdoku.api.texts import verify as verify
    from satdoku.api.texts import write as write
    from satdoku.backends import Budget as Budget
    from satdoku.backends import Ending as Ending
    from satdoku.clue_symmetry import Symmetry as Symmetry
    from satdoku.constraints import AllDifferent as AllDifferent
    from satdoku.constraints import Automaton as Automaton
    from satdoku.constraints import Grid as Grid
    from satdoku.constraints import Linear as Linear
    from satdoku.constraints import Table as Table
    from satdoku.counting.estimates import Estimate as Estimate
    from satdoku.errors import BackendError as BackendError
    from satdoku.errors import CertificateError as CertificateError
    from satdoku.errors import Disagreement as Disagreement
    from satdoku.errors import FormatError as FormatError
    from satdoku.errors import InputError as InputError
    from satdoku.errors import PuzzleError as PuzzleError
    from satdoku.errors import Refused as Refused
    from satdoku.errors import SatdokuError as SatdokuError
    from satdoku.errors import WrongAnswer as WrongAnswer
    from satdoku.generator.work import Failure as Failure
    from satdoku.generator.work import Made as Made
    from satdoku.inputs.programs import load as load
    from satdoku.inputs.programs import load_many as load_many
    from satdoku.inputs.programs import read as read
    from satdoku.proofs.certificate import Certificate as Certificate
    from satdoku.proofs.certificate import Claim as Claim
    from satdoku.proofs.verify import Verified as Verified
    from satdoku.puzzle import Board as Board
    from satdoku.puzzle import Mark as Mark
    from satdoku.puzzle import Puzzle as Puzzle
    from satdoku.setter import Candidates as Candidates
    from satdoku.setter import Completion as Completion
    from satdoku.setter import Difficulty as Difficulty
    from satdoku.setter import Explanation as Explanation
    from satdoku.setter import Fact as Fact
    from satdoku.setter import Guarantee as Guarantee
    from satdoku.setter import Minimal as Minimal
    from satdoku.setter import Reason as Reason
    from satdoku.setter import Step as Step
    from satdoku.variants.boxes import classic as classic
    from satdoku.verdict import Outcome as Outcome
    from satdoku.verdict import Session as Session
    from satdoku.verdict import Verdict as Verdict
    from satdoku.verdict import stated_solution_fault as stated_solution_fault
    from satdoku.version import __version__ as __version__

_HOMES = {
    "satdoku.api.ask": "check check_many count draw estimate solve",
    "satdoku.api.build": "add_constraints board build",
    "satdoku.api.models": "CnfModel CpsatModel cnf cpsat_model decode",
    "satdoku.api.setter": "candidates difficulty explain generate minimize",
    "satdoku.api.symmetries": "canonical",
    "satdoku.api.texts": "certify convert export render verify write",
    "satdoku.backends": "Budget Ending",
    "satdoku.clue_symmetry": "Symmetry",
    "satdoku.constraints": "AllDifferent Automaton Grid Linear Table",
    "satdoku.counting.estimates": "Estimate",
    "satdoku.errors": "BackendError CertificateError Disagreement FormatError InputError PuzzleError Refused "
    "SatdokuError WrongAnswer",
    "satdoku.generator.work": "Failure Made",
    "satdoku.inputs.programs": "load load_many read",
    "satdoku.proofs.certificate": "Certificate Claim",
    "satdoku.proofs.verify": "Verified",
    "satdoku.puzzle": "Board Mark Puzzle",
    "satdoku.setter": "Candidates Completion Difficulty Explanation Fact Guarantee Minimal Reason Step",
    "satdoku.variants.boxes": "classic",
    "satdoku.verdict": "Outcome Session Verdict stated_solution_fault",
    "satdoku.version": "__version__",
}
"""The public names by the module that has them, which is imported when one of them is first used: all of them together
take ten times as long as what a plain check needs."""

_MODULES = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted([*_MODULES, "marks"])


def __getattr__(name: str) -> Any:
    if name == "marks":
        return import_module("satdoku.marks")
    if name not in _MODULES:
        raise AttributeError(f"module 'satdoku' has no attribute {name!r}")
    return globals().setdefault(name, getattr(import_module(_MODULES[name]), name))


def __dir__() -> list[str]:
    return __all__


def _summary(puzzle: Puzzle) -> str:
    from satdoku.api import views

    return views.summary(puzzle)


def _grid(puzzle: Puzzle) -> str:
    from satdoku.api import views

    return views.grid(puzzle)


def _svg(puzzle: Puzzle) -> str | None:
    from satdoku.api import views

    return views.svg(puzzle)


VIEWS.update(summary=_summary, grid=_grid, svg=_svg)
