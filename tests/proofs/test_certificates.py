"""Folders of certificates: made, verified, and refused where they were forged."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from support.certificates import (
    HARD,
    PAIRS,
    PUZZLES,
    ROOT,
    accepted_by_dratify,
    certified,
    certifier,
    edit,
    refusal,
    rewrite,
    small,
    swapped,
)
from support.cli import CLASH, TWO, UNIQUE, run

from satdoku import Puzzle, Session, backends, check, classic, read, verify
from satdoku.outcome import CertificateKind
from satdoku.proofs import certificate as proof_files
from satdoku.proofs import drup
from satdoku.proofs.certificate import Claim
from satdoku.proofs.formula import formula


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that 4 of its proof's steps cannot do without."""
    base = tmp_path_factory.mktemp("certificate")
    (base / "hard.txt").write_text(HARD)
    result = run("certify", str(base / "hard.txt"), "-o", str(base / "made"), "-b", "native")
    assert result.exit_code == 0
    return base / "made"


@pytest.fixture
def folder(untouched: Path, tmp_path: Path) -> Path:
    """A copy of the certificate, to be forged."""
    return Path(shutil.copytree(untouched, tmp_path / "made"))


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

    def test_a_value_that_no_cell_can_have(self, tmp_path: Path) -> None:
        folder = tmp_path / "large"
        assert run("certify", str(PUZZLES / "16x16.txt"), "-o", str(folder)).exit_code == 0
        for value in ("0", "17", "999999999999", "9" * 5000):
            rewrite(folder, "grids.txt", lambda text, value=value: ",".join([value, *text.split(",")[1:]]))
            assert "is not one of 1..16" in refusal(folder), len(value)

    def test_a_text_that_a_table_cannot_hold(self, tmp_path: Path) -> None:
        folder = tmp_path / "windoku"
        assert run("certify", str(PUZZLES / "variants" / "windoku.toml"), "-o", str(folder)).exit_code == 0
        rewrite(folder, "puzzle.txt", lambda text: re.sub(r"(?m)^rules = .*$", "rules = [{a = 1}]", text))
        assert "which is not a rule of the whole board" in refusal(folder)

    def test_verify_shows_all_that_the_puzzle_states(self, tmp_path: Path) -> None:
        puzzle = Puzzle(classic(2, 2), PAIRS)
        folder = tmp_path / "candidates"
        proof_files.save(proof_files.files(certified(puzzle, "native"), {}), folder)
        shown, record = run("verify", str(folder)).stdout, json.loads(run("verify", "--json", str(folder)).stdout)
        for text in (shown, record["puzzle"]):
            assert "candidates" in text

    def test_a_grid_too_many_too_few_or_none(self, folder: Path) -> None:
        original = (folder / "grids.txt").read_text()
        rewrite(folder, "grids.txt", lambda text: original * 2)
        assert refusal(folder) == "grids.txt: 2 grids, and the claim unique has 1"
        rewrite(folder, "grids.txt", lambda text: "")
        assert refusal(folder) == "grids.txt: 0 grids, and the claim unique has 1"
        rewrite(folder, "grids.txt", lambda text: original[:-4])
        assert "is not a grid of 81 values" in refusal(folder)
        rewrite(folder, "grids.txt", lambda text: original.replace("1", "x"))
        assert "is not a grid of 81 values" in refusal(folder)

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
        rewrite(folder, "proof.drup", lambda text: "730 0\n" + original)  # by RAT alone
        assert run("verify", str(folder)).exit_code == 0
        assert (
            refusal(folder, "--checker", "rup")
            == "step 1 of the proof does not follow from those before it: clause 730"
        )
        rewrite(folder, "proof.drup", lambda text: "as everyone can see\n")
        assert refusal(folder).startswith("proof.drup, line 1")

    def test_the_proof_of_another_puzzle_holds_exactly_where_dratify_says_so(self, folder: Path) -> None:
        other = certified(read((ROOT / "puzzles/9x9_hard.txt").read_text()), "native").proof
        assert other is not None
        refuted = formula(read(HARD), check(read(HARD)).grids[0])
        rewrite(folder, "proof.drup", lambda text: drup.lines(other))
        assert (run("verify", str(folder)).exit_code == 0) is accepted_by_dratify(refuted, other)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda manifest: manifest.update(claim="unsolvable"), "expected hashes of puzzle.txt, formula.cnf"),
            (lambda manifest: manifest.update(claim="certain"), "claim has a value that it cannot have"),
            (lambda manifest: manifest.update(claim=["unique"]), "claim has a value that it cannot have"),
            (lambda manifest: manifest.update(certificate=2), "certificate has a value that it cannot have"),
            (lambda manifest: manifest.update(format="lines"), "format has a value that it cannot have"),
            (lambda manifest: manifest.update(format="toml"), "puzzle.txt: "),
            (lambda manifest: manifest.update(sha256=None), "sha256 has a value that it cannot have"),
            (lambda manifest: manifest["sha256"].pop("proof.drup"), "expected hashes"),
            (lambda manifest: manifest["sha256"].update({"/etc/passwd": ""}), "expected hashes"),
            (lambda manifest: manifest.pop("encoding"), "the encoding is not"),
        ],
    )
    def test_a_manifest_that_says_something_else(self, folder: Path, change: Any, message: str) -> None:
        edit(folder, change)
        assert message in refusal(folder)

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

    def test_another_puzzle_with_marks(self, folder: Path) -> None:
        cage = (ROOT / "puzzles/variants/cage.toml").read_text()
        rewrite(folder, "puzzle.txt", lambda text: cage)
        edit(folder, lambda manifest: manifest.update(format="toml"))
        assert refusal(folder).startswith("manifest.json: the encoding is not ")

    def test_what_is_no_certificate_at_all(self, tmp_path: Path) -> None:
        (tmp_path / "list").mkdir()
        for path, message in (("list", "it has no manifest.json"), ("nothing", "no such folder")):
            result = run("verify", str(tmp_path / path))
            assert (result.exit_code, message in result.stderr) == (2, True)
        for text in ("{", "[]", "1", "\xff"):
            (tmp_path / "list" / "manifest.json").write_text(text)
            assert "not that of a certificate" in refusal(tmp_path / "list")


