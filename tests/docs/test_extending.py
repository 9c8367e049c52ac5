"""The package of docs/tutorials/extending.md, as it stands there, and packages that offer something wrong."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from satdoku import backends
from satdoku import formats as every_format
from satdoku.backends import drain
from satdoku.encoders import clauses, cnf
from satdoku.testing import checks, formats

PAGE = (Path(__file__).parents[2] / "docs" / "tutorials" / "extending.md").read_text("utf-8")
FILES = dict(re.findall(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)^```", PAGE, re.DOTALL | re.M))
COMMANDS = [
    tuple(part.partition("\n")[::2])
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.M)
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]
]
UNIQUE = ".1.4....1....43."


def install(folder: Path, name: str, entry_points: dict[str, dict[str, str]]) -> None:
    """What pip writes beside the files of a package."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = [
        "\n".join([f"[{group}]", *(f"{key} = {value}" for key, value in rows.items()), ""])
        for group, rows in entry_points.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups))


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "120"}
    words = [sys.executable, "-m", *command]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mine")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    install(folder, project["name"], project["entry-points"])
    return folder


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_commands_of_the_page_print_what_it_shows(mine: Path, command: str, shown: str) -> None:
    result = ran(mine, *command.split())
    assert result.returncode == 0, result.stdout + result.stderr
    for line in shown.splitlines():
        assert line == "..." or line in result.stdout.splitlines(), result.stdout


def test_python_of_the_page(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(mine))
    (block,) = re.findall(r"^```pycon\n(.*?)^```", PAGE, re.DOTALL | re.M)
    test = doctest.DocTestParser().get_doctest(block, {}, "page", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize(
    "module", [checks, formats, clauses, cnf, backends, drain, every_format], ids=lambda module: module.__name__
)
def test_examples_of_what_a_person_extends_by_work(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(module).attempted > 1


def test_workers_and_lists_have_it(mine: Path) -> None:
    (mine / "many.txt").write_text(f"{UNIQUE}\n13....3131...213\n" * 3)
    many = ran(mine, "satdoku", "check", "-b", "mine", "-j", "2", "many.txt")
    assert many.stdout.split()[1::2] == ["unique", "multiple"] * 3, many.stderr
    assert "mine " in ran(mine, "satdoku", "backends").stdout


def test_a_known_name_does_not_look_for_packages(mine: Path) -> None:
    script = (
        "import sys, satdoku; satdoku.check('.1.4....1....43.', backend='native');"
        "satdoku.check('.1.4....1....43.'); assert 'importlib.metadata' not in sys.modules"
    )
    (mine / "known.py").write_text(script)
    assert ran(mine, "known").returncode == 0


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A package with entry points that cannot be loaded, name nothing, or have a name of satdoku's own."""
    (tmp_path / "wrong.py").write_text(
        "from satdoku.backends import Engine\nENGINES = (Engine('native', '', None), Engine('good', '', None))\n"
        "NOTHING = 5\n"
    )
    rows = {"broken": "not_there:X", "native": "wrong:ENGINES", "nothing": "wrong:NOTHING", "good": "wrong:ENGINES"}
    install(tmp_path, "wrong-package", {"satdoku.backends": rows})
    return tmp_path


def test_what_a_package_offers_amiss_is_named_in_one_line_each_and_costs_only_itself(wrong: Path) -> None:
    listed = ran(wrong, "satdoku", "backends")
    place = "satdoku: package wrong-package, entry point"
    assert listed.returncode == 0
    assert listed.stderr.splitlines() == [
        f"{place} broken of satdoku.backends: ModuleNotFoundError: No module named 'not_there'",
        f"{place} native of satdoku.backends: there is a backend native already",
        f"{place} nothing of satdoku.backends: expected a satdoku.backends.Engine of that name, or a tuple with one",
    ]
    assert re.search(r"^ *good ", listed.stdout, re.M)
    check = ran(wrong, "satdoku", "check", "-b", "native", UNIQUE)
    assert (check.returncode, "package" in check.stderr) == (0, False)


def test_a_broken_backend_that_is_asked_for_is_one_line(wrong: Path) -> None:
    result = ran(wrong, "satdoku", "check", "-b", "broken", UNIQUE)
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "satdoku: package wrong-package, entry point broken of satdoku.backends: ModuleNotFoundError: "
        "No module named 'not_there'"
    ]


EXTRA = '''
from satdoku.constraints import Linear
from satdoku.exports import Target
from satdoku.formats import Confidence, Detection, Format, Reading
from satdoku.formats.cells import field_tokens, puzzle_of
from satdoku.variants import Kinds, Shape

KINDS = Kinds()


@KINDS.add("mean", Shape.CELLS)
def lower(frame, mark):
    """The middle one of three cells is the mean of the others."""
    first, second, third = frame.cells(mark.cells)
    yield Linear((first, second, third), (1, -2, 1), 0, "mean")


def read(text, options):
    return Reading(puzzle_of(field_tokens(text.removeprefix("!"), "marked"), options), "marked")


def write(puzzle):
    return "!" + "".join(str(value or ".") for value in puzzle.givens)




def count(puzzle, encoding, blocked):
    return iter([f"{puzzle.given_count}\\n"])


sign = Detection(lambda text: text.startswith("!"), "a line after !", confidence=Confidence.CERTAIN)
FORMATS = (Format("marked", "a line after an exclamation mark", read, write, sign=sign, one_line=True),)
TARGETS = (Target(name="count", summary="givens", write=count),)
'''
TOML = 'size = 4\ngrid = """\n. . | . .\n3 4 | . .\n----+----\n. . | . .\n4 . | . 1\n"""\nmean = ["r1c1 r1c2 r1c3"]\n'


def test_formats_exports_and_marks_of_a_package(tmp_path: Path) -> None:
    (tmp_path / "extra.py").write_text(EXTRA)
    rows = {"formats": ("marked", "FORMATS"), "exports": ("count", "TARGETS"), "marks": ("mean", "KINDS")}
    rows_of = {f"satdoku.{group}": {name: f"extra:{where}"} for group, (name, where) in rows.items()}
    install(tmp_path, "extra", rows_of)
    (tmp_path / "mean.toml").write_text(TOML)
    toml = ran(tmp_path, "satdoku", "check", "mean.toml")
    assert (toml.returncode, toml.stdout.split()[0]) == (0, "unique:"), toml.stderr
    assert "1 mean" in toml.stderr
    for command in (["check", f"!{UNIQUE}"], ["check", "--format", "marked", f"!{UNIQUE}"]):
        result = ran(tmp_path, "satdoku", *command)
        assert (result.returncode, "read as marked" in result.stderr) == (0, True), result.stderr
    assert ran(tmp_path, "satdoku", "convert", "--to", "marked", UNIQUE).stdout == f"!{UNIQUE}\n"
    assert ran(tmp_path, "satdoku", "export", "--to", "count", UNIQUE).stdout == "5\n"
    assert "mean" in ran(tmp_path, "satdoku", "variants", "mean").stdout
    script = "import satdoku; print(satdoku.marks.mean('r1c1-r1c3').kind)"
    (tmp_path / "use.py").write_text(script)
    assert ran(tmp_path, "use").stdout == "mean\n"
