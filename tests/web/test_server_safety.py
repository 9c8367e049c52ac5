"""Who may ask the page's server, and what can be asked of it."""

from __future__ import annotations

import asyncio
import bz2
import gzip
import io
import json
import logging
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from support.web import BASE, LIVE, PORT, TOKEN, in_loop, opened, write
from uvicorn.server import ServerState

import satdoku
from satdoku.web import server
from satdoku.web.guard import token_of

FOUR: dict[str, Any] = {"rows": 4, "columns": 4, "marks": [{"kind": "boxes", "value": "2x2"}]}
WITH_TOKEN = {"x-satdoku-token": TOKEN}
FILES = ("/", "/static/index.html")
ROUTES = ("/kinds", "/forms", "/start", "/nowhere")


def refused(client: TestClient, headers: dict[str, str], paths: tuple[str, ...], query: str = "") -> None:
    """These routes and the socket answer 403."""
    for path in paths:
        answer = client.get(path + query, headers=headers)
        assert (answer.status_code, list(answer.json())) == (403, ["error"]), path
    for path in ("/read", "/write"):
        assert client.post(path + query, headers=headers, content=b"x").status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(LIVE + query, headers=headers):
        pass


@pytest.fixture(scope="module")
def bare() -> Any:
    """A client without the token."""
    with TestClient(opened().app, base_url=BASE) as client:
        yield client


def test_without_the_right_token(bare: TestClient) -> None:
    for headers in ({}, {"x-satdoku-token": "wrong"}, {"x-satdoku-token": ""}, {"cookie": f"satdoku={TOKEN}"}):
        refused(bare, headers, ROUTES)
    refused(bare, {}, ROUTES, f"?token={TOKEN}")
    for path in FILES:  # the page itself, which tells why it gets nothing
        assert bare.get(path).status_code == 200


def test_the_token_of_a_socket_is_a_protocol(bare: TestClient) -> None:
    with bare.websocket_connect(LIVE, subprotocols=["satdoku", TOKEN]) as socket:
        assert socket.accepted_subprotocol == "satdoku"
    with pytest.raises(WebSocketDisconnect), bare.websocket_connect(LIVE, subprotocols=["satdoku", "wrong"]):
        pass


def test_a_token_is_that_of_the_address_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    token = token_of("127.0.0.1", 8717)
    assert token_of("127.0.0.1", 8717) == token
    assert len({token, token_of("127.0.0.1", 8718), token_of("localhost", 8717)}) == 3
    [file] = (tmp_path / "state").rglob("web-secret")
    assert file.stat().st_mode & 0o077 == 0
    file.write_bytes(b"short")  # or written by half
    assert len({token, token_of("127.0.0.1", 8717), token_of("127.0.0.1", 8717)}) == 3


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", "", "localhost"])
def test_another_host(bare: TestClient, host: str) -> None:
    refused(bare, {**WITH_TOKEN, "host": host}, (*FILES, *ROUTES))


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1", f"{BASE}.evil.example"]
)
def test_another_origin(bare: TestClient, origin: str) -> None:
    refused(bare, {**WITH_TOKEN, "origin": origin}, (*FILES, *ROUTES))


def test_a_page_of_another_site_without_origin(bare: TestClient) -> None:
    for site in ("cross-site", "same-site"):
        for path in (*ROUTES, "/static/app.js"):
            assert bare.get(path, headers={**WITH_TOKEN, "sec-fetch-site": site}).status_code == 403
        assert bare.get("/", headers={"sec-fetch-site": site}).status_code == 200  # a link to it


