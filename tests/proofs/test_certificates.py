"""Certificates: each holds for the checkers that are not ours too, and none can be forged."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import dratify
import numpy as np
import pytest
from typer.testing import CliRunner

from satdoku import Board, Puzzle, backends, check, classic, read
from satdoku.backends import Budget, Ending
from satdoku.backends.clock import Deadline
from satdoku.certifier import Certifier
from satdoku.cli import app
from satdoku.constraints import AllDifferent
from satdoku.encoders.cnf import encode
from satdoku.errors import BackendError, CertificateError
from satdoku.proofs import certificate as papers
from satdoku.proofs import checkers, drup
from satdoku.proofs.certificate import Certificate, Claim
from satdoku.proofs.checkers import Rup
from satdoku.proofs.drup import DELETE, Numbers
from satdoku.proofs.formula import Formula, formula
from satdoku.proofs.verify import examine
from satdoku.verdict import Outcome, Session

ROOT = Path(__file__).parents[2]
PUZZLES = Path(__file__).parents[2] / "puzzles"

PAIRS = (10, 12, 10, 20, 24, 20, 10, 12, 12, 10, 24, 10, 24, 10, 12, 6)
"""Two candidates in each cell of a 4x4 board, and one solution."""

UNIQUE, TWO, CLASH, NONE = "1234341221434...", "13....3131...213", "11..............", "12....3........."
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SIX = "1....4..2..5...6.3...6.5...5..2..4....6"


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(app, list(arguments), prog_name="satdoku")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def provers() -> list[str]:
    """Each backend that can certify, by a name that runs here."""
    able = {*backends.provers(), "dimacs:cadical", "dimacs:kissat"}
    return [name for name in backends.installed() if name in able]


@cache
def small(seed: int) -> Puzzle:
    """A 6x6 puzzle with one solution and as few givens as taking some away in a random order leaves."""
    rng = Random(seed)
    with Session("native") as judge:
        board = classic(2, 3)
        empty = Puzzle.from_givens(board, dict(enumerate(rng.sample(range(1, 7), 6))))
        givens = list(judge.run(empty, Budget(1)).grids[0])
        for cell in rng.sample(range(36), 36):
            value, givens[cell] = givens[cell], 0
            if judge.run(Puzzle.from_givens(board, givens), Budget(2)).count > 1:
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


class TestTheFormula:
    @pytest.mark.parametrize("text", [UNIQUE, TWO, HARD, (ROOT / "puzzles/variants/windoku.toml").read_text()])
    def test_it_has_the_clauses_of_the_encoding_extended(self, text: str) -> None:
        puzzle = read(text)
        cnf = encode(puzzle.board, "extended")
        must, clauses = cnf.restrict(puzzle)
        grid = check(puzzle).grids[0]
        expected = [*cnf.clauses, *([literal] for literal in must), *clauses, cnf.block(grid)]
        assert sorted(map(sorted, formula(puzzle, grid))) == sorted(map(sorted, expected))

    def test_it_is_satisfied_by_the_grids_and_nothing_else(self) -> None:
        board = Board(3, 2, 3, (AllDifferent((0, 1), "a"),))
        puzzle = Puzzle(board, (0b110, 0b110, 0b100))
        refuted = formula(puzzle, (1, 2, 2))
        models = []
        for signs in product((False, True), repeat=6):
            if all(any(signs[abs(x) - 1] is (x > 0) for x in clause) for clause in refuted):
                models.append([at + 1 for at, sign in enumerate(signs) if sign])
        assert models == [[2, 3, 6]]  # r1c1 = 2, r1c2 = 1, r1c3 = 2

    def test_its_text_is_dimacs(self) -> None:
        text = formula(read(UNIQUE)).text()
        parsed = dratify.parse_dimacs(text)
        assert (parsed.nvars, len(parsed.clauses)) == (64, 448 + 13) == tuple(map(int, text.split()[2:4]))


class TestProofsAsText:
    @pytest.mark.parametrize("text", ["0\n", "1 -2 0\nd 1 -2 0\n0\n", "0\n0\n0\n", "d 0\n0\n", ""])
    def test_reading_takes_back_what_was_written(self, text: str) -> None:
        assert drup.lines(drup.read(text, "proof")) == text

    def test_layout_and_comments_are_free(self) -> None:
        assert drup.read("c by hand\n1\n 2 0 d1 2 0\r\n\t0", "proof").tolist() == [1, 2, 0, DELETE, 1, 2, 0, 0]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("1 2 0\n1 x 0\n", "line 2"),
            ("1 0\n1 2.5 0\n", "line 2"),
            ("1_0 0", "line 1"),
            ("1 - 2 0", "line 1"),
            ("1 2", "cut"),
            ("1 d 2 0", "inside a clause"),
            ("d d 2 0", "inside a clause"),
            (f"{DELETE} 1 0 0", "line 1"),
            ("1 0\n99999999999 0", "beyond"),
            ("9" * 30 + " 0", "line 1"),
            ("\u0661 0", "line 1"),
        ],
    )
    def test_what_is_no_proof_is_refused(self, text: str, said: str) -> None:
        with pytest.raises(CertificateError, match=said):
            drup.read(text, "proof")


def simple(*clauses: list[int]) -> Formula:
    variables = max(abs(literal) for clause in clauses for literal in clause)
    return Formula(variables, 1, np.zeros(0, np.int32), flat(list(clauses)))


SQUARE = simple([1, 2], [1, -2], [-1, 2], [-1, -2])
LADDER = simple([1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-3, 5, 6], [-3, 5, -6], [-5, 7, 8], [-5, -7, 8], [-5, -8])


class TestTheChecker:
    @pytest.mark.parametrize(
        ("refuted", "proof", "holds"),
        [
            (SQUARE, "1 0 0", True),
            (SQUARE, "0", False),
            (SQUARE, "1 0", False),  # refuted, and never said
            (SQUARE, "", False),
            (SQUARE, "1 1 0 0", True),
            (SQUARE, "1 0 0 3 0", True),  # what follows the empty clause is not looked at
            (SQUARE, "1 -1 0 1 0 0", True),
            (SQUARE, "d 2 1 0 1 0 0", False),
            (SQUARE, "d 1 2 2 0 1 0 0", False),
            (SQUARE, "1 0 d 1 2 0 d 1 0 0", True),
            (SQUARE, "d 1 5 0 1 0 0", True),  # there is no such clause
            (SQUARE, "3 0 1 0 0", False),  # by RAT alone
            (SQUARE, "3 1 0 1 0 0", True),
            (simple([1], [-1]), "", True),  # units refute it
            (LADDER, "3 0 5 0 0", True),
            (LADDER, "5 0 0", False),
            (LADDER, "d 1 0 d -1 2 0 3 0 5 0 0", True),  # they are units, which stay
            (LADDER, "d -2 3 4 0 3 0 5 0 0", False),
            (LADDER, "3 0 d -2 3 4 0 d 3 0 5 0 0", True),
            (LADDER, "3 0 5 0 d 8 7 -5 0 0", True),
        ],
    )
    def test_it_accepts_what_follows_and_what_dratify_accepts(self, refuted: Formula, proof: str, holds: bool) -> None:
        numbers = drup.read(proof, "proof")
        assert accepted(refuted, numbers) is holds
        assert accepted_by_dratify(refuted, numbers) is holds

    def test_random_formulas_and_steps_as_dratify(self) -> None:
        rng = Random(5)
        found = {True: 0, False: 0}
        for _ in range(600):
            variables = rng.randint(2, 6)
            literals = [sign * variable for variable in range(1, variables + 1) for sign in (1, -1)]
            clauses = [rng.choices(literals, k=rng.choice((1, 2, 2, 3, 3, 4))) for _ in range(rng.randint(4, 30))]
            steps: list[list[int]] = []
            for _ in range(rng.randint(0, 12)):
                if rng.random() < 0.4:
                    steps.append([DELETE, *rng.sample(gone := rng.choice(clauses + steps[:0]), len(gone))])
                else:
                    steps.append(rng.choices(literals, k=rng.choice((1, 1, 2, 3))))
            proof = flat([*steps, []][: len(steps) + rng.choice((0, 1, 1, 1))])
            # Steps that do not follow are dropped, else nearly all proofs would end at the first.
            kept: list[list[int]] = []
            for step in steps_of(proof):
                if step[:1] == [DELETE] or accepted(simple(*clauses), flat([*kept, step])) or rng.random() < 0.05:
                    kept.append(step)
            for candidate in (proof, flat(kept)):
                ours = accepted(simple(*clauses), candidate)
                assert ours is accepted_by_dratify(simple(*clauses), candidate), (clauses, candidate.tolist())
                found[ours] += 1
        assert min(found.values()) > 150

    def test_a_variable_that_nothing_accounts_for_is_refused(self) -> None:
        with pytest.raises(CertificateError, match="names variable 2000000000"):
            Rup().check(SQUARE, drup.read("2000000000 1 0 1 0 0", "proof"))

    def test_it_says_which_step_fails(self) -> None:
        with pytest.raises(CertificateError, match=r"step 2 .* clause 7$"):
            Rup().check(LADDER, drup.read("3 0 7 0 0", "proof"))


FORGERIES: dict[str, Callable[[Random, list[list[int]], Formula], Any]] = {
    "a step taken out": lambda rng, steps, refuted: steps.pop(rng.randrange(len(steps))),
    "cut": lambda rng, steps, refuted: steps.__delitem__(slice(rng.randrange(len(steps)), None)),
    "cut, and closed": lambda rng, steps, refuted: steps.__setitem__(slice(rng.randrange(len(steps)), None), [[]]),
    "two exchanged": lambda rng, steps, refuted: steps.insert(0, steps.pop(rng.randrange(len(steps)))),
    "a literal lost": lambda rng, steps, refuted: rng.choice([s for s in steps if s] or [[0]]).pop(),
    "a literal turned": lambda rng, steps, refuted: turned(rng.choice([s for s in steps if s] or [[1]])),
    "a clause deleted": lambda rng, steps, refuted: steps.insert(0, [DELETE, *rng.choice(list(refuted))]),
    "the block deleted": lambda rng, steps, refuted: steps.insert(0, [DELETE, *list(refuted)[-1]]),
    "many deleted": lambda rng, steps, refuted: steps.__setitem__(
        slice(0, 0), [[DELETE, *clause] for clause in rng.sample(list(refuted), len(refuted) // 4)]
    ),
    "a clause made up": lambda rng, steps, refuted: steps.insert(
        rng.randrange(len(steps)), rng.sample(range(1, refuted.variables), rng.randint(1, 4))
    ),
}


def turned(step: list[int]) -> None:
    step[-1] = -step[-1] if step[-1] != DELETE else DELETE


class TestForgedProofs:
    @pytest.mark.parametrize("prover", ["native", "glucose4", "cadical195"])
    def test_ours_accepts_exactly_what_dratify_accepts(self, prover: str) -> None:
        rng = Random(3)
        verdicts: dict[bool, int] = {True: 0, False: 0}
        for number in range(8):
            certificate = certified(hard(number), prover)
            refuted, proof = certificate.formula, certificate.proof
            assert proof is not None
            assert accepted_by_dratify(refuted, proof)
            for forge in FORGERIES.values():
                for _ in range(3):
                    steps = steps_of(proof)
                    forge(rng, steps, refuted)
                    forged = flat(steps)
                    ours = accepted(refuted, forged)
                    assert ours is accepted_by_dratify(refuted, forged), (number, steps)
                    verdicts[ours] += 1
            other = certified(hard(number + 1), prover).proof
            assert other is not None
            assert accepted(refuted, other) is accepted_by_dratify(refuted, other)
        assert min(verdicts.values()) > 20


class TestProvers:
    def test_those_whose_proofs_are_complete_and_no_others(self) -> None:
        here = set(backends.provers())
        assert {"auto", "native", "glucose4", "cadical153", "cadical195"} <= here
        assert here.isdisjoint({"minisat22", "minisatgh", "mergesat3", "kissat404", "maplechrono", "cpsat"})

    @pytest.mark.parametrize("prover", provers())
    @pytest.mark.parametrize("text", [UNIQUE, CLASH, NONE, HARD, TWO])
    def test_each_certificate_holds(self, prover: str, text: str) -> None:
        puzzle = read(text)
        certificate = certified(puzzle, prover)
        assert certificate.claim.value == check(puzzle).verdict.value
        for name in ("rup", "dratify"):
            examine(certificate, checkers.find(name).open(), certificate.formula.text())

    @pytest.mark.parametrize("prover", ["auto", "native", "glucose4"])
    @pytest.mark.parametrize("kind", ["windoku", "region", "diagonal+", "extra-region", "anti-knight"])
    def test_boards_of_all_different(self, prover: str, kind: str) -> None:
        certificate = certified(read((ROOT / f"puzzles/variants/{kind}.toml").read_text()), prover)
        assert accepted_by_dratify(certificate.formula, certificate.proof)
        assert papers.of_record(papers.record(certificate).encode()).puzzle == certificate.puzzle

    def test_candidates_that_are_no_givens_are_part_of_the_formula(self) -> None:
        puzzle = read("size = 4\n[candidates]\nr1c1 = [1, 2]\nr1c2 = [1, 2]\nr1c3 = [1, 2]\n", format="toml")
        certificate = certified(puzzle, "native")
        assert certificate.claim.value == "unsolvable"
        assert papers.of_record(papers.record(certificate).encode()).puzzle.candidates == puzzle.candidates

    @pytest.mark.parametrize("prover", ["native", "glucose4", "dimacs:cadical"])
    def test_one_that_is_wrong_makes_no_certificate(self, prover: str) -> None:
        if prover not in provers():
            pytest.skip(f"{prover} is not here")
        puzzle = read(TWO)
        lie = Outcome(count=1, grids=check(puzzle).grids[:1], ending=Ending.EXHAUSTED, backend=prover, seconds=0.0)
        with pytest.raises(BackendError):
            Certifier(prover).certify(puzzle, lie)

    def test_a_proof_that_does_not_check_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        wrong = Certifier("native")
        monkeypatch.setattr(wrong._prover, "refute", lambda *arguments: drup.EMPTY)
        with pytest.raises(BackendError, match=r"does not check: step 1 .* the empty clause"):
            wrong.certify(hard(0), check(hard(0)))

    @pytest.mark.parametrize("prover", ["auto", "native", "glucose4"])
    def test_no_time_is_no_certificate(self, prover: str) -> None:
        assert Certifier(prover).certify(read(HARD), check(read(HARD)), 1e-9) is None

    def test_lingeling_cannot_be_stopped_and_says_so(self) -> None:
        result = run("check", "--certified", "-b", "lingeling", "--timeout", "5", HARD)
        assert (result.exit_code, "cannot be stopped" in result.stderr) == (2, True)

    def test_the_search_is_taken_up_where_it_paused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = certified(read(HARD), "native").proof
        monkeypatch.setattr("satdoku.backends.native.PROOF_SLICE", 3)
        monkeypatch.setattr("satdoku.backends.native.PROOF", 100)
        puzzle = read(HARD)
        grid = check(puzzle).grids[0]
        assert whole is not None
        assert (backends.prover("native").refute(formula(puzzle, grid), grid, Deadline(None)) == whole).all()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A certificate that 4 of its proof's steps cannot do without."""
    (tmp_path / "hard.txt").write_text(HARD)
    result = run("certify", str(tmp_path / "hard.txt"), "-o", str(tmp_path / "made"), "-b", "native")
    assert result.exit_code == 0
    return tmp_path / "made"


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


