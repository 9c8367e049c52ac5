"""`satdoku listen`: a session as the userscript of SudokuSolver has it on f-puzzles, and who may ask."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import lzstring
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from support.cli import complaints, run

import satdoku
from satdoku.web import listening
from satdoku.web.listener import Listener
from satdoku.web.questions import Tools
from satdoku.web.workers import Limits

PAGE = "https://www.f-puzzles.com"
LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
Cells = list[list[dict[str, Any]]]


class Userscript:
    """The page's side: it exports the board with each command, and takes over what the answer says."""

    def __init__(self, socket: Any, givens: str) -> None:
        self.socket, self.nonce = socket, 0
        self.size = round(len(givens) ** 0.5)
        cells = [{"value": int(given), "given": True} if given != "." else {} for given in givens]
        self.cells: Cells = [cells[start : start + self.size] for start in range(0, len(cells), self.size)]

    def send(self, command: str, **more: Any) -> None:
        self.nonce += 1
        puzzle = {"size": self.size, "grid": self.cells, "disabledlogic": [], "truecandidatesoptions": [], **more}
        data = lzstring.LZString().compressToBase64(json.dumps(puzzle))
        self.socket.send_json({"nonce": self.nonce, "command": command, "dataType": "fpuzzles", "data": data})

    def receive(self) -> Any:
        """The next answer to the last command."""
        while (answer := self.socket.receive_json())["nonce"] != self.nonce:
            pass
        return answer

    def ask(self, command: str, **more: Any) -> Any:
        self.send(command, **more)
        while (answer := self.receive()).get("inProgress"):
            pass
        return answer

    def cancel(self) -> Any:
        self.nonce += 1
        self.socket.send_json({"nonce": self.nonce, "command": "cancel"})
        return self.receive()

    def take(self, answer: Any) -> None:
        """Write the cells of a logical answer into the board."""
        for place, cell in enumerate(answer["cells"]):
            shown = self.cells[place // self.size][place % self.size]
            if not shown.get("given"):
                shown.update(value=cell["value"], centerPencilMarks=cell.get("candidates", []))


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(Listener(Limits(), ["https://example.org"]).app()) as client:
        yield client


def connected(client: TestClient, origin: str | None = PAGE) -> Any:
    return client.websocket_connect("/", headers={} if origin is None else {"origin": origin})


def test_a_session_of_a_setter(client: TestClient) -> None:
    with connected(client) as socket:
        page = Userscript(socket, LINE)
        solution = list(satdoku.check(satdoku.read(LINE)).grids[0])
        assert page.ask("check") == {"nonce": 1, "type": "count", "count": 1, "inProgress": False}
        assert page.ask("count")["count"] == 1
        assert page.ask("solve")["solution"] == solution
        candidates = page.ask("truecandidates")["solutionsPerCandidate"]
        assert [index % 9 + 1 for index, many in enumerate(candidates) if many] == solution
        begin = page.ask("step")
        assert (begin["type"], begin["message"], begin["isValid"]) == ("logical", "Initial candidates.\n", True)
        page.take(begin)
        for _ in range(3):
            step = page.ask("step")
            assert step["message"].startswith("r")
            assert step["cells"] != begin["cells"]
            page.take(step)
            begin = step
        path = page.ask("solvepath")
        assert [cell["value"] for cell in path["cells"]] == solution
        page.take(path)
        assert page.ask("step")["message"] == "No logical steps found.\n"


def test_several_solutions_and_none(client: TestClient) -> None:
    with connected(client) as socket:
        page = Userscript(socket, "1" + "." * 15)
        assert page.ask("check")["count"] == 2
        assert page.ask("count")["count"] == 72
        counted = page.ask("truecandidates", truecandidatesoptions=["truecandidatesnumsolutions=5"])
        assert counted["solutionsPerCandidate"][:5] == [5, 0, 0, 0, 0]
        page.cells[0][1] = {"value": 1, "given": False}  # a digit that the setter tries: only logic looks at it
        assert page.ask("count")["count"] == 72
        assert not page.ask("solvepath")["isValid"]
        page.cells[0][1] = {"value": 1, "given": True}
        for command in ("solve", "truecandidates"):
            answer = page.ask(command)
            assert (answer["type"], answer["message"]) == ("invalid", "No solutions found.")
        assert page.ask("check")["count"] == 0


def test_candidates_that_logic_leaves_have_minus_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*options: str) -> list[int]:
        cells = [
            [{"value": 1, "given": True}, *3 * [{}]],
            [{}, {}, {"value": 2, "given": True}, {}],
            4 * [{}],
            4 * [{}],
        ]
        cages = [{"cells": ["R1C1", "R1C2"], "value": "3"}]
        board = {"size": 4, "grid": cells, "killercage": cages, "truecandidatesoptions": options}
        sent: list[Any] = []
        data = lzstring.LZString().compressToBase64(json.dumps(board))
        listening.respond(Tools(60.0), ("truecandidates", data), sent.append)
        counts: list[int] = sent[-1]["solutionsPerCandidate"]
        return counts

    plain = asked()
    assert asked("logical") == plain  # the techniques see all of it
    monkeypatch.setattr(listening, "ordered", lambda hardest: ())  # of what none sees
    logical = asked("logical")
    assert [max(many, 0) for many in logical] == plain
    assert logical[4 : 2 * 4] == [0, 1, -1, -1]


