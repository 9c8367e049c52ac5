"""The size of files and functions, and which files import each other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest
from support.puzzles import ROOT

MAX_FILE = 400
MAX_TEST_FILE = 500
MAX_FUNCTION = 60

PACKAGE = ROOT / "satdoku"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def name_of(path: Path) -> str:
    """`satdoku/inputs/__init__.py` is satdoku.inputs."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def nodes_of(text: str) -> list[ast.AST]:
    return [*ast.walk(ast.parse(text))]


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first statement to the last; the signature and the docstring do not count."""
    body = function.body[ast.get_docstring(function) is not None :]
    if not body:
        return 0
    decorators: list[ast.expr] = getattr(body[0], "decorator_list", [])
    first = min([body[0].lineno, *(decorator.lineno for decorator in decorators)])
    return (function.end_lineno or first) - first + 1


def long_functions(text: str) -> Iterator[str]:
    """Functions of a source with more than MAX_FUNCTION lines."""
    for node in nodes_of(text):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > MAX_FUNCTION:
            yield f"{node.name}: {body_lines(node)} lines"


def imported(text: str, modules: Iterable[str]) -> set[str]:
    """The modules that a source imports anywhere, in functions too; not what only type checkers read."""
    nodes = nodes_of(text)
    unread = [
        id(statement)
        for node in nodes
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for statement in chain.from_iterable(map(ast.walk, node.body))
    ]
    found = set()
    for node in nodes:
        if id(node) in unread:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names & {*modules}
            if names - {*modules}:
                found.add(node.module)
    return found & {*modules}


def circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Modules that import each other in a circle; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize(("paths", "most"), [(SOURCES, MAX_FILE), (TESTS, MAX_TEST_FILE)], ids=["satdoku", "tests"])
def test_no_file_is_longer_than_its_limit(paths: list[Path], most: int) -> None:
    assert len(paths) > 50
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in paths}
    assert {name: length for name, length in lengths.items() if length > most} == {}


def test_no_function_is_longer_than_its_limit() -> None:
    assert {name_of(path): found for path in SOURCES if (found := [*long_functions(path.read_text("utf-8"))])} == {}


def test_a_function_is_measured_from_its_first_statement() -> None:
    signature = "def long(\n" + "    a,\n" * 100 + '):\n    """Says\n' + "more\n" * 100 + '    """\n'
    assert list(long_functions(signature + "    pass\n" * MAX_FUNCTION)) == []
    assert list(long_functions(signature + "    pass\n" * (MAX_FUNCTION + 1))) == ["long: 61 lines"]


def test_complexity_is_excused_nowhere() -> None:
    for path in (*SOURCES, *TESTS):
        assert not re.search(r"noqa:?.*C90" + "1", path.read_text("utf-8")), path


def test_no_files_import_each_other_in_a_circle() -> None:
    names = {name_of(path) for path in SOURCES}
    graph = {name_of(path): imported(path.read_text("utf-8"), names) for path in SOURCES}
    assert sum(map(len, graph.values())) > 500
    assert circle(graph) == []


def test_a_circle_is_found_in_imports_of_functions_too() -> None:
    modules = ["a", "a.b", "c"]
    sources = {
        "a": "",
        "a.b": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import x\nimport c",
        "c": "def late():\n    from a import b",
    }
    graph = {name: imported(text, modules) for name, text in sources.items()}
    assert graph == {"a": set(), "a.b": {"c"}, "c": {"a.b"}}
    assert set(circle(graph)) == {"a.b", "c"}
