"""Worker processes of the page: searches that are not wanted any more, or take too much; and several tabs."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from support.web import LIVE, Asker, in_loop, opened

from satdoku.web import worker
from satdoku.web.workers import Limits, WorkerLost, Workers, _Answer, _Process, _Turn

FOUR = {"rows": 4, "columns": 4, "marks": [{"kind": "boxes", "value": "2x2"}]}
NINE = {"rows": 9, "columns": 9, "marks": [{"kind": "boxes", "value": "3x3"}]}
LONG = 1_000_000  # solutions counted of each candidate, which takes far longer than any test


def long_search(ask: Asker) -> int:
    """Begin a search that takes long, and wait until it runs."""
    number = ask.send("live", NINE, limit=LONG)
    while ask.socket.receive_json().get("part") != "candidates":
        pass
    return number


def test_a_new_question_takes_the_place_of_the_old_one(ask: Asker) -> None:
    old = long_search(ask)
    new = ask.send("live", FOUR)
    numbers, part = [], None
    while part != "done":
        message = ask.socket.receive_json()
        numbers.append(message["id"])
        part = message.get("part")
    assert old not in numbers
    assert set(numbers) == {new}


def test_stop_ends_a_search(ask: Asker) -> None:
    long_search(ask)
    ask.socket.send_json({"stop": True})
    assert ask("count", FOUR)["count"]["count"] == 288


def test_tabs_do_not_wait_for_each_other(client: TestClient) -> None:
    with client.websocket_connect(LIVE) as one, client.websocket_connect(LIVE) as two:
        first, second = Asker(one), Asker(two)
        long_search(first)
        assert second("live", FOUR)["verdict"]["verdict"] == "multiple"
        assert client.post("/read", content=b"1" + b"." * 15).status_code == 200
        assert second("count", FOUR)["count"]["exact"]
        assert first("live", FOUR)["verdict"]["verdict"] == "multiple"


def test_more_sockets_than_tabs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.web.server.MAX_TABS", 1)
    with opened() as client, client.websocket_connect(LIVE) as one:
        assert Asker(one)("strokes", FOUR)["strokes"]["errors"] == []
        with client.websocket_connect(LIVE) as two, pytest.raises(WebSocketDisconnect) as caught:
            two.receive_json()
        assert caught.value.reason == "1 tabs are open, which is the limit: close one"
        assert Asker(one)("strokes", FOUR)["strokes"]["errors"] == []


@pytest.mark.parametrize(
    ("limits", "words"), [(Limits(), "it took more than 2 GB of memory"), (Limits(counting=0.1), "took too long")]
)
def test_a_search_that_takes_too_much_is_stopped_in_one_line(
    limits: Limits, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = iter([3_000_000_000] * ("memory" in words))
    monkeypatch.setattr("satdoku.backends.child._resident", lambda pid: next(taken, 0))
    with opened(limits) as client, client.websocket_connect(LIVE) as socket:
        ask = Asker(socket)
        found = ask("count", NINE)
        assert words in found["error"]["error"]
        assert "\n" not in found["error"]["error"]
        assert ask("strokes", FOUR)["strokes"]["errors"] == []


def test_a_search_has_so_many_seconds() -> None:
    with opened(Limits(seconds=0.5)) as client, client.websocket_connect(LIVE) as socket:
        found = Asker(socket)("live", NINE, limit=LONG)
        assert found["candidates"]["exact"]  # each value is found at once; what is cut is the counting
        assert found["candidates"]["least"]


def with_workers(test: Callable[[Workers], Awaitable[None]], limits: Limits = Limits()) -> None:  # noqa: B008
    async def run() -> None:
        workers = Workers(limits)
        try:
            await test(workers)
        finally:
            await workers.close()

    in_loop(run())


async def answered(workers: Workers) -> None:
    parts: list[Any] = []

    async def send(part: Any) -> None:
        parts.append(part)

    await workers.run("ask", json.dumps({"ask": "count", "puzzle": FOUR}).encode(), send)
    assert parts[-1] == {"part": "count", "count": 288, "text": "288", "exact": True}


async def running(workers: Workers) -> tuple[asyncio.Task[None], Any]:
    """A long search that has begun, and the process that runs it."""
    begun = asyncio.Event()

    async def send(part: Any) -> None:
        if part["part"] == "candidates":
            begun.set()

    raw = json.dumps({"ask": "live", "puzzle": NINE, "limit": LONG}).encode()
    task = asyncio.create_task(workers.run("ask", raw, send))
    await begun.wait()
    while workers._starting:
        await asyncio.sleep(0.01)
    [busy] = workers._running.values()
    return task, busy


def test_hard_puzzles_in_every_tab_leave_a_worker_for_an_easy_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.web.workers.TURN", 0.1)

    async def test(workers: Workers) -> None:
        begun: set[int] = set()

        async def hard(number: int) -> None:
            async def send(part: Any) -> None:
                begun.add(number)

            await workers.run("ask", json.dumps({"ask": "live", "puzzle": NINE, "limit": LONG}).encode(), send)

        tasks = [asyncio.create_task(hard(number)) for number in range(5)]
        async with asyncio.timeout(60):
            while len(begun) < len(tasks):  # each gets its turn, though none ends
                await asyncio.sleep(0.01)
            await answered(workers)
        assert not any(task.done() for task in tasks)
        assert len(workers._all) <= 2
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await answered(workers)

    with_workers(test, Limits(workers=2))


def test_an_answer_that_begins_anew_is_sent_once() -> None:
    async def run() -> None:
        parts: list[Any] = []

        async def send(part: Any) -> None:
            parts.append(part)

        answer = _Answer(send)
        for run in ([1, 2], [1, 2, 3], [1, 4]):
            answer.again()
            for number in run:
                await answer.send({"part": number})
        await answer.end()
        assert [part["part"] for part in parts] == [1, 2, 3, 4]

    in_loop(run())


def test_a_search_that_heeds_an_interrupt_keeps_its_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.web.workers.GRACE", 120.0)

    async def test(workers: Workers) -> None:
        task, busy = await running(workers)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        await answered(workers)
        assert busy.child.alive()

    with_workers(test)


def test_an_interrupt_while_a_part_is_sent_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []

    def send(part: Any) -> None:
        sent.append(part)
        signal.raise_signal(signal.SIGINT)
        sent.append("whole")

    def job(tools: object, raw: object, emit: Callable[[Any], None]) -> None:
        emit({"part": "first"})
        emit({"part": "second"})

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.setitem(worker.JOBS, "long", job)
    try:
        for _ in range(2):
            assert worker.WebWorker(send, 1.0)._answer("long", None) is None
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert sent == 2 * [{"part": "first"}, "whole"]


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be stopped here")
def test_a_search_that_ends_late_keeps_its_worker_and_no_question_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.web.workers.OVERTIME", 120.0)

    async def test(workers: Workers) -> None:
        task, busy = await running(workers)
        os.kill(busy.child.pid, signal.SIGSTOP)
        task.cancel()
        await asyncio.wait([task])
        await answered(workers)  # by the spare one, beside which no other is started
        assert len(workers._all) == 2
        os.kill(busy.child.pid, signal.SIGCONT)
        while workers._late:
            await asyncio.sleep(0.01)
        await answered(workers)
        assert busy.child.alive() and busy in workers._idle

    with_workers(test)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be stopped here")
def test_a_worker_that_heeds_nothing_is_killed_and_replaced() -> None:
    async def test(workers: Workers) -> None:
        task, busy = await running(workers)
        pid = busy.child.pid
        os.kill(pid, signal.SIGSTOP)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        await answered(workers)
        while busy.child.alive():
            await asyncio.sleep(0.01)
        assert busy not in workers._all
        await answered(workers)

    with_workers(test)


def test_a_question_whose_worker_is_killed_is_asked_once_more_and_then_reported() -> None:
    async def test(workers: Workers) -> None:
        task, busy = await running(workers)
        os.kill(busy.child.pid, signal.SIGKILL)
        while busy in (now := [*workers._running.values()]) or not now:
            await asyncio.sleep(0.01)
        assert not task.done()
        os.kill(now[0].child.pid, signal.SIGKILL)
        with pytest.raises(WorkerLost, match="the worker was lost"):
            await task
        await answered(workers)
        assert workers._idle  # one, or the one that was started beside it too
        for spare in workers._idle:
            spare.child.kill()
        await answered(workers)

    with_workers(test)


@pytest.mark.parametrize("faults", [1, 2])
def test_a_question_is_asked_once_more_after_an_internal_error(
    faults: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[_Process] = []
    ask = _Process.ask

    def damaged(process: _Process, message: object, *others: Any) -> None:
        if isinstance(message, tuple):  # and not the first message to a new process
            asked.append(process)
            message = ("no such job", b"") if len(asked) <= faults else message
        ask(process, message, *others)

    async def test(workers: Workers) -> None:
        monkeypatch.setattr(_Process, "ask", damaged)
        if faults == 1:
            await answered(workers)
        else:
            with pytest.raises(WorkerLost, match=r"^internal error \(KeyError\)"):
                await answered(workers)
        assert len(set(asked)) == len(asked) == 2
        monkeypatch.undo()
        await answered(workers)

    with_workers(test)
    assert len(caplog.messages) == faults
    assert all("KeyError: 'no such job', at " in line and "worker.py:" in line for line in caplog.messages)


def test_nothing_is_left_of_workers() -> None:
    kept: list[Any] = []

    async def test(workers: Workers) -> None:
        task, _ = await running(workers)
        await answered(workers)
        kept.extend(workers._all)
        kept.append(Path(workers._folder.path))
        del task

    with_workers(test)
    *processes, folder = kept
    for each in processes:
        assert not each.child.alive()
    assert not folder.exists()


def test_the_connection_of_a_killed_worker_is_closed_by_its_reader_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its number may be that of the next connection at once, whose messages the reader would take."""

    async def run() -> None:
        workers = Workers(Limits())
        process = await workers._take(_Turn(0))
        process.ask(
            ("ask", json.dumps({"ask": "live", "puzzle": NINE, "limit": LONG}).encode()),
            60.0,
            None,
            asyncio.get_running_loop(),
        )
        killed = process.child.kill
        monkeypatch.setattr(process.child, "kill", lambda: None)
        process.kill()
        assert not process.child.connection.closed
        monkeypatch.setattr(process.child, "kill", killed)
        process.kill()
        while not isinstance(await process.messages.get(), WorkerLost):
            pass
        while not process.child.connection.closed:
            await asyncio.sleep(0.01)
        await workers.close()

    in_loop(asyncio.wait_for(run(), 60))


def test_a_worker_that_does_not_get_ready_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.web.workers.START", 0.0)

    async def run() -> None:
        workers = Workers(Limits())
        with pytest.raises(WorkerLost, match="no worker process can be started"):
            await workers._take(_Turn(0))
        while workers._all:  # another one may have been started beside it
            await asyncio.sleep(0.01)
        await workers.close()

    in_loop(asyncio.wait_for(run(), 60))
