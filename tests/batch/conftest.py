"""A file in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)

    def write(content: str | bytes, name: str = "p.txt") -> str:
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return write
