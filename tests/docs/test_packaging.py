"""What pyproject.toml promises: extras, URLs, and a lock file that fits."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from satdoku.version import __version__

ROOT = Path(__file__).parents[2]
TABLES: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, HOOK = TABLES["project"], TABLES["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def name_of(requirement: str) -> str:
    """The name of the package, without version and marker, as lock files spell it."""
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace(".", "-")


def packages(extra: str) -> set[str]:
    """What an extra installs besides the core; extras that it names are followed."""
    found = set()
    for requirement in EXTRAS[extra]:
        own = re.fullmatch(r"satdoku\[(.+)\]", requirement)
        found |= set().union(*map(packages, own[1].split(","))) if own else {name_of(requirement)}
    return found


def test_numba_is_needed_for_building_and_as_an_extra_alone() -> None:
    assert "numba" not in {name_of(requirement) for requirement in PROJECT["dependencies"]}
    assert packages("jit") == {"numba"}
    compiling = [each.partition(";")[0] for each in HOOK["compile"]]
    assert {name_of(each) for each in compiling} == {"numba", "llvmlite", "numpy"}
    assert set(compiling) <= locked_versions(), "the build compiles with other versions than the tests"
    assert all("==" in each for each in HOOK["link"])
    assert not any("numba" in each for each in TABLES["build-system"]["requires"])


def test_all_has_what_the_extras_for_users_have_and_test_has_all() -> None:
    development = {"all", "jit", "test", "lint", "docs"}
    users = set().union(*(packages(extra) for extra in EXTRAS.keys() - development))
    assert packages("all") == users
    assert users < packages("test")


def test_every_extra_that_a_message_or_a_page_names_is_there() -> None:
    files = [*(ROOT / "satdoku").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    named = {extra for file in files for extra in re.findall(r"satdoku\[([a-z,]+)\]", file.read_text("utf-8"))}
    assert {"pictures", "tables", "cluster"} <= named
    for extra in ",".join(named).split(","):
        assert extra in EXTRAS


def test_the_classifiers_name_the_version_that_runs_the_tests_alone() -> None:
    versions = [found[1] for each in PROJECT["classifiers"] if (found := re.fullmatch(r".*Python :: (3\.\d+)", each))]
    assert versions == ["3.11"]
    assert PROJECT["requires-python"] == ">=3.11"
    assert sys.version_info >= (3, 11)


def test_the_urls_are_of_one_place() -> None:
    assert {"Homepage", "Documentation", "Changelog", "Issues", "Source"} == set(PROJECT["urls"])
    assert all(url.startswith("https://") for url in PROJECT["urls"].values())


def test_the_lock_file_is_of_these_dependencies() -> None:
    locked = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    (own,) = (package for package in locked if package["name"] == "satdoku")
    written = {requirement["name"] for requirement in own["metadata"]["requires-dist"]} - {"satdoku"}
    needed = {name_of(requirement) for requirement in PROJECT["dependencies"]}
    assert written == needed.union(*(packages(extra) for extra in EXTRAS)), "run `uv lock`"
    assert written <= {package["name"] for package in locked}


def locked_versions() -> set[str]:
    """`NAME==VERSION` of every package of the lock file but satdoku."""
    locked = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    return {f"{package['name']}=={package['version']}" for package in locked if package["name"] != "satdoku"}


def test_the_constraints_are_the_versions_of_the_lock_file() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {line.partition(" ;")[0] for line in lines if not line.startswith("#")}
    assert pinned == locked_versions(), "make it anew with the command in its first lines"


@pytest.mark.parametrize("file", ["README.md", ".ci/run", ".github/workflows/tests.yml", ".github/workflows/docs.yml"])
def test_what_is_installed_for_tests_linters_and_documents_is_pinned(file: str) -> None:
    installs = re.findall(r"(?<!uv )pip install .*\[(?:\w+,)*(?:test|lint|docs)\].*", (ROOT / file).read_text("utf-8"))
    assert installs
    assert all("-c constraints.txt" in install for install in installs)


CONDA = {"ortools": "ortools-python"}
"""Packages that have another name in conda-forge."""


def test_the_recipe_for_conda_has_the_dependencies_and_the_compiler_of_the_wheel() -> None:
    recipe = yaml.safe_load((ROOT / "packaging" / "recipe.yaml").read_text("utf-8"))
    assert recipe["context"]["version"] == __version__
    written = [each.partition("  #")[0] for each in PROJECT["dependencies"]]
    names = {each: CONDA.get(name_of(each), name_of(each)) for each in written}
    needed = {f"{name} {each[len(name_of(each)) :]}" for each, name in names.items()}
    run = set(recipe["requirements"]["run"])
    assert run == needed | {f"python {PROJECT['requires-python']}"}
    host = {each.replace(" ", "") for each in recipe["requirements"]["host"]}
    compiling = {each.partition(";")[0] for each in HOOK["compile"] if "python_version >=" not in each}
    assert {"python3.11.*", "pip", *TABLES["build-system"]["requires"], *compiling} == host
    [script] = recipe["build"]["python"]["entry_points"]
    assert script == f"satdoku = {PROJECT['scripts']['satdoku']}"


def test_the_image_runs_the_command_as_a_user_without_rights() -> None:
    stages = (ROOT / "Dockerfile").read_text("utf-8").split("\nFROM ")
    build, image = stages[-2], stages[-1]
    assert "-c constraints.txt '.[web]'" in build
    assert re.findall(r"^(?:COPY|ENTRYPOINT|USER) .*", image, re.MULTILINE) == [
        "COPY --from=build /opt/satdoku /opt/satdoku",
        "USER 1000",
        'ENTRYPOINT ["satdoku"]',
    ]
    assert image.index("useradd --create-home --uid 1000") < image.index("USER 1000")


def test_the_page_of_installation_lists_what_is_needed() -> None:
    text = (ROOT / "docs" / "install.md").read_text("utf-8").partition("## What it installs")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| ([a-z0-9-]+) \| [0-9.]+ \|", text, re.MULTILINE)
    assert sorted(listed) == sorted(name_of(requirement) for requirement in PROJECT["dependencies"])
