"""What holds of every option of every command: given again it adds up or is refused; a file to write is no folder."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.cli import UNIQUE, complaints, records, run

from satdoku import cli
from satdoku.commands import COMMANDS

LISTS = {
    "--against": {"audit", "dedupe"},
    "--backend": {"bench run"},
    "--block": {"export"},
    "--compare": {"check"},
    "--encoding": {"bench run"},
    "--engines": {"bench run"},
    "--holes": {"bench make"},
    "--keep": {"minimize"},
    "--marks": {"generate"},
    "--only": {
        "check", "solve", "count", "convert", "dedupe", "candidates", "explain", "difficulty", "grade", "minimize",
        "generate", "shuffle",
    },
    "--origin": {"listen"},
    "--output": {
        "check", "solve", "count", "convert", "dedupe", "candidates", "explain", "difficulty", "grade", "minimize",
        "generate", "shuffle", "split", "audit",
    },
    "--rule": {
        "check", "solve", "count", "convert", "dedupe", "render", "web", "watch", "candidates", "explain", "difficulty",
        "grade", "minimize", "generate", "export", "certify", "bench run", "split", "shuffle",
        "audit",
    },
    "--size": {"bench make"},
}  # fmt: skip
"""The options that stand for lists, and the commands in which they do."""
COMMAS = {"--backend", "--compare", "--encoding", "--holes", "--keep", "--marks", "--only", "--size"}
"""Those of them that are lists with commas."""
NEEDED = {
    "bench make": ["--size", "4", "--holes", "0.5"],
    "bench run": [UNIQUE],
    "certify": ["-o", "folder"],
    "export": [UNIQUE],
    "split": ["--parts", "1:1", "puzzles.txt"],
    "audit": ["puzzles.txt"],
    "render": [UNIQUE],
    "watch": ["puzzles.txt"],
}
"""What commands do not begin without."""


def command_of(name: str) -> Any:
    first, *rest = name.split()
    found = cli._command(first)
    for word in rest:
        found = found.commands[word]
    return found


PARAMS: list[tuple[str, Any]] = [
    (command.name, param)
    for command in COMMANDS
    for param in command_of(command.name).params
    if param.param_type_name == "option"
]
WRITTEN = [(name, param) for name, param in PARAMS if param.metavar == "FILE" and "Path" in type(param.type).__name__]
OPTIONS, FILES = (
    [pytest.param(name, param, id=f"{name} {param.opts[0]}") for name, param in some] for some in (PARAMS, WRITTEN)
)


def spelled(param: Any, text: str) -> list[list[str]]:
    """The option with a text, or as many as it takes, in each of its spellings."""
    values = [] if param.is_flag else [text] * param.nargs
    return [[name, *values] for name in [*param.opts, *param.secondary_opts]]


@pytest.mark.parametrize(("command", "param"), OPTIONS)
def test_an_option_given_twice_adds_up_or_is_refused(command: str, param: Any) -> None:
    long = next(name for name in param.opts if name.startswith("--"))
    first, *_ = spelled(param, "1")
    if command in LISTS.get(long, ()):
        parser = command_of(command)
        values, _, _ = parser.make_parser(parser.make_context(command, [], resilient_parsing=True)).parse_args(
            [*first, long, "2"]
        )
        assert values[param.name] == ["1", "2"]
        return
    for second in spelled(param, "2"):
        result = run(*command.split(), *first, *second)
        assert (result.exit_code, result.stdout) == (2, "")
        assert complaints(result) == [f"{'/'.join([long, *param.secondary_opts])} is given 2 times: give it once"]


def test_an_equal_value_in_a_list_is_refused() -> None:
    """Whatever the value: no command looks at it before."""
    for option, commands in LISTS.items():
        expected = [f"{option} x1 is given 2 times: give it once"]
        ways = [["x1", option, "x1"], *([["x1,x2,x1"], ["x2,x1", option, "x1"]] if option in COMMAS else [])]
        for command, way in product(commands, ways):
            result = run(*command.split(), *NEEDED.get(command, ()), option, *way)
            assert (result.exit_code, result.stdout, complaints(result)) == (2, "", expected), command


@pytest.mark.parametrize("text", ["new/", "new/.", "new//", "", ".", "there", "there/"])
@pytest.mark.parametrize(("command", "param"), FILES)
def test_a_folder_is_not_the_name_of_a_file_to_write(
    command: str, param: Any, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there").mkdir()
    for words in spelled(param, text):
        result = run(*command.split(), *words)
        assert (result.exit_code, result.stdout) == (2, "")
        shown = text or "''"
        assert complaints(result) == [f"{param.opts[0]} {shown}: a directory, expected the name of a file to write"]
    assert [path.name for path in Path().iterdir()] == ["there"]


def test_every_option_that_writes_a_file_is_among_them() -> None:
    found = {param.opts[0] for _, param in WRITTEN}
    assert found == {"--output", "--errors", "--proofs", "--map", "--instances"}


class TestAddedUp:
    def test_only(self, file: Any) -> None:
        name = file(UNIQUE, "123", "." * 16)
        found = records(run("check", "--json", "--only", "unique", "--only", "invalid,multiple", name))
        assert [each["verdict"] for each in found] == ["unique", "invalid", "multiple"]

    def test_compare(self) -> None:
        result = run("check", "--compare", "backtrack", "--compare", "cpsat", UNIQUE)
        assert (result.exit_code, "backtrack, cpsat compared" in result.stderr) == (0, True)

    def test_keep(self) -> None:
        puzzle = "12343412214343.."
        both = run("minimize", "--keep", "r1c1,r1c2", puzzle)
        assert run("minimize", "--keep", "r1c1", "--keep", "r1c2", puzzle).stdout == both.stdout
        assert both.stdout != run("minimize", "--keep", "r1c2", puzzle).stdout

    def test_contenders_of_a_benchmark(self) -> None:
        engines, encodings = (["-b", "cadical195", "-b", "glucose4"], ["-e", "minimal", "-e", "extended"])
        found = records(run("bench", "run", "--json", *engines, *encodings, UNIQUE))
        contenders = {(each["backend"], each["encoding"]) for each in found}
        assert contenders == set(product(("cadical195", "glucose4"), ("minimal", "extended")))

    def test_instances_of_a_benchmark(self) -> None:
        more = ("-n", "1", "--seed", "3")
        both = run("bench", "make", "--size", "4,6", "--holes", "0.5,0.6", *more)
        apart = run("bench", "make", "--size", "4", "--holes", "0.5", "--size", "6", "--holes", "0.6", *more)
        assert (apart.exit_code, apart.stdout) == (0, both.stdout)
