"""mkdocs.yml, the workflows and what stands beside them: all pages are summaries, options come from the program."""

from __future__ import annotations

import re
from pathlib import Path
from pydoc import locate
from typing import Any

import pytest
import yaml
from support.cli import run

from satdoku import classic, limits
from satdoku.commands import summaries
from satdoku.discovery import loaded
from satdoku.encoders.cnf import encode, encodings
from satdoku.formats import formats
from satdoku.proofs.checkers import CHECKERS
from satdoku.techniques.orders import SATDOKU
from satdoku.techniques.registry import techniques
from satdoku.version import __version__

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
HOOKS = loaded(str(DOCS / "hooks.py"))
PAGES = sorted(file.relative_to(DOCS).as_posix() for file in DOCS.rglob("*.md"))
COMMANDS = [page for page in PAGES if HOOKS.described(page)]


def parsed(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def pages(contents: Any) -> list[str]:
    """The pages that the contents name, in their order."""
    if isinstance(contents, str):
        return [contents]
    parts = contents.values() if isinstance(contents, dict) else contents
    return [page for part in parts for page in pages(part)]


def test_every_page_is_in_the_contents_once() -> None:
    summaries = pages(parsed("mkdocs.yml")["nav"])
    assert sorted(summaries) == PAGES


def test_every_command_has_a_page() -> None:
    described = [command for page in COMMANDS for command in HOOKS.described(page)]
    assert len(described) == len(set(described))
    assert {command.split()[0] for command in described} == set(summaries())
    assert set(HOOKS.DESCRIBED) <= set(PAGES)


@pytest.mark.parametrize("page", COMMANDS)
def test_a_page_of_commands_has_every_option_that_the_help_has(page: str) -> None:
    text = "\n".join(HOOKS.options(page))
    for command in HOOKS.described(page):
        section = text.split(f"## All options of {command}\n")[1].split("\n## ")[0]
        shown = set(re.findall(r"^│ \*? *(--[a-z-]+)", run(*command.split(), "--help").stdout, re.M)) - {"--help"}
        assert shown <= set(re.findall(r"--[a-z-]+", section))
        assert shown or command in ("formats", "variants", "backends", "doctor")


def test_the_page_of_difficulty_has_every_technique_in_the_order_in_which_they_are_tried() -> None:
    names = re.findall(r"^\| \w+ \| ([^|]+) \| [^|]+ \| \d* \| [\d.]* \|$", made("techniques"), re.M)
    assert sorted(names) == sorted(techniques())
    assert tuple(names[: len(SATDOKU)]) == SATDOKU


def made(name: str) -> str:
    """What the marker of that name stands for."""
    return "\n".join(HOOKS.MADE[name]())


def test_each_marker_of_a_page_is_known_and_each_table_is_on_a_page() -> None:
    found = [name for page in DOCS.rglob("*.md") for name in HOOKS.MARKER.findall(page.read_text("utf-8"))]
    assert sorted(found) == sorted(HOOKS.MADE)


def test_the_tables_have_all_formats_and_commands() -> None:
    rows = made("formats")
    assert re.findall(r"^\| `([^`]+)` \|", rows, re.M) == list(formats().all())
    assert "| only when named | givens |" in re.findall(r"^\| `newspaper`.*", rows, re.M)[0]
    assert re.findall(r"^\| `sdk`.*", rows, re.M)[0].endswith("| givens; author, title; up to 9x9 |")
    pages = re.findall(r"^\| \[([\w-]+)\]\(([^)]+)\)", made("commands"), re.M)
    assert [name for name, _ in pages] == list(summaries())
    assert all((DOCS / page).exists() for _, page in pages)


def test_the_table_of_limits_has_every_limit_as_it_is() -> None:
    rows = re.findall(r"^\| (.+) \| ([\d,]+) \|$", made("limits"), re.M)
    known = [value for name, value in vars(limits).items() if name.startswith("MAX_")]
    assert [number for _, number in rows] == [f"{value:,}" for value in known]


def test_the_checkers_and_the_sum_are_described_by_their_docstrings() -> None:
    assert re.findall(r"^\| `([^`]+)` \| .{20}", made("checkers"), re.M) == list(CHECKERS)
    assert "\n    solutions = sum over x, y, z of " in made("sum")
    assert re.findall(r"^\*\*(\w+)\*\*: [A-Z]", made("classics"), re.M) == ["backtrack", "dlx", "prune"]


def test_the_sizes_of_encodings_are_those_that_are_written() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| (\d+) \| (\d+) \|", made("sizes"), re.M)
    assert [name for name, *_ in rows] == list(encodings().all())
    for name, *sizes in rows:
        assert [len(encode(classic(*box), name).clauses) for box in ((2, 2), (2, 3))] == list(map(int, sizes))


def test_links_out_of_the_pages_lead_to_the_repository() -> None:
    class Page:
        class file:  # noqa: N801  as mkdocs names it
            src_uri = "tutorials/x.md"

    made = HOOKS.on_page_markdown("[a](../../CONTRIBUTING.md), [b](../api.md), [c](../satdoku/cli.py)", Page)
    assert made == f"[a]({HOOKS.REPOSITORY}CONTRIBUTING.md), [b](../api.md), [c]({HOOKS.REPOSITORY}satdoku/cli.py)"


def test_a_page_of_the_reference_names_everything_that_is_public() -> None:
    import satdoku

    text = "".join(HOOKS.named(page.read_text("utf-8")) for page in (DOCS / "reference").glob("*.md"))
    named = set(re.findall(r"^::: satdoku\.(\w+)$", text, re.M))
    assert named == set(satdoku.__all__) - {"Grid", "__version__"}


class TestBesideThePages:
    def test_the_workflows_run_on_the_version_that_the_classifiers_name(self) -> None:
        for workflow in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
            text = workflow.read_text("utf-8")
            assert set(yaml.safe_load(text)) >= {"name", "jobs", "permissions"}
            versions = set(re.findall(r'python-version: "([\d.]+)"', text))
            assert versions == {"3.11"}
            parts = set(re.findall(r"\bpart (\w+)", (ROOT / ".ci" / "run").read_text("utf-8"))) | {"lowest", "newest"}
            for job in yaml.safe_load(text)["jobs"].values():
                named = job.get("strategy", {}).get("matrix", {}).get("versions", [])
                for call in re.findall(r"\.ci/run(.*)", "\n".join(step.get("run", "") for step in job["steps"])):
                    called = call.replace("${{ matrix.versions }}", " ".join(named))
                    assert set(called.split()) <= parts

    def test_the_citation_is_of_this_version(self) -> None:
        citation = parsed("CITATION.cff")
        assert (citation["version"], citation["license"]) == (__version__, "MIT")

    def test_a_fault_is_reported_with_what_doctor_prints(self) -> None:
        for name in ("fault", "wish"):
            assert {"name", "description", "body"} <= set(parsed(f".github/ISSUE_TEMPLATE/{name}.yml"))
        ids = [part["id"] for part in parsed(".github/ISSUE_TEMPLATE/fault.yml")["body"]]
        assert ids == ["command", "expected", "doctor"]

    def test_ci_runs_the_command_that_the_readme_names(self) -> None:
        script = (ROOT / ".ci" / "run").read_text("utf-8")
        (pattern,) = re.findall(r"sed -n '/\^(Run its tests)/", script)
        section = (ROOT / "README.md").read_text("utf-8").split(f"\n{pattern}")[1]
        assert "pytest -n auto" in section.split("```")[1]


def test_each_name_of_the_reference_is_there() -> None:
    texts = (HOOKS.named(page.read_text("utf-8")) for page in DOCS.rglob("*.md"))
    names = {name for text in texts for name in re.findall(r"^::: (\S+)", text, re.M)}
    assert len(names) > 50
    assert [name for name in sorted(names) if locate(name) is None] == []
