"""What `satdoku web --build` says where something cannot be had; then nothing is written."""

from __future__ import annotations

import urllib.request
from http.client import IncompleteRead
from pathlib import Path
from urllib.error import URLError

import pytest
from support.cli import run

from satdoku.web.browser import site


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "compiled", lambda: b"kernels")


def refused(tmp_path: Path) -> str:
    """The last line that the command says; there is no folder then, and no download that is not whole."""
    packages = tmp_path / "packages"
    before = sorted(packages.glob("*"))
    result = run("web", "--build", str(tmp_path / "site"), "--packages", str(packages))
    assert result.exit_code == 2
    assert not (tmp_path / "site").exists() and sorted(packages.glob("*")) == before
    return result.stderr.splitlines()[-1]


@pytest.mark.parametrize("error", [URLError("no network"), IncompleteRead(b"", 9)])
def test_without_a_network(error: Exception, kernels: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def urlopen(*arguments: object, **more: object) -> None:
        raise error

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    said = refused(tmp_path)
    assert site.PYODIDE.address in said and f"put the file into {tmp_path / 'packages'}, or try again" in said


def test_what_is_downloaded_has_to_be_what_was_tested(kernels: None, tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / site.PYODIDE.name).write_bytes(b"another file")
    assert f"{site.PYODIDE.name}: not the file that was tested" in refused(tmp_path)


def test_without_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "KERNELS", Path("build", "browser", "none.wasm"))
    assert f"none.wasm; `{site.MADE_BY}` makes them" in refused(tmp_path)
    monkeypatch.setattr(site, "PACKAGE", tmp_path / "package")
    (tmp_path / "build" / "browser").mkdir(parents=True)
    (tmp_path / "build" / "browser" / "none.wasm").write_bytes(b"\0asm of other kernels")
    said = refused(tmp_path)
    assert "was made from other sources" in said and site.MADE_BY in said
