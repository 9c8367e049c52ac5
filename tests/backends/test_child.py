"""A process that answers messages: what it costs too much, how it dies, and that nothing of it is left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection

import psutil
import pytest
from support.children import echo, large, prints, silent

from satdoku.backends.child import Cause, Child, Lost
from satdoku.system.clock import Deadline


@pytest.fixture
def started() -> Iterator[Callable[[Callable[[Connection], None]], Child]]:
    children: list[Child] = []

    def start(serve: Callable[[Connection], None]) -> Child:
        children.append(Child(serve))
        return children[-1]

    yield start
    for child in children:
        child.close()
        child.close()  # may be repeated
        assert not psutil.pid_exists(child.pid)


def test_messages_come_and_go(started: Callable[..., Child]) -> None:
    child = started(echo)
    for message in (1, "two", b"3" * 1_000_000):
        child.send(message)
        assert child.receive(Deadline(1e300)) == message
    assert child.alive()


def test_one_that_dies_says_its_last_words(started: Callable[..., Child]) -> None:
    child = started(prints)
    child.send(None)
    with pytest.raises(Lost, match=r"^the process ended with status 7: the last to standard error$") as lost:
        child.receive()
    assert lost.value.cause is Cause.ENDED
    with pytest.raises(Lost, match="status 7"):
        child.send(None)


def test_one_that_is_killed_is_lost(started: Callable[..., Child]) -> None:
    child = started(echo)
    child.kill()
    with pytest.raises(Lost, match="^the process was ended by signal 9$" if sys.platform != "win32" else "ended"):
        child.receive()


def test_time_and_what_it_has_started(started: Callable[..., Child]) -> None:
    child = started(silent)
    below = child.receive()
    with pytest.raises(Lost, match="took too long") as lost:
        child.receive(Deadline(0.05))
    assert lost.value.cause is Cause.TIME
    assert not child.alive()
    psutil.wait_procs([psutil.Process(below)] if psutil.pid_exists(below) else [], timeout=60)
    assert not psutil.pid_exists(below) or psutil.Process(below).status() == psutil.STATUS_ZOMBIE


def test_memory(started: Callable[..., Child]) -> None:
    child = started(large)
    with pytest.raises(Lost, match=r"more than 0\.2 GB of memory") as lost:
        child.receive(Deadline(60), memory=200_000_000)
    assert lost.value.cause is Cause.MEMORY
