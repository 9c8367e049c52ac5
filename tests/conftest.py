"""Slow tests run only when asked for; engines that a test joins to the table leave it with the test's file."""

from __future__ import annotations

import gc
import inspect
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from satdoku import backends


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests marked slow, too")


def pytest_configure(config: pytest.Config) -> None:
    # Most of what tests make is no garbage in cycles: to look for it as often as usual takes a fifth of the time.
    gc.set_threshold(20_000, 20, 20)
    # Each process takes tests that stand together: servers, browsers and what a module keeps are begun in one of them.
    if config.getoption("dist", "no") == "load":
        config.option.dist = "worksteal"
    # Derandomized, so that a run finds what the last one found; with --long many more examples, new ones each time.
    common: dict[str, Any] = {"database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}
    settings.register_profile("usual", max_examples=30, derandomize=True, **common)
    settings.register_profile("long", max_examples=3_000, **common)
    settings.load_profile("long" if config.getoption("--long") else "usual")
    # Commands in processes of their own are of the package that is tested, wherever they run.
    os.environ["PYTHONSAFEPATH"] = "1"
    if config.getoption("--long"):
        os.environ["SATDOKU_TESTS_LONG"] = "1"  # support.amount is imported later
    else:
        # numba's code need not be fast where it is run a few times: LLVM takes half of the time.
        os.environ.setdefault("NUMBA_OPT", "0")
    # A suite that a shell started in the background ignores Ctrl-C, and so would the commands it tests.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str, obj: object) -> Any:
    """One item, which is skipped, of a slow test for all of its parameters, whose collection takes long, too."""
    marks = {mark.name for mark in getattr(obj, "pytestmark", ())}
    if collector.config.getoption("--long") or not inspect.isfunction(obj) or not {"slow", "parametrize"} <= marks:
        return None
    return pytest.Function.from_parent(collector, name=name)


def pytest_runtest_teardown() -> None:
    # Where a test calls CP-SAT by itself, as a user does, Ctrl-C is no longer Python's afterwards: it ends the process.
    signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))


def pytest_collection_finish() -> None:
    # What was collected stays to the end: to look at it again and again takes a tenth of the time.
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        for item in items:
            item.add_marker(pytest.mark.timeout(0))
        return
    skip = pytest.mark.skip(reason="slow: runs with --long")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(autouse=True, scope="module")
def _joined_engines_leave() -> Iterator[None]:
    before = dict(backends.engines())
    yield
    backends.engines().clear()
    backends.engines().update(before)
    backends.join.cache_clear()
