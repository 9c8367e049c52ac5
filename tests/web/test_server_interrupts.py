"""Interrupts of a worker at many moments of a job, and what comes after an internal error."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from satdoku.web import worker

PUZZLE = {"rows": 4, "columns": 4, "marks": [{"kind": "boxes", "value": "2x2"}], "givens": {"r1c1": 1, "r1c2": 2}}
QUESTIONS = [json.dumps({"ask": ask, "puzzle": PUZZLE, "limit": 3}).encode() for ask in ("live", "count", "unique")]
MOMENTS = 60
"""With 1,000 it takes 40 s."""


@pytest.fixture
def ready() -> Iterator[tuple[worker.WebWorker, list[Any]]]:
    """A worker in this process, and what it sends."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    sent: list[Any] = []
    made = worker.WebWorker(sent.append, 60.0)
    made.load()
    yield made, sent
    for number, handler in handlers.items():
        signal.signal(number, handler)


def interrupted(call: Callable[[], object], moment: int) -> int:
    """Interrupt a call when so many functions have been called; returns how many it calls."""
    calls = 0

    def tell(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"
        if calls == moment and event == "call":
            signal.raise_signal(signal.SIGINT)

    sys.setprofile(tell)
    try:
        call()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_moment_leaves_a_worker_that_answers(ready: tuple[worker.WebWorker, list[Any]]) -> None:
    made, sent = ready

    def parts(question: bytes) -> list[Any]:
        sent.clear()
        assert made._answer("ask", question) is None
        return [{name: part.get(name) for name in ("part", "verdict", "cells", "count")} for part in sent]

    expected = list(map(parts, QUESTIONS))
    stopped = 0
    for number, question in enumerate(QUESTIONS):
        call = partial(made._answer, "ask", question)
        many = interrupted(call, 0)
        for moment in range(1, many, max(1, 3 * many // MOMENTS)):
            sent.clear()
            interrupted(call, moment)
            stopped += len(sent) < len(expected[number])
            assert parts(question) == expected[number], moment
    assert stopped > MOMENTS // 2


def test_an_import_is_not_cut_short(ready: tuple[worker.WebWorker, list[Any]]) -> None:
    made, _ = ready
    made._searching = True
    loader: dict[str, Any] = {"interrupt": lambda: made._interrupt(signal.SIGINT, sys._getframe())}
    exec(compile("interrupt()", "<frozen importlib._bootstrap>", "exec"), loader)
    with pytest.raises(KeyboardInterrupt):
        made._interrupt(signal.SIGINT, sys._getframe())


def test_a_worker_ends_after_an_internal_error(
    ready: tuple[worker.WebWorker, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, sent = ready

    def job(tools: object, raw: object, emit: object) -> None:
        raise AttributeError("names of ours")

    monkeypatch.setitem(worker.JOBS, "faulty", job)
    monkeypatch.setattr(made, "load", lambda: None)
    connection: Any = SimpleNamespace(recv=lambda: ("faulty", None))
    made.run(connection)
    assert sent[0] is None
    fault = sent[1].pop("fault")
    assert sent[1:] == [{"error": "internal error (AttributeError): please report it, with the puzzle"}]
    assert fault.startswith(f"AttributeError: names of ours, at {__file__}:")
