"""Certificates of unknown origin: what `verify` reads has bounds on its kind, its bytes, its lines and its time."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.certificates import HARD, certified, edit, hard, refusal, rewrite, simple
from support.cli import NONE, TWO, UNIQUE, complaints, records, run

import satdoku
from satdoku import read
from satdoku.errors import CertificateError, Refused
from satdoku.kernels import rup
from satdoku.limits import TimeIsUp, bounded_time
from satdoku.proofs import certificate, checkers, drup, lrat
from satdoku.proofs.certificate import MAX_RECORD, files, of_record, record
from satdoku.proofs.checkers import DEFINITION, SPARE, Backward, Checker, Drat, Lrat, Rup
from satdoku.proofs.loaded import MORE, LoadedFormulas
from satdoku.proofs.verify import verify_all

FILES = ["manifest.json", "puzzle.txt", "grids.txt", "formula.cnf", "proof.drup"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    certificate.save(files(certified(read(HARD), "native"), {}), tmp_path / "made")
    return tmp_path / "made"


@pytest.mark.parametrize("name", FILES)
class TestFolder:
    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_a_pipe_in_place_of_a_file_is_not_waited_for(self, folder: Path, name: str) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)
        assert refusal(folder) == f"{name} is not a regular file"

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
    def test_a_device_is_not_read(self, folder: Path, name: str) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to("/dev/zero")
        assert refusal(folder) == f"{name} is not a regular file"

    def test_a_file_of_more_than_its_bytes_is_not_read(self, folder: Path, name: str) -> None:
        os.truncate(folder / name, 200 << 20)
        assert refusal(folder).startswith(f"{name} has 209715200 bytes, expected at most ")


class TestEachHasItsVerdict:
    """What one of several is does not keep the others from being verified."""

    @pytest.fixture
    def several(self, tmp_path: Path) -> Path:
        for number, text in enumerate((UNIQUE, TWO, NONE, HARD)):
            certificate.save(files(certified(read(text), "native"), {}), tmp_path / "several" / str(number))
        return tmp_path / "several"

    def test_a_folder_without_a_manifest_or_with_files_that_cannot_be_read(self, several: Path) -> None:
        (several / "0" / "manifest.json").unlink()
        (several / "1" / "puzzle.txt").unlink()
        (several / "1" / "puzzle.txt").symlink_to("puzzle.txt")
        (several / "README").write_text("beside the certificates")
        result = run("verify", "--json", str(several), str(several / "nothing"), str(several / "README"))
        assert result.exit_code == 2
        found = {Path(each.pop("certificate")).name: each for each in records(result)}
        none = f"{several / '0'}: not a certificate: it has no manifest.json"
        assert found["0"] == {"holds": False, "error": none}
        assert (found["1"]["holds"], found["1"]["reason"].partition(":")[0]) == (False, "puzzle.txt cannot be read")
        assert (found["2"]["holds"], found["3"]["holds"]) == (True, True)
        assert found["nothing"]["error"] == f"{several / 'nothing'}: no such folder or file of certificates"
        assert found["README:1"]["reason"].startswith("the record is not that of a certificate")
        assert complaints(result)[:1] == [none]
        assert "6 certificates: 2 hold, 2 refused, 2 invalid" in complaints(result)

    @pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no such devices here")
    def test_a_file_that_is_none(self, several: Path) -> None:
        for number, name in enumerate(("/proc/self/mem", "/proc/kmsg", "/proc/self/maps")):
            if Path(name).exists():
                (several / str(number) / "puzzle.txt").unlink()
                (several / str(number) / "puzzle.txt").symlink_to(name)
        result = run("verify", str(several))
        assert result.exit_code == 1
        refused, held = result.stdout.splitlines()[:3], result.stdout.splitlines()[3]
        assert all("\trefused: puzzle.txt" in line for line in refused)
        assert held.startswith(f"{several / '3'}\tunique")

    def test_a_damaged_file_of_records(self, several: Path, tmp_path: Path) -> None:
        kept = tmp_path / "kept.gz"
        line = record(certified(read(UNIQUE), "native"))
        kept.write_bytes(gzip.compress(f"{line}\n{line}\n".encode())[:-4])
        result = run("verify", str(kept), "/proc/self/mem", str(several))
        assert result.exit_code == 2
        assert result.stdout.count("\tunique\t") >= 2
        assert f"{kept} is damaged: " in result.stderr
        assert f"satdoku: {several}" not in result.stderr


def test_what_could_not_be_read_back_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    made = certified(read(HARD), "native")
    monkeypatch.setattr(certificate, "MAX_BYTES", certificate.MAX_HEAD + 100)
    for write in (record, lambda made: files(made, {})):
        with pytest.raises(Refused, match="and certificates have up to 100"):
            write(made)


def test_a_proof_has_a_bound_of_its_own(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    made = certified(read(HARD), "native")
    line = record(made)
    monkeypatch.setattr(certificate, "MAX_PROOF", 100)
    for write in (record, lambda made: files(made, {})):
        with pytest.raises(Refused, match=r"a proof of \d+ bytes, and certificates have up to 100"):
            write(made)
    assert refusal(folder).startswith("proof.drup has ") and refusal(folder).endswith(" bytes, expected at most 100")
    with pytest.raises(CertificateError, match=r"^proof has \d+ characters, expected at most 100"):
        of_record(line.encode())


class TestRecords:
    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
    def test_a_line_without_an_end_is_given_up(self) -> None:
        result = run("verify", "/dev/zero")
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"/dev/zero, line 1: over {MAX_RECORD} bytes, expected a certificate a line" in result.stderr

    def test_a_file_of_something_else_is_given_up(self, tmp_path: Path) -> None:
        file = tmp_path / "other.txt"
        file.write_text("\n" * 5_000)
        result = run("verify", str(file))
        assert (result.exit_code, len(result.stdout.splitlines())) == (2, 100)
        assert "100 lines in a row are not certificates; the rest was not read" in result.stderr

    def test_lines_between_certificates_cost_themselves(self, tmp_path: Path) -> None:
        file = tmp_path / "kept.jsonl"
        line = record(certified(read(UNIQUE), "native"))
        file.write_text("\n".join([line, "x", "y"] * 80) + "\n")
        result = run("verify", str(file))
        assert result.exit_code == 1
        assert "240 certificates: 80 hold, 160 refused" in result.stderr


class TestTime:
    def test_a_proof_is_checked_in_slices(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = certified(hard(0), "native")
        assert made.proof is not None
        monkeypatch.setattr(checkers, "SLICE", 1)
        Rup().check(made.formula, made.proof)
        with pytest.raises(CertificateError, match="step 1 of the proof"):
            Rup().check(made.formula, made.proof[-1:])
        with pytest.raises(CertificateError, match="has been cut"):
            Rup().check(made.formula, made.proof[:-1])

    @pytest.mark.parametrize("checker", [Rup, Backward, Lrat])
    def test_a_proof_that_takes_too_long_is_given_up(
        self, checker: type[Checker], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = certified(hard(0), "native")
        assert made.proof is not None
        monkeypatch.setattr(checkers, "SLICE", 1)
        monkeypatch.setattr(lrat, "SLICE", 1)
        checker().check(made.formula, made.proof)
        with pytest.raises(TimeIsUp), bounded_time(-1.0):
            checker().check(made.formula, made.proof)

    @pytest.mark.parametrize("text", [HARD, TWO])
    def test_a_certificate_is_undecided_at_the_timeout(self, text: str, tmp_path: Path) -> None:
        """One with a proof, and one without, whose grids are checked."""
        made = certified(read(text), "native")
        certificate.save(files(made, {}), tmp_path / "made")
        (tmp_path / "kept.jsonl").write_text(f"{record(made)}\n{record(made)}\n")
        result = run("verify", "--json", "--timeout", "1e-9", str(tmp_path), str(tmp_path / "kept.jsonl"))
        assert result.exit_code == 3
        assert [each["holds"] for each in records(result)] == [None] * 3
        assert {each["reason"] for each in records(result)} == {"it was not verified in 1e-09 s"}
        assert "3 certificates: 0 hold, 0 refused, 3 undecided" in complaints(result)
        [each] = satdoku.verify(tmp_path / "made", timeout=1e-9)
        assert each.outcome == "undecided"
        [each] = satdoku.verify(made, timeout=1e-9)
        assert each.outcome == "undecided"

    def test_the_time_is_for_all_of_a_certificate(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What reading and the proof take together counts, and each certificate has time of its own."""
        now = 0.0
        monkeypatch.setattr("satdoku.limits.monotonic", lambda: now)

        def slow(*arguments: object) -> object:
            nonlocal now
            now += 0.6
            return opened(*arguments)

        def slower(self: Checker, *arguments: object) -> None:
            nonlocal now
            now += 0.6
            checked(self, *arguments)

        opened: Any = certificate.opened
        checked: Any = Drat.check
        monkeypatch.setattr(checkers, "SLICE", 1)
        monkeypatch.setattr("satdoku.proofs.verify.opened", slow)
        assert [each.outcome for each in verify_all([folder, folder], Drat.open(1.0))] == ["holds"] * 2
        monkeypatch.setattr(Drat, "check", slower)
        assert [each.outcome for each in verify_all([folder, folder], Drat.open(1.0))] == ["undecided"] * 2

    @pytest.mark.skipif(checkers.Dratify.absent() is not None, reason="dratify is not installed")
    def test_a_checker_that_cannot_be_stopped_takes_no_timeout(self, folder: Path) -> None:
        result = run("verify", "--checker", "dratify", "--timeout", "1", str(folder))
        assert result.exit_code == 2
        assert complaints(result) == ["checker dratify cannot be stopped, so it takes no timeout; drat does"]

    def test_pauses_come_after_as_many_steps_as_were_asked_for(self) -> None:
        made = certified(hard(0), "native")
        assert made.proof is not None
        state = Rup()._loaded.state(made.formula, made.proof)
        check: Any = rup.check  # compiled code has no types
        assert check(made.proof, 0, 0, 2, True, state)[:2] == (rup.PAUSED, 2)


