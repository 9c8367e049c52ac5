"""Who may not ask the server of the page: other origins, other pages, requests without the token or too large."""

from __future__ import annotations

import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from support.web_page import PROGRAM, Served, Setter, served

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")


def status(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_wrong_token_and_another_origin_are_refused(server: Served) -> None:
    address, _, token = server[0].partition("#token=")
    assert status(f"{address}kinds", **{"X-Satdoku-Token": token}) == 200
    assert status(f"{address}kinds", **{"X-Satdoku-Token": token[:-1]}) == 403
    assert status(f"{address}kinds") == 403
    assert status(address, Origin="http://localhost:1") == 403
    assert status(f"{address}kinds", **{"X-Satdoku-Token": token}, Origin="null") == 403


def test_a_second_page_takes_another_port(server: Served) -> None:
    with served() as (other, _):
        assert other.partition("#")[0] != server[0].partition("#")[0]
        assert (status(other), status(server[0])) == (200, 200)


class Foreign(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None: ...


def test_a_page_in_another_tab_cannot_ask_it_anything(setter: Setter, server: Served) -> None:
    """A page of another port is of the same site, so that only the checks hold it back."""
    ask = """async address => {
        const found = await fetch(`${address}kinds`, {credentials: "include", mode: "no-cors"})
            .then(answer => answer.type === "opaque" ? "opaque" : answer.status, () => "blocked");
        const socket = await new Promise(done => {
            const live = new WebSocket(`${address.replace("http", "ws")}live`);
            live.onopen = () => done("open");
            live.onerror = () => done("refused");
        });
        const script = await new Promise(done => {
            const element = document.createElement("script");
            element.src = `${address}static/dom.js`;
            element.onload = () => done("loaded");
            element.onerror = () => done("refused");
            document.head.append(element);
        });
        const framed = document.createElement("iframe");
        framed.src = address;
        document.body.append(framed);
        await new Promise(done => { framed.onload = done; });
        return [found, socket, script, framed.contentDocument === null];
    }"""
    with HTTPServer(("127.0.0.1", 0), Foreign) as foreign:
        Thread(target=foreign.serve_forever, daemon=True).start()
        page = setter.page.context.new_page()
        page.goto(f"http://127.0.0.1:{foreign.server_port}/")
        answers = []
        page.on("response", lambda answer: answers.append((answer.url, answer.status)))
        found, socket, script, hidden = page.evaluate(ask, server[0].partition("#")[0])
        foreign.shutdown()
    assert (socket, script, hidden) == ("refused", "refused", True)
    assert found in ("opaque", "blocked")
    assert {code for url, code in answers if url.endswith("/kinds")} <= {403}


def test_an_oversized_message_is_refused(setter: Setter) -> None:
    send = """() => new Promise(done => {
        const live = new WebSocket(`ws://${location.host}/live`, ["satdoku", localStorage.getItem("satdoku:token")]);
        live.onopen = () => live.send(JSON.stringify({id: 1, ask: "live", pad: "x".repeat(1100000)}));
        live.onclose = ({code}) => done(code);
        live.onmessage = ({data}) => done(JSON.parse(data).error);
    })"""
    answer = setter.page.evaluate(send)
    assert answer == 1009 or "1000000" in answer
    body = """() => fetch("/read", {
        method: "POST", body: "x".repeat(1100000), headers: {"X-Satdoku-Token": localStorage.getItem("satdoku:token")},
    }).then(answer => answer.status)"""
    assert setter.page.evaluate(body) == 413
    setter.faults.clear()