def test_a_step_that_is_not_found_in_time_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "STEP", 0.0)
    sent: list[Any] = []
    data = lzstring.LZString().compressToBase64(json.dumps({"size": 4, "grid": 4 * [4 * [{}]]}))
    listening.respond(Tools(60.0), ("solvepath", data), sent.append)
    assert [answer["message"] for answer in sent] == ["No step found in time.\n"]


def test_estimates_come_until_they_are_cancelled(client: TestClient) -> None:
    with connected(client) as socket:
        page = Userscript(socket, 16 * ".")
        page.send("estimate")
        first, second = page.receive(), page.receive()
        assert first["type"] == second["type"] == "estimate"
        # The interval misses the count once in twenty times, and how many probes there are depends on the machine.
        assert first["iterations"] > 0
        assert first["ci95_lower"] <= first["estimate"] <= first["ci95_upper"]
        assert abs(second["estimate"] - 288) < 144
        assert page.cancel() == {"nonce": page.nonce, "type": "canceled"}
        page.send("estimate", killercage=[{"cells": ["R1C1", "R1C2"], "value": "3"}])
        assert abs(page.receive()["estimate"] - 48) < 24
        assert page.cancel() == {"nonce": page.nonce, "type": "canceled"}


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("{", "not what the page sends"),
        ('{"nonce": 4}', "`command`"),
        ('{"nonce": 4, "command": "paint", "dataType": "fpuzzles", "data": ""}', "unknown command 'paint'"),
        ('{"nonce": 4, "command": "check", "dataType": "scl", "data": ""}', "data of the type 'scl'"),
        ('{"nonce": 4, "command": "check", "dataType": "fpuzzles", "data": "nonsense"}', ""),
        (" " * 1_000_001, "over 1000000 bytes"),
    ],
    ids=["no JSON", "no command", "unknown command", "unknown data", "no board", "too long"],
)
def test_what_is_no_command_is_answered_in_one_line(client: TestClient, message: str, words: str) -> None:
    with connected(client) as socket:
        socket.send_text(message)
        answer = socket.receive_json()
        assert (answer["type"], words in answer["message"], "\n" in answer["message"]) == ("invalid", True, False)
        assert Userscript(socket, 16 * ".").ask("check")["count"] == 2


def test_a_rule_that_is_not_understood_is_named(client: TestClient) -> None:
    with connected(client) as socket:
        answer = Userscript(socket, 16 * ".").ask("check", wobbly=[{"cells": ["R1C1"]}])
        assert (answer["type"], "'wobbly'" in answer["message"]) == ("invalid", True)


@pytest.mark.parametrize(
    "origin",
    ["https://f-puzzles.com", PAGE, "https://sudokupad.app", "https://beta.sudokupad.app", "https://example.org", None],
)
def test_pages_that_may_ask(client: TestClient, origin: str | None) -> None:
    with connected(client, origin) as socket:
        socket.send_json({"nonce": 7, "command": "cancel"})
        assert socket.receive_json() == {"nonce": 7, "type": "canceled"}


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "https://f-puzzles.com.evil.example", "http://f-puzzles.com", "https://evilf-puzzles.com",
     "https://f-puzzles.com:8443", "null", ""],
)  # fmt: skip
def test_pages_that_may_not(client: TestClient, origin: str) -> None:
    with pytest.raises(WebSocketDisconnect), connected(client, origin):
        pass


def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Any] = []

    def serve(host: str, port: int, origins: list[str], limits: Limits, started: Any) -> None:
        served.append((host, port, origins, limits.seconds))
        started(f"ws://{host}:{port}")

    monkeypatch.setattr("satdoku.web.listener.serve", serve)
    assert run("listen").stdout == "ws://127.0.0.1:4545\n"
    run("listen", "--origin", "https://a.example", "--origin", "http://localhost:8000", "--timeout", "5")
    assert served == [
        ("127.0.0.1", 4545, [], 60.0),
        ("127.0.0.1", 4545, ["https://a.example", "http://localhost:8000"], 5.0),
    ]
    result = run("listen", "--origin", "example.org")
    expected = "--origin example.org: expected a scheme and a host, such as https://example.org"
    assert (result.exit_code, complaints(result)) == (2, [expected])
