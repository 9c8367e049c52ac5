"""Certificates of more than a verdict: true candidates, the number of solutions, what no puzzle can be without."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.certificates import HARD, PUZZLES, edit, refusal, rewrite
from support.cli import CLASH, TWO, UNIQUE, run

import satdoku
from satdoku import Budget, Mark, Outcome, Puzzle, Session, backends
from satdoku.certifier import Certifier
from satdoku.errors import Refused
from satdoku.outcome import CertificateKind

ROOT = Path(__file__).parents[2]
FEW = "12..34.........."  # 4x4, with 12 solutions
ALL = "." * 16  # with 288


def made(folder: Path, *arguments: str) -> Path:
    result = run("certify", *arguments, "-o", str(folder))
    assert result.exit_code == 0, result.output
    result = run("verify", str(folder))
    assert result.exit_code == 0, result.output
    return folder


def lines(folder: Path, name: str = "grids.txt") -> list[str]:
    return (folder / name).read_text().splitlines(keepends=True)


CAGES = [Mark("cage", ((1, 1), (1, 2)), value=3), Mark("cage", ((3, 1), (3, 2)), value=5)]
THERMOMETER = Mark("thermometer", lines=(((2, 1), (2, 2)),))


@pytest.mark.parametrize(
    "puzzle",
    [
        satdoku.build(size=4, marks=[CAGES[0], THERMOMETER, CAGES[1], Mark("disjoint-groups")], givens={"r3c4": 4}),
        satdoku.build(
            size=3, box="none", marks=[Mark("cave", ((1, 2),)), Mark("chaos-construction")], givens="123231..."
        ),
    ],
    ids=["constraints", "layers"],
)
@pytest.mark.parametrize("of", ["verdict", "count", "candidates"])
def test_marks_in_another_order_than_the_text_has_them(puzzle: Puzzle, of: str, tmp_path: Path) -> None:
    assert satdoku.read(satdoku.write(puzzle, "toml")).board.constraints != puzzle.board.constraints
    assert satdoku.certify(puzzle, tmp_path / "made", of=of) is not None
    assert [each.fault for each in satdoku.verify(tmp_path / "made")] == [None]


def test_marks_in_another_order_have_their_own_second_grids(tmp_path: Path) -> None:
    marks = [*CAGES, Mark("disjoint-groups")]
    minimal = satdoku.minimize(satdoku.build(size=4, marks=marks, givens={"r3c4": 4}), marks=True).puzzle
    assert minimal is not None
    assert satdoku.read(satdoku.write(minimal, "toml")).board.marks != minimal.board.marks
    assert satdoku.certify(minimal, tmp_path / "made", of="minimal-marks") is not None
    assert [each.fault for each in satdoku.verify(tmp_path / "made")] == [None]


class TestCount:
    @pytest.mark.parametrize(("text", "count"), [(UNIQUE, 1), (FEW, 12), (ALL, 288), (CLASH, 0)])
    def test_it_is_that_of_all_solutions(self, text: str, count: int, tmp_path: Path) -> None:
        folder = made(tmp_path / "made", text, "--of", "count")
        record = json.loads(run("verify", "--json", str(folder)).stdout)
        assert (record["claim"], record["count"], record["holds"]) == ("count", count, True)
        assert satdoku.count(text, limit=None).count == count
        assert f"exactly {count}" in run("verify", str(folder)).stdout

    def test_forgeries_are_refused(self, tmp_path: Path) -> None:
        folder = made(tmp_path / "made", FEW, "--of", "count")
        original = lines(folder)
        rewrite(folder, "grids.txt", lambda text: "".join(original[1:]))
        assert refusal(folder) == "grids.txt: 11 grids, and the claim count has 12"
        edit(folder, lambda manifest: manifest.update(shown=11))
        assert refusal(folder).startswith("manifest.json: the encoding is not")
        edit(folder, lambda manifest: manifest["encoding"].update(clauses=manifest["encoding"]["clauses"] - 1))
        assert refusal(folder).startswith("formula.cnf, line ")
        rewrite(folder, "formula.cnf", lambda text: formula_without_the_first_grid(text))
        assert "does not follow" in refusal(folder)
        rewrite(folder, "grids.txt", lambda text: "".join([original[0], *original[:-1]]))
        edit(folder, lambda manifest: manifest.update(shown=12))
        edit(folder, lambda manifest: manifest["encoding"].update(clauses=manifest["encoding"]["clauses"] + 1))
        assert refusal(folder) == "grids.txt, grid 2: it is there twice"
        rewrite(folder, "grids.txt", lambda text: "".join(original).replace("1", "2", 1))
        assert refusal(folder).startswith("grids.txt, grid 1: ")

    @pytest.mark.parametrize("number", [13, 11, 0, -1])
    def test_a_wrong_number_is_refused(self, number: int, tmp_path: Path) -> None:
        folder = made(tmp_path / "made", FEW, "--of", "count")
        edit(folder, lambda manifest: manifest.update(shown=number))
        assert refusal(folder) == f"grids.txt: 12 grids, and the claim count has {number}"
        edit(folder, lambda manifest: manifest.pop("shown"))
        assert refusal(folder) == "grids.txt: 12 grids, and the claim count has None"

    def test_more_than_certificates_hold_is_reported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.certifier.MAX_COUNT", 11)
        result = run("certify", FEW, "--of", "count", "-o", str(tmp_path / "made"))
        assert (result.exit_code, result.stdout) == (
            1,
            "multiple: over 11 solutions, and certificates of their number have up to that\n",
        )
        with pytest.raises(Refused, match="over 11 solutions"):
            satdoku.certify(FEW, of="count")


def formula_without_the_first_grid(text: str) -> str:
    head, *clauses = text.splitlines(keepends=True)
    count = int(head.split()[-1])
    return "".join([head.replace(str(count), str(count - 1)), *clauses[:-12], *clauses[-11:]])


class TestCandidates:
    @pytest.mark.parametrize("text", [UNIQUE, FEW, ALL, CLASH, TWO])
    def test_they_are_those_of_all_solutions(self, text: str, tmp_path: Path) -> None:
        folder = made(tmp_path / "made", text, "--of", "candidates")
        record = json.loads(run("verify", "--json", str(folder)).stdout)["candidates"]
        grids = satdoku.solve(text, limit=None).grids
        assert list(record.values()) == [sorted({grid[cell] for grid in grids}) for cell in range(len(record))]

    def test_marks_and_values_from_0(self, tmp_path: Path) -> None:
        text = 'size = 3\nvalues = "0-2"\nboxes = "none"\nlatin = true\ngreater-than = ["r1c1 r1c2"]\n'
        puzzle = satdoku.read(text.replace("latin = true\n", ""), format="toml")
        certificate = satdoku.certify(puzzle, tmp_path / "made", of="candidates")
        assert certificate is not None
        record = json.loads(run("verify", "--json", str(tmp_path / "made")).stdout)["candidates"]
        assert (record["r1c1"], record["r1c2"]) == ([1, 2], [0, 1])
        assert "r1c1 1 2, r1c2 0 1" in run("verify", str(tmp_path / "made")).stdout

    def test_the_timeout_is_that_of_all_searches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        timeouts: list[float | None] = []
        search = Session.run

        def run(session: Session, puzzle: Puzzle, budget: Budget, **more: Any) -> Outcome:
            timeouts.append(budget.timeout)
            return search(session, puzzle, budget, **more)

        monkeypatch.setattr(Session, "run", run)
        with Session("native") as session:
            Certifier("native", "rup").answer(session, satdoku.read(FEW), CertificateKind.CANDIDATES, 1_000.0)
        assert len(timeouts) > 2
        assert all(later is not None and before is not None and later < before for before, later in pairwise(timeouts))

    def test_a_missing_candidate_is_refused(self, tmp_path: Path) -> None:
        folder = made(tmp_path / "made", FEW, "--of", "candidates")
        original = lines(folder)
        assert len(original) > 2
        rewrite(folder, "grids.txt", lambda text: "".join(original[:-1]))
        edit(folder, lambda manifest: manifest.update(shown=len(original) - 1))
        assert refusal(folder).startswith("formula.cnf, line ")
        # The formula that belongs to them says so, and then the proof is none.
        puzzle = satdoku.read(FEW)
        from satdoku.proofs.formula import formula

        fewer = [tuple(map(int, line.strip())) for line in original[:-1]]
        rewrite(folder, "formula.cnf", lambda text: formula(puzzle, *fewer, values=True).text())
        assert "does not follow" in refusal(folder)

    def test_a_changed_grid_a_dropped_proof_or_another_claim_is_refused(self, tmp_path: Path) -> None:
        folder = made(tmp_path / "made", FEW, "--of", "candidates")
        original = (folder / "grids.txt").read_text()
        rewrite(folder, "grids.txt", lambda text: text[1] + text[0] + text[2:])
        assert refusal(folder).startswith("grids.txt, grid 1: ")
        rewrite(folder, "grids.txt", lambda text: original)
        edit(folder, lambda manifest: manifest.update(claim="count"))
        assert refusal(folder).startswith("formula.cnf, line ") or refusal(folder).startswith("manifest.json: the enc")
        edit(folder, lambda manifest: manifest.update(claim="candidates"))
        (folder / "proof.drup").unlink()
        assert refusal(folder) == "proof.drup is missing"

    def test_no_proof_is_refused(self, tmp_path: Path) -> None:
        folder = made(tmp_path / "made", HARD, "--of", "candidates")
        rewrite(folder, "proof.drup", lambda text: "")
        assert "never comes to the empty clause" in refusal(folder)


class TestMinimalMarks:
    def folder(self, tmp_path: Path) -> Path:
        """A killer of 4x4 in which nothing is spare."""
        rng = Random(3)
        cells = [f"r{row}c{column}" for row, column in product(range(1, 5), repeat=2)]
        solution = satdoku.solve("1" + "." * 15).grids[0]
        marks = []
        for left in rng.sample([cell for cell in range(16) if cell % 4 < 3], 5):
            pair = (left, left + 1)
            marks.append(satdoku.marks.killer_cage([cells[c] for c in pair], total=sum(solution[c] for c in pair)))
        puzzle = satdoku.build(size=4, marks=marks, givens=solution)
        minimal = satdoku.minimize(puzzle, marks=True, seed=1).puzzle
        assert minimal is not None
        assert satdoku.certify(minimal, tmp_path / "made", of="minimal-marks") is not None
        assert run("verify", str(tmp_path / "made")).exit_code == 0
        return tmp_path / "made"

    def test_each_given_and_each_mark_has_a_second_grid(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path)
        puzzle = satdoku.read((folder / "puzzle.txt").read_text(), format="toml")
        marks = [mark for mark in puzzle.board.marks if mark.kind == "cage"]
        assert len(lines(folder, "witnesses.txt")) == puzzle.given_count + len(marks)
        assert marks
        for number, message in ((-1, "cage"), (0, "the given at")):
            original = "".join(lines(folder, "witnesses.txt"))
            changed = lines(folder, "witnesses.txt")
            changed[number] = lines(folder)[0]
            rewrite(folder, "witnesses.txt", lambda text, changed=changed: "".join(changed))
            assert re.match(rf"witnesses.txt, grid without {message} .*: it is the solution", refusal(folder))
            rewrite(folder, "witnesses.txt", lambda text, original=original: original)
        rewrite(folder, "witnesses.txt", lambda text: "".join(text.splitlines(keepends=True)[:-1]))
        assert refusal(folder).startswith("witnesses.txt: ")

    def test_a_spare_mark_is_named(self, tmp_path: Path) -> None:
        path = str(ROOT / "puzzles/variants/xv.toml")
        result = run("certify", path, "--of", "minimal-marks", "-o", str(tmp_path / "made"))
        assert result.exit_code == 1
        assert re.fullmatch(r"not minimal: it has one solution, too, without xv [XV] at r\dc\d\n", result.stdout)


def test_what_is_asked_has_to_be_known() -> None:
    with pytest.raises(satdoku.InputError, match="unknown of 'counts': did you mean count"):
        satdoku.certify(UNIQUE, of="counts")


def test_a_backend_is_given_by_name_or_itself() -> None:
    row = backends.engine("glucose4")
    givable: tuple[str | backends.Engine, ...] = ("glucose4", row, replace(row, name="mine"))
    for one in givable:
        certificate = satdoku.certify(UNIQUE, backend=one)
        assert certificate is not None
        assert certificate.prover == "glucose4"
    for other in ("backtrack", backends.engine("backtrack"), backends.find("backtrack")):
        with pytest.raises(Refused, match=r"backend \w+ writes no proofs; these do: auto"):
            satdoku.certify(UNIQUE, backend=other)


class TestExplain:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((UNIQUE,), ("exactly one solution", "other than the one shown")),
            ((TWO,), ("more than one solution", "Each of the 2 grids")),
            ((CLASH,), ("no solution", "That there is a solution was written")),
            ((FEW, "--of", "count"), ("exactly 12", "other than the 12 shown")),
            ((FEW, "--of", "candidates"), ("r1c1 1, r1c2 2", "a value that is not named above")),
            (
                (str(PUZZLES / "variants/cage.toml"),),
                ("26 cages", "26 Linears", "This is all that it states:", "r1c2 r1c3"),
            ),
        ],
    )
    def test_it_says_what_is_proved_and_what_must_be_believed(
        self, arguments: tuple[str, ...], message: tuple[str, ...], tmp_path: Path
    ) -> None:
        folder = made(tmp_path / "made", *arguments)
        result = run("verify", "--explain", str(folder))
        text = " ".join(result.stdout.split())
        for each in (*message, "The puzzle is called", f"{folder} proves this", "You must believe", "AllDifferents"):
            assert each in text, result.stdout
        assert ("checker drat of satdoku" in text) is ("proof of" in text)
        assert "| " in text  # the picture
        assert max(map(len, result.stdout.splitlines())) < 120

    def test_what_is_refused_proves_nothing(self, tmp_path: Path) -> None:
        folder = made(tmp_path / "made", UNIQUE)
        rewrite(folder, "grids.txt", lambda text: text[1] + text[0] + text[2:])
        result = run("verify", "--explain", str(folder))
        assert (
            result.exit_code,
            "It is refused, and proves nothing: grids.txt" in " ".join(result.stdout.split()),
        ) == (1, True)
        (folder / "manifest.json").write_text("{")
        assert "is refused, and proves nothing: manifest.json" in run("verify", "--explain", str(folder)).stdout
