"""Formulas, proofs and provers: each proof holds for the checkers that are not ours too."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import dratify
import pytest
from support import policies
from support.certificates import (
    HARD,
    ROOT,
    accepted,
    accepted_by_dratify,
    certified,
    flat,
    hard,
    provers,
    simple,
    steps_of,
)
from support.cli import CLASH, NONE, TWO, UNIQUE, run

from satdoku import Board, Puzzle, backends, check, read
from satdoku.backends import Ending
from satdoku.certifier import Certifier
from satdoku.constraints import AllDifferent
from satdoku.encoders.cnf import encode
from satdoku.errors import BackendError, CertificateError
from satdoku.proofs import certificate as proof_files
from satdoku.proofs import checkers, drup
from satdoku.proofs.checkers import Rup
from satdoku.proofs.drup import DELETE
from satdoku.proofs.formula import Formula, formula
from satdoku.proofs.verify import examine
from satdoku.system.clock import Deadline
from satdoku.verdict import Outcome


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

    @pytest.mark.parametrize("part", [1, 2, 3, 5])
    def test_it_is_written_and_read_in_parts(self, part: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(drup, "_PART", part)
        text = "1 -20 0\nd 1 -20 0\n0\n"
        numbers = drup.read(text, "proof")
        assert numbers.tolist() == [1, -20, 0, DELETE, 1, -20, 0, 0]
        assert (drup.lines(numbers), drup.length(numbers)) == (text, len(text))
        for wrong, message in (("1 0\n2 d 3 0", "inside a clause"), ("1 0\n2 3", "cut"), ("1 0\n\n2 x 0", "line 3")):
            with pytest.raises(CertificateError, match=message):
                drup.read(wrong, "proof")

    @pytest.mark.parametrize("part", [1, 1 << 20])
    def test_layout_and_comments_are_free(self, part: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(drup, "_PART", part)
        assert drup.read("c by hand\n1\n 2 0 d1 2 0\r\n\t0", "proof").tolist() == [1, 2, 0, DELETE, 1, 2, 0, 0]

    @pytest.mark.parametrize(
        ("text", "message"),
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
            ("9" * 30 + " 0", "beyond"),
            ("\u0661 0", "line 1"),
        ],
    )
    def test_what_is_no_proof_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(CertificateError, match=message):
            drup.read(text, "proof")


SQUARE = simple([1, 2], [1, -2], [-1, 2], [-1, -2])
LADDER = simple([1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-3, 5, 6], [-3, 5, -6], [-5, 7, 8], [-5, -7, 8], [-5, -8])


class TestTheChecker:
    @pytest.mark.parametrize(
        ("refuted", "proof", "holds"),
        [
            (SQUARE, "1 0 0", True),
            (SQUARE, "0", False),
            (SQUARE, "1 0", False),  # refuted, without the empty clause
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
        for number in range(2):
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
        assert min(verdicts.values()) > 5


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
        assert certificate.proof is not None
        assert accepted_by_dratify(certificate.formula, certificate.proof)
        assert proof_files.of_record(proof_files.record(certificate).encode()).puzzle == certificate.puzzle

    def test_candidates_that_are_no_givens_are_part_of_the_formula(self) -> None:
        puzzle = read("size = 4\n[candidates]\nr1c1 = [1, 2]\nr1c2 = [1, 2]\nr1c3 = [1, 2]\n", format="toml")
        certificate = certified(puzzle, "native")
        assert certificate.claim.value == "unsolvable"
        assert proof_files.of_record(proof_files.record(certificate).encode()).puzzle.candidates == puzzle.candidates

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
        monkeypatch.setattr(wrong._prover, "refute", lambda *arguments: drup.EMPTY_CLAUSE)
        with pytest.raises(BackendError, match=r"does not check: step 1 .* the empty clause"):
            wrong.certify(hard(0), check(hard(0)))

    @pytest.mark.parametrize("prover", ["auto", "native", "glucose4"])
    def test_no_time_is_no_certificate(self, prover: str) -> None:
        assert Certifier(prover).certify(read(HARD), check(read(HARD)), 1e-9) is None

    def test_auto_goes_on_with_another_solver(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.backends.refuter.MIN_STEPS", 1)
        puzzle = read(HARD)
        policies.proofs(monkeypatch, native=0, glucose4=200_000)
        assert Certifier("auto").certify(puzzle, check(puzzle)).prover == "glucose4"
        policies.proofs(monkeypatch, native=0, glucose4=0)
        found = Certifier("auto").certify(puzzle, check(puzzle))
        assert found is not None and found.prover == "cadical153"
        examine(found, Rup())

    def test_a_large_proof_is_trimmed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        puzzle = read(HARD)
        whole = certified(puzzle, "glucose4")
        monkeypatch.setattr("satdoku.certifier.MAX_UNTRIMMED", 0)
        found = Certifier("glucose4").certify(puzzle, check(puzzle))
        assert found is not None and found.proof is not None and whole.proof is not None
        assert len(found.proof) < len(whole.proof)
        assert found.proof.tolist() == checkers.trimmed(whole.formula, whole.proof).tolist()
        monkeypatch.setattr("satdoku.backends.pysat.SolverProver.refute", lambda *arguments: drup.EMPTY_CLAUSE)
        with pytest.raises(BackendError, match="step 1 of the proof does not follow"):
            Certifier("glucose4").certify(puzzle, check(puzzle))

    def test_lingeling_cannot_be_stopped_and_says_so(self) -> None:
        result = run("check", "--certified", "-b", "lingeling", "--timeout", "5", HARD)
        assert (result.exit_code, "cannot be stopped" in result.stderr) == (2, True)

    def test_the_search_is_taken_up_where_it_paused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = certified(read(HARD), "native").proof
        monkeypatch.setattr("satdoku.backends.refuter.STEPS", 3)
        monkeypatch.setattr("satdoku.backends.refuter.PROOF", 100)
        puzzle = read(HARD)
        grid = check(puzzle).grids[0]
        assert whole is not None
        again = backends.prover("native").refute(formula(puzzle, grid), grid, Deadline(None))
        assert again is not None and again.tolist() == whole.tolist()
