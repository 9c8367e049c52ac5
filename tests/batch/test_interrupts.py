"""Ctrl-C at any moment of any backend: status 130, one message, no traceback, no process and no file left."""

from __future__ import annotations

import random
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.interrupts import interrupted

BACKENDS = [
    "glucose4",  # stopped by another thread
    "cadical153",  # searches in slices
    "lingeling",  # in a process of its own
    "cpsat",
    "native",
    "backtrack",
    "dlx",
    "dimacs:minisat",
]

SHORT, LONG = 3, 200
"""Tries of each backend. They run 8 at a time, which keeps the machine busy."""


def faults(backends: list[str], tries: int) -> list[str]:
    """What went wrong in so many tries of each backend that is installed."""
    there = [name for name in backends if ":" not in name or shutil.which(name.partition(":")[2])]
    runs = [(name, random.Random(f"{name} {number}")) for number in range(tries) for name in there]
    with ThreadPoolExecutor(8) as together:
        return list(filter(None, together.map(lambda run: interrupted(*run), runs)))


def test_ctrl_c_at_any_moment() -> None:
    assert faults(BACKENDS, SHORT) == []


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_ctrl_c_at_any_moment_of_one(backend: str) -> None:
    assert faults([backend], LONG) == []