class TestForgedFolders:
    @pytest.mark.parametrize("name", ["puzzle.txt", "grids.txt", "formula.cnf", "proof.drup"])
    def test_a_file_that_was_edited_is_known_by_its_hash(self, folder: Path, name: str) -> None:
        path = folder / name
        path.write_text(path.read_text() + "\n")
        assert refusal(folder) == f"{name} has been changed: its hash is not that of the manifest"
        path.unlink()
        assert refusal(folder) == f"{name} is missing"

    def test_a_given_dropped(self, folder: Path) -> None:
        rewrite(folder, "puzzle.txt", lambda text: "." + text[1:])
        assert "encoding is not" in refusal(folder)
        edit(folder, lambda manifest: manifest["encoding"].update(clauses=manifest["encoding"]["clauses"] - 1))
        assert refusal(folder).startswith("formula.cnf, line 1 has 'p cnf 729 12010', expected 'p cnf 729 12009'")
        given = formula(read(HARD), check(read(HARD)).grids[0]).text().splitlines()[-22]
        dropped = formula(read("." + HARD[1:]), check(read(HARD)).grids[0]).text()
        assert given == "8 0"
        rewrite(folder, "formula.cnf", lambda text: dropped)
        assert "does not follow" in refusal(folder)

    def test_a_clause_added_or_taken_out_or_moved(self, folder: Path) -> None:
        original = (folder / "formula.cnf").read_text()
        lines = original.splitlines(keepends=True)
        for number, changed in enumerate(
            [[*lines, "5 0\n"], lines[:-1], [*lines[:500], *lines[501:]], [*lines[:7], lines[8], lines[7], *lines[9:]]]
        ):
            rewrite(folder, "formula.cnf", lambda text, changed=changed: "".join(changed))
            assert refusal(folder).startswith(f"formula.cnf, line {[len(lines) + 1, len(lines), 501, 8][number]} ")
        rewrite(folder, "formula.cnf", lambda text: original.replace("\n", " \n", 3))
        assert "formula.cnf, line 1 has" in refusal(folder)
        rewrite(folder, "formula.cnf", lambda text: original.rstrip("\n"))
        assert refusal(folder) == "formula.cnf: the same clauses, written otherwise"

    def test_two_cells_of_the_grid_swapped(self, folder: Path) -> None:
        rewrite(folder, "grids.txt", swapped)
        assert refusal(folder).startswith("grids.txt, grid 1: ")

    @pytest.mark.parametrize("value", ["0", "17", "999999999999", "9" * 5000], ids=len)
    def test_a_value_that_no_cell_can_have(self, value: str, tmp_path: Path) -> None:
        folder = tmp_path / "large"
        assert run("certify", str(PUZZLES / "16x16.txt"), "-o", str(folder)).exit_code == 0
        rewrite(folder, "grids.txt", lambda text: ",".join([value, *text.split(",")[1:]]))
        assert "is not one of 1..16" in refusal(folder)

    def test_a_text_that_a_table_cannot_hold(self, tmp_path: Path) -> None:
        folder = tmp_path / "windoku"
        assert run("certify", str(PUZZLES / "variants" / "windoku.toml"), "-o", str(folder)).exit_code == 0
        rewrite(folder, "puzzle.txt", lambda text: re.sub(r"(?m)^rules = .*$", "rules = [{a = 1}]", text))
        assert "which is not a rule of the whole board" in refusal(folder)

    def test_verify_shows_all_that_the_puzzle_states(self, tmp_path: Path) -> None:
        puzzle = Puzzle(classic(2, 2), PAIRS)
        folder = tmp_path / "candidates"
        papers.save(papers.files(certified(puzzle, "native"), {}), folder)
        shown, record = run("verify", str(folder)).stdout, json.loads(run("verify", "--json", str(folder)).stdout)
        for text in (shown, record["text"]):
            assert "candidates" in text

    def test_a_grid_too_many_too_few_or_none(self, folder: Path) -> None:
        original = (folder / "grids.txt").read_text()
        rewrite(folder, "grids.txt", lambda text: original * 2)
        assert refusal(folder) == "grids.txt: 2 grids, and the claim unique has 1"
        rewrite(folder, "grids.txt", lambda text: "")
        assert refusal(folder) == "grids.txt: 0 grids, and the claim unique has 1"
        rewrite(folder, "grids.txt", lambda text: original[:-4])
        assert "is no grid of 81 values" in refusal(folder)
        rewrite(folder, "grids.txt", lambda text: original.replace("1", "x"))
        assert "is no grid of 81 values" in refusal(folder)

    def test_the_proof_cut_or_a_lemma_made_up_or_no_proof(self, folder: Path) -> None:
        original = (folder / "proof.drup").read_text()
        lines = original.splitlines(keepends=True)
        assert len(lines) > 10
        rewrite(folder, "proof.drup", lambda text: "".join(lines[: len(lines) // 2]))
        assert refusal(folder) == "the proof has been cut: it never comes to the empty clause"
        rewrite(folder, "proof.drup", lambda text: "".join([*lines[: len(lines) // 2], "0\n"]))
        assert "does not follow from those before it: the empty clause" in refusal(folder)
        rewrite(folder, "proof.drup", lambda text: original[:-5])
        assert "cut" in refusal(folder)
        rewrite(folder, "proof.drup", lambda text: "".join([lines[0], "5 0\n", *lines[2:]]))
        assert refusal(folder) == "step 2 of the proof does not follow from those before it: clause 5"
        rewrite(folder, "proof.drup", lambda text: "730 0\n" + original)  # which RAT would allow
        assert refusal(folder) == "step 1 of the proof does not follow from those before it: clause 730"
        rewrite(folder, "proof.drup", lambda text: "as everyone can see\n")
        assert refusal(folder).startswith("proof.drup, line 1")

    def test_the_proof_of_another_puzzle_holds_exactly_where_dratify_says_so(self, folder: Path) -> None:
        other = certified(read((ROOT / "puzzles/9x9_hard.txt").read_text()), "native").proof
        assert other is not None
        refuted = formula(read(HARD), check(read(HARD)).grids[0])
        rewrite(folder, "proof.drup", lambda text: drup.lines(other))
        assert (run("verify", str(folder)).exit_code == 0) is accepted_by_dratify(refuted, other)

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (lambda manifest: manifest.update(claim="unsolvable"), "expected hashes of puzzle.txt, formula.cnf"),
            (lambda manifest: manifest.update(claim="certain"), "the claim is 'certain'"),
            (lambda manifest: manifest.update(claim=["unique"]), "the claim is"),
            (lambda manifest: manifest.update(certificate=2), "certificate 2, expected 1"),
            (lambda manifest: manifest.update(format="lines"), "format is 'lines', expected line or toml"),
            (lambda manifest: manifest.update(format="toml"), "puzzle.txt: "),
            (lambda manifest: manifest.update(sha256=None), "expected hashes"),
            (lambda manifest: manifest["sha256"].pop("proof.drup"), "expected hashes"),
            (lambda manifest: manifest["sha256"].update({"/etc/passwd": ""}), "expected hashes"),
            (lambda manifest: manifest.pop("encoding"), "the encoding is not"),
        ],
    )
    def test_a_manifest_that_says_something_else(self, folder: Path, change: Any, said: str) -> None:
        edit(folder, change)
        assert said in refusal(folder)

    def test_claims_exchanged_with_all_that_belongs_to_them(self, folder: Path) -> None:
        """Unsolvable, for a puzzle that has a solution: its proof cannot be."""
        (folder / "grids.txt").unlink()
        puzzle = read(HARD)
        rewrite(folder, "formula.cnf", lambda text: formula(puzzle).text())
        edit(folder, lambda manifest: manifest["sha256"].pop("grids.txt"))
        edit(folder, lambda manifest: manifest.update(claim="unsolvable"))
        edit(folder, lambda manifest: manifest["encoding"].update(clauses=len(formula(puzzle))))
        assert "does not follow" in refusal(folder)

    def test_multiple_with_one_grid_twice_or_a_wrong_one(self, tmp_path: Path) -> None:
        made = tmp_path / "two"
        assert run("certify", TWO, "-o", str(made)).exit_code == 0
        assert sorted(path.name for path in made.iterdir()) == ["grids.txt", "manifest.json", "puzzle.txt"]
        first, second = (made / "grids.txt").read_text().split()
        rewrite(made, "grids.txt", lambda text: f"{first}\n{first}\n")
        assert refusal(made) == "grids.txt, grid 2: it is there twice"
        rewrite(made, "grids.txt", lambda text: f"{first}\n{swapped(second)}\n")
        assert refusal(made).startswith("grids.txt, grid 2: ")

    def test_a_puzzle_with_other_rules_than_all_different(self, folder: Path) -> None:
        cage = (ROOT / "puzzles/variants/cage.toml").read_text()
        rewrite(folder, "puzzle.txt", lambda text: cage)
        edit(folder, lambda manifest: manifest.update(format="toml"))
        assert "is a Linear, and certificates are for AllDifferent alone" in refusal(folder)

    def test_what_is_no_certificate_at_all(self, tmp_path: Path) -> None:
        (tmp_path / "list").mkdir()
        for path, said in (("list", "it has no manifest.json"), ("nothing", "no such folder")):
            result = run("verify", str(tmp_path / path))
            assert (result.exit_code, said in result.stderr) == (2, True)
        for text in ("{", "[]", "1", "\xff"):
            (tmp_path / "list" / "manifest.json").write_text(text)
            assert "no JSON" in refusal(tmp_path / "list")


class TestMinimal:
    def test_a_second_grid_for_each_given(self, tmp_path: Path) -> None:
        text = "".join(str(value or ".") for value in small(1).givens)
        made = tmp_path / "made"
        result = run("certify", text, "--minimal", "-o", str(made), "--json")
        told = json.loads(result.stdout)
        assert (result.exit_code, told["claim"], told["certificate"]) == (0, "minimal", str(made))
        witnesses = (made / "witnesses.txt").read_text().split()
        given = [cell for cell, value in enumerate(text) if value != "."]
        assert len(witnesses) == len(given)
        for cell, grid in zip(given, witnesses, strict=True):
            assert [at for at in given if grid[at] != text[at]] == [cell]
        assert run("verify", str(made)).stdout.startswith("minimal: ")
        rewrite(made, "witnesses.txt", lambda text: "\n".join(witnesses[1:]))
        assert "witnesses.txt: " in refusal(made)
        rewrite(made, "witnesses.txt", lambda text: "\n".join([witnesses[1], *witnesses[1:]]))
        assert "which the puzzle does not allow there" in refusal(made)
        rewrite(made, "witnesses.txt", lambda text: "\n".join([told["solution"], *witnesses[1:]]))
        assert refusal(made).endswith("it is the solution")

    def test_a_puzzle_of_candidates_alone_has_no_given_to_leave_out(self) -> None:
        puzzle = Puzzle(classic(2, 2), PAIRS)
        made = certifier("native").certify(puzzle, check(puzzle), None, ())
        assert made is not None
        assert made.claim is Claim.MINIMAL

    def test_a_given_too_many_or_several_solutions_make_none(self, tmp_path: Path) -> None:
        made = tmp_path / "made"
        result = run("certify", UNIQUE, "--minimal", "-o", str(made))
        assert (result.exit_code, made.exists()) == (1, False)
        assert result.stdout == "not minimal: it has one solution, too, without the given at r1c1\n"
        result = run("certify", TWO, "--minimal", "-o", str(made))
        assert (result.exit_code, result.stdout.startswith("multiple"), made.exists()) == (1, True, False)


class TestCertify:
    @pytest.mark.parametrize(("text", "claim"), [(UNIQUE, "unique"), (TWO, "multiple"), (CLASH, "unsolvable")])
    def test_a_certificate_for_each_verdict(self, text: str, claim: str, tmp_path: Path) -> None:
        made = str(tmp_path / "a" / "folder")
        result = run("certify", text, "-o", made)
        assert (result.exit_code, result.stdout.split(":")[0]) == (0, claim)
        told = json.loads(run("verify", "--json", made).stdout)
        assert (told["claim"], told["holds"], told["certificate"], told["givens"]) == (claim, True, made, text)
        shown = run("verify", made).stdout
        assert shown.startswith(f"{claim}: ")
        assert check(read(shown.split("\n\n")[1])).verdict.value == claim  # the puzzle, as it was read

    def test_it_writes_into_no_folder_that_holds_something(self, folder: Path) -> None:
        before = sorted(folder.iterdir())
        result = run("certify", UNIQUE, "-o", str(folder))
        assert (result.exit_code, sorted(folder.iterdir())) == (2, before)
        assert "there is something already" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ((UNIQUE, "-b", "minisat22"), "backend minisat22 writes no proofs; these do: auto"),
            ((UNIQUE, "-b", "cpsat"), "writes no proofs"),
            ((UNIQUE, "--checker", "mine"), "unknown checker 'mine'"),
            ((str(ROOT / "puzzles/variants/cage.toml"),), "cage 2 at r1c1 is a Linear"),
            ((str(ROOT / "puzzles/variants/nonconsecutive.toml"),), "certificates are for AllDifferent alone"),
            (("." * 65536,), "million clauses"),
            ((UNIQUE, "-b", f"dimacs:{sys.executable} {{cnf}}"), "put {proof} into the command"),
        ],
    )
    def test_what_cannot_be_is_refused_by_name(self, arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
        result = run("certify", *arguments, "-o", str(tmp_path / "made"))
        assert (result.exit_code, said in result.stderr) == (2, True), result.output
        assert not (tmp_path / "made").exists()

    def test_backends_shows_who_can(self) -> None:
        rows = [json.loads(line) for line in run("backends", "--json").stdout.splitlines()]
        assert {row["backend"] for row in rows if row["certifies"] and row["installed"]} == set(backends.provers())

    def test_the_folder_says_what_made_it(self, folder: Path) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        assert set(manifest["versions"]) >= {"satdoku", "numba"}
        assert manifest["encoding"] == {"name": "exactly one, direct, pairwise", "variables": 729, "clauses": 12010}
        assert set(manifest["sha256"]) == {path.name for path in folder.iterdir()} - {"manifest.json"}


class TestCheckers:
    @pytest.mark.parametrize("checker", ["rup", "dratify"])
    def test_each_accepts_and_refuses(self, folder: Path, checker: str) -> None:
        result = run("verify", "--checker", checker, str(folder))
        assert (result.exit_code, f"checker {checker}" in result.stderr) == (0, True)
        rewrite(folder, "proof.drup", lambda text: "0\n")
        assert refusal(folder, "--checker", checker)

    def test_drat_trim_where_there_is_none(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        result = run("verify", "--checker", "drat-trim", str(folder))
        assert (result.exit_code, "no such program on PATH; there is rup, dratify" in result.stderr) == (2, True)

    def test_drat_trim_is_run_forwards_and_its_word_is_taken(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By a program that speaks as drat-trim does; the proof is checked by dratify."""
        program = tmp_path / "bin" / "drat-trim"
        program.parent.mkdir()
        program.write_text(
            f"#!{sys.executable}\n"
            "import sys, dratify\n"
            "assert '-f' in sys.argv\n"
            "formula = dratify.parse_dimacs_file(sys.argv[1])\n"
            "ok = dratify.check_proof(formula, open(sys.argv[2]).read()).ok\n"
            "print('\\rc finished parsing, read 10 bytes from proof file')\n"
            "print('\\rs VERIFIED' if ok else '\\ns NOT VERIFIED')\n"
            "sys.exit(not ok)\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
        assert run("verify", "--checker", "drat-trim", str(folder)).exit_code == 0
        rewrite(folder, "proof.drup", lambda text: "0\n")
        assert refusal(folder, "--checker", "drat-trim") == "drat-trim: not verified"


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of puzzles of all verdicts, with lines that are none."""
    monkeypatch.chdir(tmp_path)
    lines = [UNIQUE, "# a comment", TWO, HARD, CLASH, NONE, "12x4", "." * 81, "", UNIQUE[:-1] + "1"]
    lines += ["".join(str(value or ".") for value in small(seed).givens) for seed in range(6)]
    Path("many.txt").write_text("\n".join(lines * 12) + "\n")
    return "many.txt"


class TestBulk:
    def test_verdicts_are_those_of_check_and_certified(self, many: str) -> None:
        plain = [json.loads(line) for line in run("check", "--json", "-j1", many).stdout.splitlines()]
        result = run("check", "--json", "-j1", "--certified", many)
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert all(row.pop("certified") for row in found)
        assert [row | {"backend": ""} for row in found] == [row | {"backend": ""} for row in plain]
        assert result.stderr.endswith("; certified\n")

    def test_the_proofs_that_are_kept_hold_whatever_the_jobs(self, many: str) -> None:
        outputs = []
        for jobs in "13":
            result = run("check", "-j", jobs, "--certified", "--proofs", f"{jobs}.zst", many)
            outputs.append((result.stdout, Path(f"{jobs}.zst").read_bytes()))
        assert outputs[0] == outputs[1]
        result = run("verify", "1.zst")
        assert result.exit_code == 0
        assert "156 certificates: 156 hold, 0 refused" in result.stderr
        names = [line.split("\t")[1:3] for line in result.stdout.splitlines()]
        assert names == [line.split("\t")[::-1] for line in outputs[0][0].splitlines()]

    def test_a_name_is_shown_on_one_line_with_the_puzzle_beside_it(self, many: str) -> None:
        run("check", "--certified", "--proofs", "kept.jsonl", UNIQUE, UNIQUE)
        first, second = Path("kept.jsonl").read_text().splitlines()
        name = "p.txt:1\nkept.jsonl:2\tunique\tother.txt:7\x1b[2J"
        Path("kept.jsonl").write_text(json.dumps({**json.loads(first), "name": name}) + f"\n{second}\n")
        shown = run("verify", "kept.jsonl").stdout.splitlines()
        assert len(shown) == 2
        assert "\x1b" not in shown[0]
        assert [line.split("\t")[3] for line in shown] == [UNIQUE.replace("0", ".")] * 2

    def test_frames_are_the_same_and_resuming_loses_none(self, many: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.batch.outputs.FRAME", 2_000)
        monkeypatch.setattr("satdoku.batch.outputs.SECONDS", 0.0)
        asked = ("check", "-j1", "--certified", "--proofs", "kept.zst", "-o", "out.txt", many)
        whole = run(*asked)
        expected = Path("out.txt").read_bytes(), Path("kept.zst").read_bytes()
        from satdoku.batch import outputs

        class Stopped(Exception):
            pass

        original = outputs.Journaled.commit
        for stop in (1, 3):
            left = [stop]

            def commit(self: Any, piece: Any = None, left: list[int] = left) -> None:
                original(self, piece)
                left[0] -= piece is not None
                if not left[0]:
                    raise Stopped

            with monkeypatch.context() as patch:
                patch.setattr(outputs.Journaled, "commit", commit)
                with pytest.raises(Stopped):
                    run(*asked[:-1], *(["--resume"] if stop > 1 else []), many)
            Path("kept.zst").write_bytes(Path("kept.zst").read_bytes() + b"what no journal knows")
        resumed = run(*asked[:-1], "--resume", many)
        assert resumed.exit_code == whole.exit_code
        assert resumed.stderr.splitlines()[-1] == whole.stderr.splitlines()[-1]
        assert (Path("out.txt").read_bytes(), Path("kept.zst").read_bytes()) == expected

    def test_a_forged_record_is_refused_at_its_line(self, many: str) -> None:
        run("check", "-j1", "--certified", "--proofs", "kept.jsonl", many)
        lines = Path("kept.jsonl").read_text().splitlines()
        fields = [json.loads(line) for line in lines]
        for number, change in enumerate(
            [
                {"puzzle": "." * 16},
                {"claim": "unsolvable"},
                {"grids": None},
                {"proof": "1 2"},
            ]
        ):
            lines[number] = json.dumps(fields[0] | change)
        lines[4] = "not JSON"
        lines[5] = json.dumps({key: value for key, value in fields[5].items() if key != "puzzle"})
        Path("kept.jsonl").write_text("\n".join(lines))
        result = run("verify", "kept.jsonl")
        assert result.exit_code == 1
        found = dict(line.split("\t")[:2] for line in result.stdout.splitlines())
        refused = [name for name, word in found.items() if word.startswith("refused: ")]
        assert refused == [f"kept.jsonl:{number}" for number in (1, 2, 3, 4, 5, 6)]
        assert len(found) == len(lines)

    def test_a_damaged_file_is_an_error(self, many: str) -> None:
        run("check", "-j1", "--certified", "--proofs", "kept.zst", many)
        Path("kept.zst").write_bytes(Path("kept.zst").read_bytes()[:-50])
        result = run("verify", "kept.zst")
        assert (result.exit_code, "kept.zst is damaged: " in result.stderr) == (2, True)
        Path("kept.zst").write_bytes(b"")
        assert "is empty, expected certificates" in run("verify", "kept.zst").stderr

    def test_a_board_without_certificates_costs_itself(self, tmp_path: Path) -> None:
        cage = str(ROOT / "puzzles/variants/cage.toml")
        result = run("check", "--certified", UNIQUE, cage, TWO)
        assert result.exit_code == 2
        assert "cage 2 at r1c1 is a Linear, and certificates are for AllDifferent alone" in result.stderr
        assert result.stdout == "argument 1\tunique\nargument 3\tmultiple\n"

    def test_a_proof_that_does_not_check_ends_the_run(self, many: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.backends.auto.AutoProver.refute", lambda *arguments: drup.EMPTY)
        result = run("check", "-j1", "--certified", "--proofs", "kept.jsonl", many)
        assert (result.exit_code, "does not check" in result.stderr) == (4, True)
        assert all(json.loads(line)["claim"] != "unique" for line in Path("kept.jsonl").read_text().splitlines()[3:])

    @pytest.mark.parametrize(
        "options",
        [
            ("--proofs", "kept.zst"),
            ("--checker", "dratify"),
            ("--certified", "--compare", "native,cpsat"),
            ("--certified", "-e", "minimal"),
            ("--certified", "-b", "cpsat"),
            ("--certified", "-b", "backtrack"),
        ],
    )
    def test_options_that_do_not_go_together(self, options: tuple[str, ...], tmp_path: Path) -> None:
        assert run("check", *options, UNIQUE).exit_code == 2

    def test_dratify_certifies_too(self) -> None:
        result = run("check", "--certified", "--checker", "dratify", "--json", UNIQUE)
        assert (result.exit_code, json.loads(result.stdout)["certified"]) == (0, True)

    def test_a_timeout_that_leaves_no_proof_leaves_the_verdict_open(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.backends.auto.AutoProver.refute", lambda *arguments: None)
        result = run("check", "--certified", "--timeout", "60", "--json", UNIQUE)
        told = json.loads(result.stdout)
        assert (result.exit_code, told["verdict"], "certified" in told) == (3, "undecided", False)
