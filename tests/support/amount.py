"""How much a test tries: few cases in a usual run, many with --long."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

LONG = "SATDOKU_TESTS_LONG" in os.environ  # set by conftest.py, in every worker


def tries(usual: int, long: int) -> int:
    """The number of cases of a test that draws them at random."""
    return long if LONG else usual


def every(step: int, cases: Iterable[Any], start: int = 0) -> list[Any]:
    """Parameters of which each step-th, from `start`, belongs to a usual run, and the others to one with --long."""
    return [
        case
        if place % step == start
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for place, case in enumerate(cases)
    ]
