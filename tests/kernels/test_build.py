"""A library that does not fit is not used, and satdoku says so; without it numba or a SAT solver answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import satdoku
from satdoku.kernels import cpuid, library, targets

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SATDOKU = "import sys; {}from satdoku.__main__ import main; main()"
WITHOUT_NUMBA = "sys.modules['numba'] = None; "
WHY = "from satdoku.kernels.library import load; print(load())"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, with its library."""
    package = Path(satdoku.__file__).parent
    shutil.copytree(package, tmp_path / "satdoku")
    return tmp_path


def run(copy: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(copy), "HOME": str(copy), "XDG_CACHE_HOME": str(copy)}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=copy, env=environment, capture_output=True, text=True
    )


def edit(copy: Path) -> None:
    """As somebody does who works on a kernel."""
    kernel = copy / "satdoku" / "kernels" / "simd.py"
    kernel.write_text(kernel.read_text() + "\n# changed\n")


def test_the_library_here_fits() -> None:
    loaded = library.load()
    assert isinstance(loaded, library.Library), loaded
    assert loaded.level in (level for target in targets.TARGETS.values() for level in target.levels)
    assert library.described() == {"library": str(loaded.path), "level": loaded.level, "sha256": loaded.digest}


def test_one_of_other_sources_is_not_used(copy: Path) -> None:
    assert "Library(" in run(copy, WHY).stdout
    edit(copy)
    assert run(copy, WHY).stdout.strip().endswith("was made from other sources")


def test_line_ends_of_another_system_are_the_same_sources(copy: Path) -> None:
    kernel = copy / "satdoku" / "kernels" / "simd.py"
    kernel.write_bytes(kernel.read_bytes().replace(b"\n", b"\r\n"))
    assert "Library(" in run(copy, WHY).stdout


@pytest.mark.parametrize("content", [b"", b"remember the milk"], ids=["empty", "something else"])
def test_what_is_no_library_is_not_used(copy: Path, content: bytes) -> None:
    (copy / "satdoku" / "kernels" / library.path().name).write_bytes(content)
    assert "cannot be loaded" in run(copy, WHY).stdout


def test_a_level_that_this_processor_lacks_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    if not str(library.described()["level"]).startswith("x86-64"):
        pytest.skip("levels of x86-64 alone are distinguished")
    monkeypatch.setattr(cpuid, "level", lambda library: 0)
    assert "needs a processor of the level" in str(library.load.__wrapped__())


def test_a_level_can_be_named_and_another_is_refused(copy: Path) -> None:
    level = str(library.described()["level"])
    for name, status in ((level, 0), ("x86-64-v9", 2)):
        code = f"import os; os.environ['{library.WANTED}'] = '{name}'; {SATDOKU.format('')}"
        done = run(copy, code, "check", EASY)
        assert done.returncode == status, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("satdoku: SATDOKU_LEVEL=x86-64-v9: the library and this processor have ")
    assert line.endswith(level)


def test_numba_takes_its_place_and_one_line_says_so(copy: Path) -> None:
    pytest.importorskip("numba")
    edit(copy)
    # Named, since on a busy machine compiling may take the time after which the default has several engines race.
    done = run(copy, SATDOKU.format(""), "check", "--json", "-b", "native", EASY)
    assert (done.returncode, json.loads(done.stdout)["backend"]) == (0, "native")
    (line,) = [line for line in done.stderr.splitlines() if "compiled search" in line]
    assert line.startswith("satdoku: compiled search: ")
    assert "was made from other sources; numba compiles it in each process instead" in line
    assert line.endswith("`python -m satdoku.kernels.build` makes the library")


def test_without_numba_a_sat_solver_answers_and_native_is_unavailable(copy: Path) -> None:
    edit(copy)
    code = SATDOKU.format(WITHOUT_NUMBA)
    done = run(copy, code, "check", "--json", EASY)
    assert (done.returncode, json.loads(done.stdout)["backend"]) == (0, "glucose4")
    done = run(copy, code, "check", "-b", "native", EASY)
    assert (done.returncode, done.stdout) == (2, "")
    assert "was made from other sources; `python -m satdoku.kernels.build` makes it" in done.stderr
    assert "Traceback" not in done.stderr
    done = run(copy, code, "generate", "--seed", "1")
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)
    assert "satdoku: compiled search: its compiled library is not used" in done.stderr


def test_nothing_is_kept_in_the_home_folder(copy: Path, tmp_path: Path) -> None:
    before = {path for path in copy.rglob("*") if "__pycache__" not in str(path)}
    first, second = (run(copy, SATDOKU.format(""), "check", "--json", EASY) for _ in range(2))
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["backend"] == "native"
    assert {path for path in copy.rglob("*") if "__pycache__" not in str(path)} == before