@pytest.mark.parametrize("version", ["true", "1.0", "2", '"1"', "null"])
def test_the_version_is_the_integer_1(version: str, folder: Path) -> None:
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"certificate": 1', f'"certificate": {version}'))
    assert refusal(folder).endswith(": certificate has a value that it cannot have")


def test_a_record_of_odd_values_is_refused() -> None:
    line = record(certified(read(UNIQUE), "native"))
    for old, new in (
        ('"line"', "3"),
        ('"unique"', "true"),
        ('"proof": "', '"proof": 1, "x": "'),
        ('"name": "', '"name": [], "y": "'),
    ):
        assert old in line
        with pytest.raises(CertificateError, match="the record is not that of a certificate"):
            of_record(line.replace(old, new).encode())
    with pytest.raises(CertificateError, match="the record"):
        of_record(b'{"name": ' + b"[" * 100_000)


def test_edited_files_are_read_to_their_end(folder: Path) -> None:
    """A formula that is a little longer than it has to be is compared, not refused by its size."""
    rewrite(folder, "formula.cnf", lambda text: text + "1 2 0\n" * 50)
    assert refusal(folder).startswith("formula.cnf, line ")
    edit(folder, lambda manifest: manifest["sha256"].update({"formula.cnf": "0"}))
    assert "has been changed" in refusal(folder)


