"""Compiled code is kept; what is damaged there is compiled anew without a word, and kept again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

numba = pytest.importorskip("numba")

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "a byte less": lambda content: content[:-1],
    "changed": lambda content: content[: len(content) // 2] + b"\xff\x00" + content[len(content) // 2 + 2 :],
    "something else": lambda content: b"remember the milk",
}


def double(value):  # type: ignore[no-untyped-def]  # numba infers its type
    return 2 * value


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Compiles `double` as another process would, with its code kept in a folder of this test."""
    from satdoku.kernels import compiled

    monkeypatch.setattr(compiled, "cache_folder", lambda: str(tmp_path))
    return lambda: compiled.compiled(double)


def hits(function: Any) -> int:
    return sum(function.stats.cache_hits.values())


def test_code_is_kept(kept: Callable[[], Any]) -> None:
    first, second = kept(), kept()
    assert (first(3), second(4)) == (6, 8)
    assert (hits(first), hits(second)) == (0, 1)


def test_that_it_compiles_is_told_once(kept: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from satdoku import kernels

    told: list[str] = []
    monkeypatch.setattr(kernels.compiled, "WATCHERS", watchers := [lambda: told.append("compiling")])
    kept()(3)
    assert (told, watchers) == (["compiling"], [])
    watchers.append(lambda: told.append("again"))
    kept()(4)  # kept
    assert told == ["compiling"]


@pytest.mark.parametrize("kind", ["nbi", "nbc", "nb[ic]"], ids=["index", "code", "both"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_is_compiled_anew(
    damage: Callable[[bytes], bytes], kind: str, kept: Callable[[], Any], tmp_path: Path
) -> None:
    assert kept()(1) == 2
    files = list(tmp_path.rglob(f"*.{kind}"))
    assert files
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    damaged, again = kept(), kept()
    assert (damaged(3), hits(damaged)) == (6, 0)
    assert (again(3), hits(again)) == (6, 1)


def test_a_folder_that_cannot_be_written_costs_time_alone(
    kept: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "_open_for_write", full)
    first, second = kept(), kept()
    assert (first(3), second(3)) == (6, 6)
    assert hits(second) == 0
