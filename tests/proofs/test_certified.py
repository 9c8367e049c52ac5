"""Many certificates: `check --certified`, files of records, and `verify` of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.certificates import HARD, ROOT, small
from support.cli import CLASH, NONE, TWO, UNIQUE, run

from satdoku.proofs import drup
from satdoku.proofs.formula import Layers, refusal


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
        assert all(row.pop("certified") for row in found if row["verdict"] != "invalid")
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
        monkeypatch.setattr("satdoku.batch.files.FRAME", 2_000)
        monkeypatch.setattr("satdoku.batch.journal.SECONDS", 0.0)
        asked = ("check", "-j1", "--certified", "--proofs", "kept.zst", "-o", "out.txt", many)
        whole = run(*asked)
        expected = Path("out.txt").read_bytes(), Path("kept.zst").read_bytes()
        from satdoku.batch import journal

        class Stopped(Exception):
            pass

        original = journal.Journal.commit
        for stop in (1, 3):
            left = [stop]

            def commit(self: Any, piece: Any = None, left: list[int] = left) -> None:
                original(self, piece)
                left[0] -= piece is not None
                if not left[0]:
                    raise Stopped

            with monkeypatch.context() as patch:
                patch.setattr(journal.Journal, "commit", commit)
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
            [{"puzzle": "." * 16}, {"claim": "unsolvable"}, {"grids": None}, {"proof": "1 2"}]
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

    def test_a_board_without_certificates_costs_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.proofs.formula.MAX_STATES", 3)
        refusal.cache_clear()
        Layers.of.cache_clear()
        sums = str(ROOT / "puzzles/variants/little-killer.toml")
        result = run("check", "--certified", UNIQUE, sums, TWO)
        assert result.exit_code == 2
        refusal.cache_clear()
        Layers.of.cache_clear()
        assert "takes over 3 sums or states, and certificates have up to that" in result.stderr
        assert result.stdout == "argument 1\tunique\nargument 3\tmultiple\n"

    def test_a_proof_that_does_not_check_ends_the_run(self, many: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.backends.auto.AutoProver.refute", lambda *arguments: drup.EMPTY_CLAUSE)
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
        record = json.loads(result.stdout)
        assert (result.exit_code, record["verdict"], "certified" in record) == (3, "undecided", False)


def test_files_with_nearly_the_same_name_have_a_folder_each(tmp_path: Path) -> None:
    for name in ("diagonal+.txt", "diagonal-.txt"):
        (tmp_path / name).write_text(UNIQUE + "\n")
    result = run("certify", *map(str, tmp_path.glob("*.txt")), "-o", str(tmp_path / "made"), "--quiet")
    assert (result.exit_code, len(list((tmp_path / "made").iterdir()))) == (0, 2)
