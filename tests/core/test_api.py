"""The package as a library: its public names, what they promise, and how they fail."""

from __future__ import annotations

import inspect
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import pytest

import satdoku
from satdoku import Ending, Verdict

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
    "CpsatModel",
    "Difficulty",
    "Disagreement",
    "Ending",
    "Estimate",
    "Explanation",
    "Fact",
    "Failure",
    "FormatError",
    "Grid",
    "Guarantee",
    "InputError",
    "Linear",
    "Made",
    "Mark",
    "Minimal",
    "Outcome",
    "Puzzle",
    "PuzzleError",
    "Reason",
    "Refused",
    "SatdokuError",
    "Session",
    "Step",
    "Symmetry",
    "Table",
    "Verdict",
    "Verified",
    "WrongAnswer",
    "__version__",
    "add_constraints",
    "board",
    "build",
    "candidates",
    "canonical",
    "certify",
    "check",
    "check_many",
    "classic",
    "cnf",
    "convert",
    "count",
    "cpsat_model",
    "decode",
    "difficulty",
    "draw",
    "estimate",
    "explain",
    "export",
    "generate",
    "load",
    "load_many",
    "marks",
    "minimize",
    "read",
    "render",
    "solve",
    "stated_solution_fault",
    "verify",
    "write",
}

SIGNATURES = {
    "Session": "backend=None, encoding=None",
    "add_constraints": "puzzle, *constraints",
    "board": "*, size=9, values=None, box=None",
    "build": "*, size=9, values=None, marks=(), givens=None, boxes='usual', name='puzzle'",
    "candidates": "puzzle, *, limit=1, timeout=None",
    "canonical": "puzzle",
    "certify": "puzzle, folder=None, *, of='verdict', backend=None, checker='drat', timeout=None",
    "check": "puzzle, *, backend=None, encoding=None, timeout=None",
    "check_many": "puzzles, *, jobs=1, backend=None, encoding=None, timeout=None",
    "classic": "rows, columns",
    "cnf": "puzzle, *, encoding=None",
    "convert": "source, to='line', *, format=None, size=None, values=None, box=None, alphabet=None, entered=False",
    "count": "puzzle, *, limit=10000, check=False, jobs=1, backend=None, encoding=None, timeout=None",
    "cpsat_model": "puzzle",
    "decode": "problem, answer",
    "difficulty": "puzzle, *, timeout=None",
    "draw": "puzzle, *, count=1, seed=0, backend=None, timeout=None",
    "estimate": "puzzle, *, seconds=10.0, seed=0, probes=None",
    "explain": "puzzle, *, smallest=False, timeout=60.0",
    "export": "puzzle, to='dimacs', *, encoding=None, exclude=()",
    "generate": "board=None, *, count=1, first=1, givens=None, minimal=False, symmetry='none',"
    " pattern=None, seed=None, timeout=60.0, difficulty=None",
    "load": "path, *, format=None, size=None, values=None, box=None, alphabet=None, entered=False",
    "load_many": "path, *, format=None, size=None, values=None, box=None, alphabet=None, entered=False",
    "minimize": "puzzle, *, seed=0, keep=(), symmetry='none', marks=False, timeout=None",
    "read": "source, *, format=None, size=None, values=None, box=None, alphabet=None, entered=False, empty=None,"
    " drawn=None, strict=False, name='puzzle'",
    "render": "puzzle, path=None, *, format=None, grid=None, candidates=None, heat=None, title=None,"
    " notes=(), rules=False, cell=None",
    "solve": "puzzle, *, limit=1, backend=None, encoding=None, timeout=None",
    "stated_solution_fault": "puzzle, outcome=None",
    "verify": "source, *, checker='drat'",
    "write": "puzzle, format='line', *, metadata=True",
}

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NINE_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO = satdoku.read("13....3131...213")
TWO_SOLVED = {tuple(map(int, text)) for text in ("1324243131424213", "1342243131244213")}
MANY = satdoku.read("1...............")
CLASH = satdoku.read("11..............")


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
            star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
            default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
            parts.append(f"{star}{parameter.name}{default}")
        assert ", ".join(parts) == SIGNATURES[name]

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


class TestRead:
    def test_it_gives_the_board_the_givens_and_the_name(self) -> None:
        puzzle = satdoku.read(NINE, name="mine")
        assert puzzle.board is satdoku.classic(3, 3)
        assert puzzle.givens == tuple(int(cell) for cell in NINE.replace(".", "0"))
        assert (puzzle.name, satdoku.read(NINE).name) == ("mine", "puzzle")

    def test_write_gives_the_text_back(self) -> None:
        assert satdoku.write(satdoku.read(NINE)) == NINE

    def test_a_text_at_fault_knows_its_place(self) -> None:
        with pytest.raises(satdoku.FormatError) as caught:
            satdoku.read("13..\n..31\n31..\n.2q3")
        assert (caught.value.line, caught.value.column) == (4, 3)

    def test_a_board_that_cannot_be_is_refused(self) -> None:
        with pytest.raises(satdoku.PuzzleError):
            satdoku.classic(1, 9)


