"""The public names, their signatures and docstrings, and the exit statuses of errors."""

from __future__ import annotations

import inspect
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import pytest

import satdoku
from satdoku import Verdict
from satdoku.inputs.programs import ReadingOptions

NAMES = {
    "AllDifferent",
    "Automaton",
    "BackendError",
    "Board",
    "Budget",
    "Candidates",
    "Certificate",
    "CertificateError",
    "Claim",
    "CnfModel",
    "Completion",
    "CoreStep",
    "CpsatModel",
    "Difficulties",
    "Difficulty",
    "Disagreement",
    "Ending",
    "Estimate",
    "Explanation",
    "Fact",
    "FormatError",
    "Grade",
    "Grades",
    "Grid",
    "Guarantee",
    "InputError",
    "Linear",
    "Made",
    "Mark",
    "Minimal",
    "NotMade",
    "Outcome",
    "Outcomes",
    "Puzzle",
    "PuzzleError",
    "Reason",
    "Refused",
    "SatdokuError",
    "Session",
    "Step",
    "Symmetry",
    "TooSlow",
    "Table",
    "Verdict",
    "Verified",
    "Violation",
    "WrongAnswer",
    "__version__",
    "add_constraints",
    "board",
    "build",
    "candidates",
    "canonical",
    "canonical_many",
    "certify",
    "check",
    "check_many",
    "classic",
    "cnf",
    "convert",
    "count",
    "count_many",
    "cpsat_model",
    "decode",
    "difficulty",
    "difficulty_many",
    "draw",
    "estimate",
    "explain",
    "export",
    "generate",
    "grade",
    "load",
    "load_many",
    "marks",
    "minimize",
    "read",
    "render",
    "solve",
    "solve_many",
    "stated_solution_fault",
    "verify",
    "violations",
    "write",
}

READING = (
    "format=None, size=None, values=None, box=None, alphabet=None, entered=False, empty=None, drawn=None, strict=False"
)
SIGNATURES = {
    "Session": "backend=None, encoding=None",
    "add_constraints": "puzzle, *constraints",
    "board": "*, size=9, values=None, box=None",
    "build": "*, size=9, values=None, marks=(), givens=None, box=None, name='puzzle'",
    "candidates": "puzzle, *, limit=1, timeout=None",
    "canonical": "puzzle",
    "canonical_many": "puzzles",
    "certify": "puzzle, folder=None, *, of='verdict', backend=None, checker='drat', timeout=None",
    "check": "puzzle, *, backend=None, encoding=None, timeout=None",
    "check_many": "puzzles, *, jobs=1, backend=None, encoding=None, timeout=None, as_array=False",
    "classic": "rows, columns",
    "cnf": "puzzle, *, encoding=None",
    "convert": f"source, to='line', *, {READING}",
    "count": "puzzle, *, limit=10000, check=False, jobs=1, backend=None, encoding=None, timeout=None",
    "count_many": "puzzles, *, limit=10000, backend=None, encoding=None, timeout=None",
    "cpsat_model": "puzzle",
    "decode": "problem, answer",
    "difficulty": "puzzle, *, timeout=None",
    "difficulty_many": "puzzles, *, timeout=None",
    "draw": "puzzle, *, count=1, seed=0, backend=None, timeout=None",
    "estimate": "puzzle, *, seconds=10.0, seed=0, probes=None",
    "explain": "puzzle, *, smallest=False, timeout=60.0",
    "export": "puzzle, to='dimacs', *, encoding=None, exclude=()",
    "generate": "board=None, *, count=1, first=1, givens=None, minimal=False, symmetry='none',"
    " pattern=None, seed=None, timeout=60.0, difficulty=None, technique=None, until=None, score=None, rating=None,"
    " marks=None, on_failure=None, as_array=False",
    "grade": "puzzle, answer, *, solution=None, compare='unique', completable=False, timeout=None",
    "load": f"path, *, {READING}",
    "load_many": f"path, *, {READING}",
    "minimize": "puzzle, *, seed=0, keep=(), symmetry='none', marks=False, timeout=None",
    "read": f"source, *, {READING}, name='puzzle'",
    "render": "puzzle, path=None, *, format=None, grid=None, candidates=None, heat=None, title=None,"
    " notes=(), rules=False, cell=None",
    "solve": "puzzle, *, limit=1, backend=None, encoding=None, timeout=None",
    "solve_many": "puzzles, *, jobs=1, backend=None, encoding=None, timeout=None",
    "stated_solution_fault": "puzzle, outcome=None",
    "verify": "source, *, checker='drat', timeout=None",
    "violations": "puzzle, grid",
    "write": "puzzle, format='line', *, metadata=True, shape=True",
}