def test_its_own_pages_may_ask(bare: TestClient) -> None:
    for host in (f"127.0.0.1:{PORT}", f"localhost:{PORT}"):
        headers = {**WITH_TOKEN, "host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
        assert bare.get("/kinds", headers=headers).status_code == 200
        with bare.websocket_connect(LIVE, headers=headers) as socket:
            socket.send_json({"id": 1, "ask": "strokes", "puzzle": FOUR})
            assert socket.receive_json()["part"] == "strokes"


def test_a_host_that_was_named() -> None:
    with opened(host="setter.example") as named:
        assert named.get("/kinds").status_code == 200
        assert named.get("/kinds", headers={"host": f"evil.example:{PORT}"}).status_code == 403


def test_every_response_has_the_policy(bare: TestClient, client: TestClient) -> None:
    answers = [bare.get("/"), bare.get("/static/nothing.js"), client.get("/"), client.get("/kinds"), client.get("/x")]
    answers += [client.post("/read", content=b"nothing"), client.get("/static/app.js")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert (answer.headers["x-content-type-options"], answer.headers["referrer-policy"]) == (
            "nosniff", "no-referrer")  # fmt: skip


def test_bodies_of_at_most_a_megabyte(client: TestClient) -> None:
    for path in ("/read", "/write"):
        answer = client.post(path, content=b" " * 1_000_001)
        assert (answer.status_code, list(answer.json())) == (413, ["error"])
        answer = client.post(path, content=(b" " * 300_000 for _ in range(4)))  # without a length
        assert answer.status_code == 413
    assert client.post("/read", content=b"1" + b"." * 15 + b"\n" * 900_000).status_code == 200


def test_no_file_of_the_machine_is_reachable(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    paths = ["/static/../server.py", "/static/%2e%2e/server.py", "/static/..%2fserver.py", "/static/..%5cserver.py"]
    paths += [f"/static/{secret}", f"/static/%2f{secret}", "/static", "/static/", "/static/%00", "/../../etc/passwd"]
    for path in paths:
        assert client.get(path).status_code in (404, 405), path
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "index.html").write_text("page")
    (folder / "link.txt").symlink_to(secret)
    monkeypatch.setattr(server, "STATIC", folder)
    with opened() as linked:
        assert linked.get("/static/index.html").text == "page"
        assert linked.get("/static/link.txt").status_code == 404
    for text in (str(secret), f"{secret}:1", f"file://{secret}", "puzzles", "*", "-", "https://f-puzzles.com/?id=abc"):
        answer = client.post("/read", content=text.encode())
        assert answer.status_code == 400
        assert "puzzle.tar" not in answer.text
        assert "/tmp/" not in answer.json()["error"].replace(text, "")
    answer = write(client, FOUR, f"../{secret}")
    assert (answer.status_code, answer.json()["error"].startswith("unknown form")) == (400, True)


def zipped(**files: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


LINE = "13....3131...213"


@pytest.mark.parametrize(
    ("data", "name", "called", "note"),
    [
        (LINE.encode(), "", "the text:1", ""),
        (f"{LINE}\n{'.' * 16}\n".encode(), "two.txt", "two.txt:1", "2 puzzles: the first that can be read is shown"),
        (gzip.compress(LINE.encode()), "one.gz", "one.gz:1", ""),
        (bz2.compress(LINE.encode()), "C:\\here\\one.bz2", "one.bz2:1", ""),
        (zipped(a=LINE, b=LINE), "%C3%A4.zip", "ä.zip/a:1", "2 puzzles: the first that can be read is shown"),
        (f"name,puzzle\nfirst,{LINE}\n".encode(), "table.csv", "table.csv:2", ""),
    ],
    ids=["line", "two lines", "gz", "bz2", "zip", "table"],
)
def test_what_is_dropped_is_read(client: TestClient, data: bytes, name: str, called: str, note: str) -> None:
    answer = client.post("/read", content=data, headers={"x-name": name}).json()
    assert answer["work"]["puzzle"]["givens"] == {
        "r1c1": 1, "r1c2": 3, "r2c3": 3, "r2c4": 1, "r3c1": 3, "r3c2": 1, "r4c2": 2, "r4c3": 1, "r4c4": 3
    }  # fmt: skip
    assert (answer["name"], answer["notes"]) == (called, [note] if note else [])


NOTE = "not enforced: the text around the grid"


def test_what_is_not_enforced_is_said_once(client: TestClient) -> None:
    text = "Anti-knight: see below.\n" + "\n".join(9 * ["........."])
    assert client.post("/read", content=text.encode()).json()["notes"].count(NOTE) == 1


@pytest.mark.parametrize("data", [b"", b"hello", b"\x89PNG\r\n\x1a\n", b"%PDF-1.4", b"PK\x03\x04", b"\xff\xfe\x00"])
def test_what_is_no_puzzle_is_reported_in_one_line(client: TestClient, data: bytes) -> None:
    answer = client.post("/read", content=data, headers={"x-name": "file.bin"})
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]
    assert answer.json()["error"].startswith("file.bin")


def test_a_puzzle_is_written_in_every_form_and_read_back(client: TestClient, tmp_path: Path) -> None:
    puzzle = client.post("/read", content=LINE.encode()).json()["work"]["puzzle"]
    written = 0
    for form in client.get("/forms").json():
        name = form["form"]
        answer = write(client, puzzle, name)
        if answer.status_code == 400:
            assert name in answer.json()["error"]
            continue
        written += 1
        assert answer.headers["content-type"] == form["media"]
        if name == "page":
            again = client.post("/read", content=answer.content).json()["work"]
            assert again == answer.json() == {"satdoku": "page", "puzzle": puzzle}
            continue
        if name in ("svg", "png", "pdf", "certificate"):
            beginnings = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "certificate": b"PK"}
            assert answer.content.startswith(beginnings[name])
            continue
        assert satdoku.read(answer.text.rstrip("\n"), format=name).givens == satdoku.read(LINE).givens, name
        assert form["link"] == answer.text.startswith("http") or name == "iss"
    assert written > 15


def test_a_certificate_holds(client: TestClient, tmp_path: Path) -> None:
    answer = write(client, {**FOUR, "givens": {"r1c1": 1}}, "certificate")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(tmp_path)
    [verified] = satdoku.verify(tmp_path / "certificate")
    assert (verified.fault, verified.certificate and verified.certificate.claim.value) == (None, "multiple")


def test_what_a_form_cannot_hold_is_named(client: TestClient) -> None:
    puzzle = {**FOUR, "marks": [*FOUR["marks"], {"kind": "cage", "cells": ["r1c1", "r1c2"], "value": 3}]}
    answer = write(client, puzzle, "line")
    assert (answer.status_code, "cage" in answer.json()["error"]) == (400, True)
    plain = write(client, puzzle, "svg").content
    solved = write(client, puzzle, "svg", solution=True).content
    assert solved != plain
    for body in (b"", b"[]", b"{", json.dumps({"form": "toml"}).encode()):
        assert client.post("/write", content=body).status_code == 400


@pytest.mark.parametrize("form, left_out", [("line", "title, rules"), ("sdk", "rules"), ("toml", "")])
def test_texts_that_a_form_cannot_hold_are_left_out_and_named(client: TestClient, form: str, left_out: str) -> None:
    puzzle = {**FOUR, "title": "Four", "rules": "As usual."}
    if form == "sdk":
        puzzle |= {"rows": 9, "columns": 9, "marks": [{"kind": "boxes", "value": "3x3"}]}
    answer = write(client, puzzle, form)
    assert (answer.status_code, answer.headers["x-left-out"]) == (200, left_out)
    assert ("Four" in answer.text) == ("title" not in left_out)
    spread = write(client, {**puzzle, "title": "Two\nlines", "rules": ""}, form)
    assert (spread.status_code, spread.headers["x-left-out"]) == (200, "" if form == "toml" else "title")


def test_rules_are_written_where_a_form_has_a_place_for_them(client: TestClient) -> None:
    assert "Each row, column and" in write(client, FOUR, "toml").text


def test_the_puzzle_of_the_command_line_is_there(client: TestClient, bare: TestClient) -> None:
    assert client.get("/start").json()["puzzle"]["givens"]["r1c1"] == 1
    assert bare.get("/start", headers=WITH_TOKEN).json() == {"puzzle": None, "note": "", "version": satdoku.__version__}
    assert client.get("/nowhere").json() == {"error": "Not Found"}
    assert client.get("/read").status_code == 405


def test_connections_that_send_no_whole_request_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.05)

    async def run() -> None:
        config, state = uvicorn.Config(opened().app, log_config=None), ServerState()
        config.load()
        loop = asyncio.get_running_loop()
        listener = await loop.create_server(lambda: server._Http(config, state, {}), "127.0.0.1")
        for begun in (b"", b"GET / HTTP/1.1\r\nHost: "):
            reader, writer = await asyncio.open_connection(*listener.sockets[0].getsockname())
            writer.write(begun)
            with suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()
        reader, writer = await asyncio.open_connection(*listener.sockets[0].getsockname())
        writer.write(f"GET /static/dom.js HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n\r\nGET / HTTP/1.1\r\n".encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        with suppress(ConnectionError):
            while await reader.read(65_536):  # the answer, and then the end
                pass
        writer.close()
        listener.close()

    in_loop(run())


def test_what_the_server_reports_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.Logger("server")
    log.addHandler(server._Lines())
    try:
        raise ValueError("inside")
    except ValueError:
        log.exception("Exception in\napplication")
    assert capsys.readouterr().err == "satdoku: Exception in application (ValueError)\n"