class TestWhatAProofCosts:
    def test_variables_are_as_many_as_the_proof_can_define(self) -> None:
        few = simple([1, 2])
        most = 2 + SPARE + 1
        with pytest.raises(CertificateError, match="never comes to the empty clause"):
            Drat().check(few, drup.read(f"{most} -1 0 -{most} 1 0", "proof"))
        with pytest.raises(CertificateError, match=f"the proof names variable {most + 1}, and the formula has 2"):
            Drat().check(few, drup.read(f"{most + 1} -1 0 -{most + 1} 1 0", "proof"))

    def test_its_memory_is_proportional_to_its_length(self) -> None:
        many = 3 << 20
        proof = np.resize(np.array([1, 2, 0], np.int32), many)
        proof[0] = many // DEFINITION
        loaded = LoadedFormulas()
        made = loaded.state(simple([1, 2]), proof)
        assert sum(part.nbytes for part in made) < 24 * many + 50 * MORE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "it is not an object"),
        ("{", "it is not JSON"),
        ("{}", "claim is missing"),
        ('{"claim": "true"}', "claim has a value that it cannot have"),
        ('{"encoding": "direct"}', "encoding has a value that it cannot have"),
        ('{"encoding": {"name": "direct"}}', "encoding.variables is missing"),
        ('{"x":' * 100_000, "brackets nested too deep"),
    ],
)
def test_a_manifest_that_is_none_is_refused_in_plain_words(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text)
    result = run("verify", str(tmp_path))
    assert f"manifest.json is not that of a certificate of version 1: {reason}\n" in result.stdout + result.stderr