class TestNames:
    def test_the_public_names_are_these(self) -> None:
        assert set(satdoku.__all__) == NAMES
        assert list(satdoku.__all__) == sorted(NAMES)

    @pytest.mark.parametrize("name", sorted(NAMES - {"Grid", "__version__"}))
    def test_each_has_a_docstring_of_its_own(self, name: str) -> None:
        documented = getattr(satdoku, name)
        text = inspect.getdoc(documented) or ""
        assert text
        assert not text.startswith(f"{name}("), "the signature that dataclass writes is no docstring"
        assert text not in {inspect.getdoc(base) for base in getattr(documented, "__mro__", ())[1:]}

    @pytest.mark.parametrize("name", SIGNATURES)
    def test_each_function_takes_these_parameters(self, name: str) -> None:
        parts: list[str] = []
        for parameter in inspect.signature(getattr(satdoku, name)).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
                parts.append("*")
            kinds: dict[Any, str] = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
            star = kinds.get(parameter.kind, "")
            default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
            parts.append(f"{star}{parameter.name}{default}")
        assert ", ".join(parts) == SIGNATURES[name]

    def test_what_load_and_convert_take_besides_is_what_read_takes(self) -> None:
        taken = set(inspect.signature(satdoku.read).parameters)
        assert set(ReadingOptions.__annotations__) == taken - {"source", "name"}
        calls: tuple[Any, ...] = (satdoku.load, satdoku.load_many, satdoku.convert)
        for call in calls:
            with pytest.raises(TypeError, match="sise"):
                list(call("no such file", sise="9x9"))

    def test_every_function_has_its_signature_locked(self) -> None:
        functions = {name for name in NAMES if callable(getattr(satdoku, name)) and name.islower()}
        assert functions | {"Session"} == set(SIGNATURES)

    def test_the_package_is_typed_and_has_one_version(self) -> None:
        assert files("satdoku").joinpath("py.typed").is_file()
        assert version("satdoku") == satdoku.__version__

    @pytest.mark.parametrize(
        ("error", "parent", "status"),
        [
            ("SatdokuError", Exception, 1),
            ("InputError", satdoku.SatdokuError, 2),
            ("PuzzleError", satdoku.InputError, 2),
            ("FormatError", satdoku.InputError, 2),
            ("TooSlow", satdoku.InputError, 3),
            ("NotMade", satdoku.SatdokuError, 3),
            ("CertificateError", satdoku.SatdokuError, 1),
            ("Refused", satdoku.InputError, 2),
            ("BackendError", satdoku.SatdokuError, 4),
            ("WrongAnswer", satdoku.SatdokuError, 4),
            ("Disagreement", satdoku.WrongAnswer, 4),
        ],
    )
    def test_each_error_carries_its_exit_status(self, error: str, parent: type, status: int) -> None:
        kind = getattr(satdoku, error)
        assert kind.__base__ is parent
        assert kind.status == status

    def test_the_example_of_the_package_is_true(self) -> None:
        lines = [line for line in satdoku.__doc__.splitlines() if line.startswith("puzzle = ")]
        space: dict[str, Any] = {"satdoku": satdoku}
        exec(lines[0], space)
        puzzle = space["puzzle"]
        assert satdoku.check(puzzle).verdict is Verdict.UNIQUE
        assert len(satdoku.solve(puzzle).grids[0]) == 81
        assert satdoku.count(puzzle).count == 1