class TestMinimal:
    def test_a_second_grid_for_each_given(self, tmp_path: Path) -> None:
        text = "".join(str(value or ".") for value in small(1).givens)
        made = tmp_path / "made"
        result = run("certify", text, "--of", "minimal", "-o", str(made), "--json")
        reported = json.loads(result.stdout)
        assert (result.exit_code, reported["claim"], reported["certificate"]) == (0, "minimal", str(made))
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
        rewrite(made, "witnesses.txt", lambda text: "\n".join([reported["solution"], *witnesses[1:]]))
        assert refusal(made).endswith("it is the solution")

    def test_a_puzzle_of_candidates_alone_has_no_given_to_leave_out(self) -> None:
        puzzle = Puzzle(classic(2, 2), PAIRS)
        with Session("native") as session:
            made = certifier("native").answer(session, puzzle, CertificateKind.MINIMAL, None)
        assert made.claim is Claim.MINIMAL

    def test_a_given_too_many_or_several_solutions_make_none(self, tmp_path: Path) -> None:
        made = tmp_path / "made"
        result = run("certify", UNIQUE, "--of", "minimal", "-o", str(made))
        assert (result.exit_code, made.exists()) == (1, False)
        assert result.stdout == "not minimal: it has one solution, too, without the given at r1c1\n"
        result = run("certify", TWO, "--of", "minimal", "-o", str(made))
        assert (result.exit_code, result.stdout.startswith("multiple"), made.exists()) == (1, True, False)


class TestCertify:
    @pytest.mark.parametrize(("text", "claim"), [(UNIQUE, "unique"), (TWO, "multiple"), (CLASH, "unsolvable")])
    def test_a_certificate_for_each_verdict(self, text: str, claim: str, tmp_path: Path) -> None:
        made = str(tmp_path / "a" / "folder")
        result = run("certify", text, "-o", made)
        assert (result.exit_code, result.stdout.split(":")[0]) == (0, claim)
        data = json.loads(run("verify", "--json", made).stdout)
        assert (data["claim"], data["holds"], data["certificate"], data["puzzle"]) == (claim, True, made, text)
        shown = run("verify", made).stdout
        assert shown.startswith(f"{claim}: ")
        assert check(read(shown.split("\n\n")[1])).verdict.value == claim  # the puzzle, as it was read

    def test_it_writes_into_no_folder_that_is_read(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text(UNIQUE)
        for made in (tmp_path, tmp_path / "made", tmp_path / "new" / "made"):
            result = run("certify", str(tmp_path), "-o", str(made))
            assert (result.exit_code, [each.name for each in tmp_path.iterdir()]) == (2, ["a.txt"])
            assert f"--output {made}: in the folder {tmp_path}, which is read" in result.stderr
        assert run("certify", str(tmp_path / "a.txt"), "-o", str(tmp_path / "made")).exit_code == 0

    def test_it_writes_into_no_folder_that_holds_something(self, folder: Path) -> None:
        before = sorted(folder.iterdir())
        result = run("certify", UNIQUE, "-o", str(folder))
        assert (result.exit_code, sorted(folder.iterdir())) == (2, before)
        assert "there is something already" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((UNIQUE, "-b", "minisat22"), "backend minisat22 writes no proofs; these do: auto"),
            ((UNIQUE, "-b", "cpsat"), "writes no proofs"),
            ((UNIQUE, "--checker", "mine"), "unknown checker 'mine'"),
            (("." * 65536,), "million clauses"),
            ((UNIQUE, "-b", f"dimacs:{sys.executable} {{cnf}}"), "put {proof} into the command"),
        ],
    )
    def test_what_cannot_be_is_refused_by_name(self, arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
        result = run("certify", *arguments, "-o", str(tmp_path / "made"))
        assert (result.exit_code, message in result.stderr) == (2, True), result.output
        assert not (tmp_path / "made").exists()

    def test_backends_shows_who_can(self) -> None:
        rows = [json.loads(line) for line in run("backends", "--json").stdout.splitlines()]
        assert {row["backend"] for row in rows if row["certifies"] and row["installed"]} == set(backends.provers())

    def test_the_folder_says_what_made_it(self, folder: Path) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        assert set(manifest["versions"]) >= {"satdoku", "library", "level"}
        assert manifest["encoding"] == {"name": "exactly one, direct, support", "variables": 729, "clauses": 12010}
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
        assert result.exit_code == 2
        assert "no such program on PATH; there is drat, rup, backward, lrat, dratify" in result.stderr

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

    @pytest.mark.parametrize(
        ("script", "outcome", "fault"),
        [
            ("sleep 600", "undecided", "it was not verified in 1 s"),
            ("head -c 17000000 /dev/zero", "refused", "drat-trim wrote over 16000000 bytes to its file 'answer'"),
            ("exit 3", "refused", "drat-trim: status 3"),
        ],
    )
    @pytest.mark.skipif(os.name == "nt", reason="a shell script")
    def test_a_program_that_gives_no_verdict(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, outcome: str, fault: str
    ) -> None:
        program = tmp_path / "bin" / "drat-trim"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
        timeout = 1.0 if outcome == "undecided" else None
        [each] = verify(folder, checker="drat-trim", timeout=timeout)
        assert (each.outcome, fault in str(each.fault)) == (outcome, True), each.fault
