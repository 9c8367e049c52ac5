"""Each public function documents its parameters, results and errors, and its example runs."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path
from typing import Any

import pytest

import satdoku
from satdoku import marks
from satdoku.api.marks import builders

ROOT = Path(__file__).parents[2]
FUNCTIONS = {
    name: getattr(satdoku, name) for name in satdoku.__all__ if name.islower() and callable(getattr(satdoku, name))
}
DOCUMENTED: dict[str, Any] = FUNCTIONS | {"Session": satdoku.Session} | {f"marks.{n}": f for n, f in builders().items()}


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_the_example_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = inspect.getdoc(DOCUMENTED[name]) or ""
    found = doctest.DocTestParser().get_doctest(text, {"satdoku": satdoku}, name, None, 0)
    assert found.examples, f"{name} has no example"
    assert doctest.DocTestRunner().run(found).failed == 0


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_parameters_results_and_errors_are_listed(name: str) -> None:
    documented = DOCUMENTED[name]
    text = inspect.getdoc(documented) or ""
    parameters = inspect.signature(documented).parameters
    for parameter in parameters:
        assert parameter in text.split("Returns:")[0].split("Raises:")[0], f"{name} does not describe {parameter}"
    assert "Parameters:" in text or not parameters
    assert "Returns:" in text or inspect.isclass(documented)
    assert "Raises:" in text or name == "stated_solution_fault"
    assert "Example:" in text


def test_the_builders_of_marks_are_public() -> None:
    assert set(marks.__all__) == {*builders(), "of"}
    assert "killer_cage" in marks.__all__