class TestCheck:
    def test_a_unique_puzzle_comes_with_its_solution(self) -> None:
        outcome = satdoku.check(satdoku.read(NINE))
        assert outcome.verdict is Verdict.UNIQUE
        assert outcome.grids == (tuple(map(int, NINE_SOLVED)),)
        assert (outcome.count, outcome.exact, outcome.ending) == (1, True, Ending.EXHAUSTED)
        assert outcome.backend == "native"  # the choice of auto for one puzzle
        assert outcome.reason is None
        assert outcome.seconds >= 0

    def test_a_multiple_puzzle_comes_with_two_solutions(self) -> None:
        outcome = satdoku.check(TWO)
        assert outcome.verdict is Verdict.MULTIPLE
        assert set(outcome.grids) == TWO_SOLVED

    def test_givens_that_clash_come_with_the_reason(self) -> None:
        outcome = satdoku.check(CLASH)
        assert (outcome.verdict, outcome.grids) == (Verdict.UNSOLVABLE, ())
        assert outcome.reason == "row 1 has 1 twice: r1c1 and r1c2"

    def test_a_search_that_is_cut_is_undecided(self) -> None:
        outcome = satdoku.check(satdoku.read("." * 625), backend="backtrack", timeout=1e-9)
        assert (outcome.verdict, outcome.ending, outcome.exact) == (Verdict.UNDECIDED, Ending.TIMEOUT, False)

    def test_the_puzzle_is_left_as_it_was(self) -> None:
        before = TWO.candidates
        satdoku.check(TWO)
        assert TWO.candidates == before

    @pytest.mark.parametrize("backend", ["backtrack", "backtrack:row", "cpsat", "cadical153", "minisat22"])
    def test_every_backend_says_the_same(self, backend: str) -> None:
        outcome = satdoku.check(TWO, backend=backend)
        assert (outcome.verdict, outcome.backend) == (Verdict.MULTIPLE, backend)


class TestSolve:
    def test_it_stops_at_the_limit(self) -> None:
        outcome = satdoku.solve(MANY, limit=5)
        assert (outcome.count, len(set(outcome.grids)), outcome.ending) == (5, 5, Ending.LIMIT)

    def test_one_is_the_limit_unless_another_is_named(self) -> None:
        assert len(satdoku.solve(MANY).grids) == 1

    def test_no_limit_gives_all(self) -> None:
        outcome = satdoku.solve(MANY, limit=None)
        assert (len(set(outcome.grids)), outcome.exact) == (72, True)

    def test_an_unsolvable_puzzle_gives_no_grid(self) -> None:
        assert satdoku.solve(CLASH).grids == ()


class TestCount:
    @pytest.mark.parametrize(
        ("limit", "count", "exact"), [(None, 72, True), (73, 72, True), (72, 72, True), (71, 71, False), (1, 1, False)]
    )
    def test_it_is_exact_unless_there_is_one_more(self, limit: int | None, count: int, exact: bool) -> None:
        outcome = satdoku.count(MANY, limit=limit)
        assert (outcome.count, outcome.exact) == (count, exact)

    def test_an_unsolvable_puzzle_has_none(self) -> None:
        assert (satdoku.count(CLASH).count, satdoku.count(CLASH).exact) == (0, True)


@pytest.mark.parametrize("ask", [satdoku.check, satdoku.solve, satdoku.count])
class TestFaults:
    def test_an_unknown_backend_brings_the_near_names(self, ask: Any) -> None:
        with pytest.raises(satdoku.InputError, match=r"unknown backend 'cadical15': did you mean .*cadical153"):
            ask(TWO, backend="cadical15")

    def test_an_unknown_encoding_brings_the_near_names(self, ask: Any) -> None:
        with pytest.raises(satdoku.InputError, match="unknown encoding 'minimall': did you mean minimal"):
            ask(TWO, encoding="minimall")

    def test_an_encoding_is_refused_by_a_backend_that_takes_none(self, ask: Any) -> None:
        with pytest.raises(satdoku.Refused, match="backend backtrack takes no encoding"):
            ask(TWO, backend="backtrack", encoding="minimal")

    @pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
    def test_a_timeout_is_a_number_above_zero(self, ask: Any, timeout: float) -> None:
        with pytest.raises(satdoku.InputError, match="expected a number above 0"):
            ask(TWO, timeout=timeout)


@pytest.mark.parametrize("ask", [satdoku.solve, satdoku.count, satdoku.candidates])
class TestLimits:
    @pytest.mark.parametrize("limit", [0, -1])
    def test_a_limit_below_one_is_refused(self, ask: Any, limit: int) -> None:
        with pytest.raises(ValueError, match=f"limit is {limit}: expected 1 or more, or None for all"):
            ask(TWO, limit=limit)

    @pytest.mark.parametrize("limit", ["2", 1.5, True])
    def test_a_limit_of_another_type_is_refused(self, ask: Any, limit: object) -> None:
        with pytest.raises(TypeError, match=r"limit is .*: expected a whole number, or None for all"):
            ask(TWO, limit=limit)


class TestSession:
    def test_one_session_takes_many_puzzles(self) -> None:
        with satdoku.Session("cadical153", "minimal") as session:
            verdicts = [
                session.run(puzzle, satdoku.Budget()).verdict for puzzle in (TWO, CLASH, satdoku.read(NINE), TWO)
            ]
        assert verdicts == [Verdict.MULTIPLE, Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE]

    def test_a_search_gives_grids_one_by_one_and_its_outcome_last(self) -> None:
        with satdoku.Session("backtrack") as session:
            search = session.search(TWO, satdoku.Budget(solutions=None))
            assert {next(search), next(search)} == TWO_SOLVED
            with pytest.raises(StopIteration) as stop:
                next(search)
        assert (stop.value.value.count, stop.value.value.verdict) == (2, Verdict.MULTIPLE)

    @pytest.mark.parametrize("question", ["check", "solve", "draw", "count"])
    def test_what_is_not_a_puzzle_is_a_type_error(self, question: str) -> None:
        with satdoku.Session() as session, pytest.raises(TypeError, match="puzzle is of type str: expected a Puzzle"):
            getattr(session, question)("." * 16)

    def test_a_seed_is_refused_by_a_backend_that_takes_none(self) -> None:
        with satdoku.Session("backtrack") as session, pytest.raises(satdoku.Refused, match="backtrack takes no seed"):
            session.run(TWO, satdoku.Budget(seed=1))
