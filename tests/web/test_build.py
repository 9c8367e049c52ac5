"""What `satdoku web --build` says where something cannot be had; then nothing is written. And what it packs."""

from __future__ import annotations

import io
import shutil
import sys
import urllib.request
import zipfile
from http.client import IncompleteRead
from importlib import import_module
from pathlib import Path
from urllib.error import URLError

import pytest
from support.cli import run

from satdoku.web.browser import archives, site


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
    monkeypatch.setattr(site, "KERNELS", Path("build", "libraries", "none.wasm"))
    assert f"none.wasm; `{site.MADE_BY}` makes them" in refused(tmp_path)
    monkeypatch.setattr(site, "PACKAGE", tmp_path / "package")
    (tmp_path / "build" / "libraries").mkdir(parents=True)
    (tmp_path / "build" / "libraries" / "none.wasm").write_bytes(b"\0asm of other kernels")
    said = refused(tmp_path)
    assert "was made from other sources" in said and site.MADE_BY in said


def test_compiled_modules_take_the_place_of_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {
        "packed_one/__init__.py": b"from packed_one import later\n",
        "packed_one/later.py": b"value = 1\n",
        "packed_one/unused.py": b"value = 2\n",
        "packed_one/table.txt": b"3",
        f"{archives.READ}kernel.py": b"value = 4\n",
    }
    file = tmp_path / "packed.zip"
    loaded = [f"{file}/{name}" for name in sources if "unused" not in name]
    content = archives.compiled(archives.packed(sources.items()), str(file), loaded)
    file.write_bytes(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        beside = f"{archives.READ}__pycache__/kernel.{sys.implementation.cache_tag}.pyc"
        own = {f"packed_one/{name}" for name in ("__init__.pyc", "later.pyc", "table.txt", "unused.py")}
        assert set(archive.namelist()) == {*own, f"{archives.READ}kernel.py", beside}
        archive.extractall(tmp_path / "unpacked")
    for place in (file, tmp_path / "unpacked"):
        monkeypatch.syspath_prepend(place)
        module = import_module("packed_one")
        assert module.later.value == 1 and module.__file__ == str(place / "packed_one" / "__init__.pyc")
        assert import_module("packed_one.unused").value == 2
        for name in [name for name in sys.modules if name.startswith("packed_one")]:
            monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize(("node", "said"), [(None, "there is no node"), (sys.executable, "node failed: SyntaxError")])
def test_without_node_modules_are_compiled_in_the_browser(
    node: str | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: node)
    heard: list[str] = []
    assert site._compiled({"python/start.mjs": b""}, heard.append) == {}
    assert heard[0].startswith(f"modules are compiled at each visit, which takes longer: {said}")
