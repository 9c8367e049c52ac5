"""Names: a function never hides a module, and messages do not speak of the command line."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import satdoku

ROOT = Path(satdoku.__file__).parent

CALLS = {
    "add_constraints": "add_constraints(p)",
    "board": "board()",
    "build": "build(size=4)",
    "candidates": "candidates(p)",
    "canonical": "canonical(p)",
    "canonical_many": "canonical_many([p])",
    "certify": "certify(p)",
    "check": "check(p)",
    "check_many": "list(satdoku.check_many([p]))",
    "classic": "classic(2, 2)",
    "cnf": "cnf(p)",
    "convert": "convert(p)",
    "count": "count(p)",
    "count_many": "count_many([p])",
    "cpsat_model": "cpsat_model(p)",
    "decode": "decode(satdoku.cnf(p), None)",
    "difficulty": "difficulty(p)",
    "difficulty_many": "difficulty_many([p])",
    "draw": "draw(p)",
    "estimate": "estimate(p, probes=10)",
    "explain": "explain(p)",
    "export": "export(p)",
    "generate": "generate(satdoku.classic(2, 2))",
    "grade": "grade(p, '.' * 16)",
    "load": "load(path)",
    "load_many": "load_many(path)",
    "minimize": "minimize(p)",
    "read": "read('.' * 16)",
    "render": "render(p)",
    "solve": "solve(p)",
    "solve_many": "solve_many([p])",
    "stated_solution_fault": "stated_solution_fault(p)",
    "verify": "verify(satdoku.certify(p))",
    "violations": "violations(p, '.' * 16)",
    "write": "write(p)",
}
"""A call of each function."""

BELOW_THE_COMMANDS = (
    "api",
    "backends",
    "counting",
    "encoders",
    "exports",
    "formats",
    "implied",
    "kernels",
    "pictures",
    "proofs",
    "setter",
    "system",
    "variants",
)


def test_functions_work_after_every_module_is_imported() -> None:
    functions = {name for name in satdoku.__all__ if name.islower() and callable(getattr(satdoku, name))}
    assert set(CALLS) == functions
    calls = "\n".join(call if call.startswith("list") else f"satdoku.{call}" for call in CALLS.values())
    path = Path(__file__).parents[2] / "puzzles" / "4x4_unique.txt"
    script = f"""
import importlib, pkgutil, satdoku
for module in pkgutil.walk_packages(satdoku.__path__, "satdoku."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
p, path = satdoku.read(".1.4....1....43."), {str(path)!r}
{calls}
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_public_name_is_that_of_a_module() -> None:
    modules = {module.name for module in pkgutil.iter_modules(satdoku.__path__)}
    assert modules & set(satdoku.__all__) == {"marks"}
    assert inspect.ismodule(satdoku.marks)


@pytest.mark.parametrize("module", ["satdoku", "satdoku.marks"])
def test_a_name_that_does_not_exist_is_an_attribute_error(module: str) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        importlib.import_module(module).nothing  # noqa: B018


def test_importing_the_package_loads_no_solver_and_no_numpy() -> None:
    heavy = "{'numpy', 'ortools', 'pysat', 'numba', 'matplotlib', 'pebble', 'multiprocessing'}"
    script = f"import sys, satdoku; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def messages(path: Path) -> list[str]:
    """The texts of a file that are not docstrings."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    expressions = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings | expressions
    ]


# These are commands and what they print; `dimacs` has the options of other programs, and `cells` and `marks` name
# options whose names the API has, too.
OF_COMMANDS = {
    "cli.py",
    "backends/dimacs.py",
    "system/process.py",
    "kernels/build.py",
    "formats/cells.py",
    "formats/marks.py",
}

FILES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (
        *ROOT.glob("*.py"),
        *(path for room in (*BELOW_THE_COMMANDS, "generator") for path in (ROOT / room).rglob("*.py")),
    )
}


def test_the_exceptions_are_files() -> None:
    assert FILES.keys() >= OF_COMMANDS


@pytest.mark.parametrize("name", sorted(FILES.keys() - OF_COMMANDS))
def test_messages_of_the_library_do_not_name_options_of_the_command_line(name: str) -> None:
    assert not [text for text in messages(FILES[name]) if re.search(r"(?<![\w-])--[a-z]", text)]


def test_each_class_has_a_name_of_its_own() -> None:
    texts = (path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py")))
    defined = re.compile(r"^ *class (\w+)[(:]|^(\w+) = \w*Enum\(", re.MULTILINE)
    classes = Counter(match[1] or match[2] for text in texts for match in defined.finditer(text))
    assert len(classes) > 400 and classes.most_common(1)[0][1] == 1, classes.most_common(3)
