"""`satdoku doctor`: what is installed, where files are, and a self-test that finds what is broken."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
from support.cli import run

from satdoku import backends
from satdoku.backends import Budget, Ending, Engine, Search
from satdoku.commands import doctor
from satdoku.discovery import NamedTable
from satdoku.kernels import library
from satdoku.proofs import checkers
from satdoku.puzzle import Board, Puzzle

FEW = ("auto", "backtrack", "glucose4", "race", "singles")


class Planted:
    """Takes every puzzle, and errs in one way."""

    def __init__(self, way: str) -> None:
        self._way = way
        self._engine = backends.find("backtrack")

    def refuses(self, board: Board) -> str | None:
        return None

    def load(self, board: Board) -> None:
        self._engine.load(board)

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        if self._way == "crashes":
            raise RuntimeError("no such instruction")
        if self._way == "wrong grid":
            yield (1,) * puzzle.board.cells
        if self._way == "ends early":
            return Ending.EXHAUSTED
        ending: Ending = yield from self._engine.search(puzzle, budget)
        return ending

    def close(self) -> None:
        self._engine.close()


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Engine]]:
    """A few of the engines, so that a run is short; what is added is in the table of all, too."""
    few = NamedTable("backend", Engine, [backends.engines()[name] for name in FEW], "satdoku.backends")
    monkeypatch.setattr(doctor, "engines", lambda: few)
    monkeypatch.setattr(doctor, "RACE", "race:backtrack,glucose4")
    monkeypatch.setattr(checkers, "CHECKERS", {"dratify": checkers.Dratify})
    yield few
    for name in few.keys() - set(FEW):
        backends.engines().pop(name, None)


@pytest.fixture(autouse=True)
def metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of pyproject.toml as it is now, not as it was when satdoku was installed."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    users = extras["all"][0].removeprefix("satdoku[").removesuffix("]").split(",")
    extras["all"] = [each for name in users for each in extras[name]]
    listed = [f"{each}; extra == '{name}'" for name, some in extras.items() for each in some]
    monkeypatch.setattr(doctor, "requires", lambda name: project["dependencies"] + listed)


def report(*arguments: str) -> tuple[int, dict[str, Any]]:
    result = run("doctor", "--json", *arguments)
    return result.exit_code, json.loads(result.stdout)


@pytest.mark.usefixtures("engines")
class TestReport:
    def test_all_is_well_here(self) -> None:
        status, found = report()
        assert status == found["failed"] == 0
        assert [test["name"] for test in found["tests"]] == [
            "auto",
            "backtrack",
            "glucose4",
            "race:backtrack,glucose4",
            "proof checked by dratify",
        ]
        assert all(test["fault"] is None and test["seconds"] >= 0 for test in found["tests"])
        assert found["compiled"] == library.described()
        assert Path(found["folders"]["temporary files"]).is_dir()
        assert Path(found["folders"]["secret of the page"]).name == "satdoku"

    def test_versions_are_those_of_the_packages(self) -> None:
        packages = {package["name"]: package["version"] for package in report()[1]["packages"]}
        assert packages["ortools"] == version("ortools")
        assert packages["matplotlib"] == version("matplotlib")

    def test_a_missing_package_has_the_command_that_adds_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def absent(name: str) -> str:
            if name == "pyarrow":
                raise PackageNotFoundError
            return version(name)

        monkeypatch.setattr(doctor, "version", absent)
        result = run("doctor")
        assert re.search(r"^pyarrow +missing +tables +pip install 'satdoku\[tables\]'$", result.stdout, re.M)
        assert result.stdout.count("pip install") == 1
        assert result.exit_code == 0

    def test_an_engine_that_is_not_here_is_named_with_the_reason_and_is_not_tested(
        self, engines: dict[str, Engine]
    ) -> None:
        engines["elsewhere"] = Engine("elsewhere", "none", lambda *_: Planted("right"), requires=("q9",))
        result = run("doctor")
        assert re.search(r"^elsewhere +needs the package q9, which is not installed$", result.stdout, re.M)
        assert result.stdout.endswith("5 tests: all passed\n")


@pytest.mark.parametrize(
    ("way", "fault"),
    [
        ("wrong grid", "WrongAnswer: "),
        ("ends early", "expected unique, found unsolvable"),
        ("crashes", "RuntimeError: no such instruction"),
    ],
)
def test_a_planted_fault_is_found_and_the_others_are_tested_all_the_same(
    engines: dict[str, Engine], way: str, fault: str
) -> None:
    engines["planted"] = backends.engines()["planted"] = Engine("planted", "errs", lambda *_: Planted(way))
    status, found = report()
    assert status == found["failed"] == 1
    faults = {test["name"]: test["fault"] for test in found["tests"] if test["fault"] is not None}
    assert faults.keys() == {"planted"}
    assert fault in faults["planted"]
    text = run("doctor")
    assert text.exit_code == 1
    assert re.search(rf"^planted +.*{fault}", text.stdout, re.M)
    assert text.stdout.endswith("6 tests: 1 failed\n")


def test_a_checker_that_refuses_a_right_proof_is_found(
    engines: dict[str, Engine], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "drat-trim"
    program.write_text("#!/bin/sh\necho s NOT VERIFIED\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(checkers, "CHECKERS", {"drat-trim": checkers.DratTrim})
    status, found = report()
    assert status == 1
    assert "not verified" in found["tests"][-1]["fault"]


@pytest.mark.usefixtures("engines")
class TestPackages:
    def test_each_is_listed_with_the_extra_that_has_it(self) -> None:
        found = {package["name"]: package["extra"] for package in report()[1]["packages"]}
        assert {name: found[name] for name in ("numpy", "matplotlib", "exact", "websockets", "pyarrow")} == {
            "numpy": None,
            "matplotlib": "pictures",
            "exact": "exact",
            "websockets": "web",
            "pyarrow": "tables",
        }
        assert not {"pytest", "ruff", "numba", "mkdocs-material"} & found.keys()

    @pytest.mark.parametrize(("python", "needed"), [((3, 13), True), ((3, 14), False)])
    def test_one_that_this_python_has_in_itself_is_left_out(
        self, monkeypatch: pytest.MonkeyPatch, python: tuple[int, int], needed: bool
    ) -> None:
        monkeypatch.setattr(sys, "version_info", python)
        names = [package.name for package in doctor._packages()]
        assert ("backports.zstd" in names) is needed
        assert len(names) == len(set(names))

    def test_without_being_installed_it_lists_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def absent(name: str) -> list[str]:
            raise PackageNotFoundError(name)

        monkeypatch.setattr(doctor, "requires", absent)
        assert list(doctor._packages()) == []
