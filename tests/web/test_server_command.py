"""`satdoku web` in a process of its own."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any

import psutil
import pytest
import websockets
from support.cli import complaints, errors, out, run, start
from support.web import in_loop

FOUR = {"rows": 4, "columns": 4, "marks": [{"kind": "boxes", "value": "2x2"}]}
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=([\w-]{32,})\n")


@contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    process = start("web", "--no-browser", *arguments)
    try:
        found = ADDRESS.fullmatch(out(process).readline())
        assert found is not None
        yield process, int(found[1]), found[2]
    finally:
        process.kill()
        process.communicate()


def get(port: int, path: str, **headers: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_one_line_with_an_address_that_answers_until_ctrl_c() -> None:
    with served("13....3131...213") as (process, port, token):
        status, page = get(port, "/")
        assert (status, "<html" in page) == (200, True)
        right = {"X-Satdoku-Token": token}
        assert get(port, "/start")[0] == 403
        assert get(port, "/start", **{"X-Satdoku-Token": token[:-1]})[0] == 403
        assert get(port, "/start", **right, Origin="http://evil.example")[0] == 403
        assert get(port, "/start", **right, Host="evil.example")[0] == 403
        assert json.loads(get(port, "/start", **right)[1])["puzzle"]["givens"]["r1c1"] == 1
        process.send_signal(signal.SIGINT)
        rest, messages = process.communicate(timeout=60)
        assert (process.returncode, rest, messages) == (130, "", "satdoku: interrupted\n")


def test_a_server_that_is_killed_leaves_no_process() -> None:
    with served() as (process, port, _):
        while not (children := psutil.Process(process.pid).children(recursive=True)):
            get(port, "/")
        process.kill()
        assert psutil.wait_procs(children, 60)[1] == []


def test_two_servers_have_ports_and_tokens_of_their_own() -> None:
    with served() as (_, port, token), served() as (_, other_port, other):
        assert (port, token) != (other_port, other)
        assert get(other_port, "/start", **{"X-Satdoku-Token": token})[0] == 403


def test_the_socket_of_a_real_server() -> None:
    async def ask(port: int, token: str) -> None:
        address, right = f"ws://127.0.0.1:{port}/live", {"X-Satdoku-Token": token}
        refused: list[dict[str, Any]] = [{}, {"X-Satdoku-Token": "x"}, {**right, "Origin": "http://evil.example"}]
        for headers in refused:
            with pytest.raises(websockets.InvalidStatus) as caught:
                await websockets.connect(address, additional_headers=headers)
            assert caught.value.response.status_code == 403
        own = {**right, "Origin": f"http://127.0.0.1:{port}"}
        async with websockets.connect(address, additional_headers=own) as live:
            await live.send(json.dumps({"id": 1, "ask": "count", "puzzle": FOUR}))
            record = [json.loads(await live.recv())]
            while record[-1] != {"id": 1, "part": "done"}:  # a slow count tells how far it has come
                record.append(json.loads(await live.recv()))
            assert record[-2] == {"id": 1, "part": "count", "count": 288, "text": "288", "exact": True}
            assert not any(part["exact"] for part in record[:-2])
            await live.send(" " * 1_000_001)
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await live.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009

    with served() as (_, port, token):
        in_loop(ask(port, token))


def test_other_hosts_are_warned_of() -> None:
    process = start("web", "--no-browser", "--host", "127.0.0.2")
    try:
        assert out(process).readline().startswith("http://127.0.0.2:")
        assert errors(process).readline().startswith("satdoku: warning: the page listens on 127.0.0.2: ")
    finally:
        process.kill()
        process.communicate()


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = run("web", "--no-browser", "--port", port)
    assert (result.exit_code, result.stdout) == (2, "")
    [complaint] = complaints(result)
    assert complaint.startswith(f"cannot listen on 127.0.0.1, port {port}: ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "70000"), "--port 70000: expected"),
        (("--port", "-1"), "--port -1: expected"),
        (("--host", "0.0.0.0"), "--host 0.0.0.0: expected the one address"),
        (("--timeout", "0"), "--timeout 0: expected"),
        (("--host", "nowhere.invalid"), "cannot listen on nowhere.invalid"),
        (("nothing.txt",), "nothing.txt: neither a file nor a puzzle"),
        (("puzzles/9x9_1115.txt", "x"), "unexpected extra argument"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], words: str) -> None:
    result = run("web", "--no-browser", *arguments)
    *warnings, complaint = complaints(result)
    assert len(warnings) == ("nowhere.invalid" in arguments)
    assert (result.exit_code, words in complaint.lower() or words in complaint) == (2, True)


def test_without_the_packages_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.commands.web.find_spec", lambda name: None)
    result = run("web")
    assert result.exit_code == 2
    assert complaints(result) == [
        "the page needs the packages starlette, uvicorn, websockets: pip install 'satdoku[web]'"
    ]


def test_the_browser_is_opened_unless_it_is_not_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    class Browser:
        def open(self, address: str) -> None:
            opened.append(address)

    monkeypatch.setattr("webbrowser.get", Browser)
    monkeypatch.setattr("satdoku.commands.web.Thread", _Now)
    monkeypatch.setattr("satdoku.web.server.serve", lambda *given: given[-1]("http://127.0.0.1:1/#token=x"))
    assert run("web").stdout == run("web", "--no-browser").stdout == "http://127.0.0.1:1/#token=x\n"
    assert opened == ["http://127.0.0.1:1/#token=x"]


class _Now:
    """A thread that does its work when it is started."""

    def __init__(self, target: Any, args: Any, daemon: bool) -> None:
        self.start = lambda: target(*args)
