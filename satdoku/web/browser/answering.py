"""A worker in a browser: the jobs of `satdoku.web.worker`, whose parts go to JavaScript."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from satdoku.errors import InputError
from satdoku.setter.partner import SharedResult
from satdoku.web import answers, files, worker
from satdoku.web.forms import decoded
from satdoku.web.questions import Emit, Part, Tools

SECONDS = 60.0  # of a search, as those of `satdoku web`
NOT_HERE = (*files.PICTURES, files.CERTIFICATE)  # what needs packages that are not here


def _write(tools: Tools, raw: bytes, emit: Emit) -> None:
    form = decoded(raw, files.Save).form
    if form in NOT_HERE:
        raise InputError(f"{form} files are not made in the browser: `satdoku web`, the page of a program, makes them")
    files.write(tools, raw, emit)


HELP = "help"
JOBS: worker.Jobs = {"ask": answers.answer, HELP: answers.assist, "read": files.read, "write": _write}


class SharedMemory:
    """The worker that shares the search for candidates. Lines of JSON go through memory of both.

    write: takes a line
    read: returns the lines that came since the last call
    """

    def __init__(self, backwards: bool, write: Callable[[str], object], read: Callable[[], str]) -> None:
        self.backwards, self._write, self._read = backwards, write, read

    def send(self, result: SharedResult) -> None:
        self._write(json.dumps([result.limit, result.grid, result.settled]))

    def received(self) -> list[SharedResult]:
        results = map(json.loads, self._read().splitlines())
        return [
            SharedResult(limit, grid and tuple(grid), tuple(map(tuple, settled))) for limit, grid, settled in results
        ]


class Browser:
    """Answers one job after the other.

    Parameters:
        post: is given each part of an answer as JSON, and the bytes of a file that was written.
    """

    def __init__(self, post: Callable[[str, bytes | None], object]) -> None:
        self._post = post
        self._worker = worker.WebWorker(self._send, SECONDS, JOBS)
        self._worker.load()

    def answer(
        self,
        name: str,
        data: Any,
        file: str,
        drawn: str,
        write: Callable[[str], object] | None = None,
        read: Callable[[], str] | None = None,
    ) -> None:
        """Post the parts of the answer to a job, a dictionary each; the last has an error if it ends with one.

        name:  of JOBS
        data:  what it is about, an array of bytes in JavaScript: a question as JSON, or what is to be read
        file:  under which name it is read
        drawn: what its drawings are, as JSON; empty as long as that is not known
        write, read: of the worker that shares a search, as `SharedMemory` has them
        """
        raw = bytes(data.to_py())
        partner = None if write is None or read is None else SharedMemory(name == HELP, write, read)
        self._worker.answer(name, (raw, file, drawn) if name == "read" else raw, partner)

    def _send(self, part: Part | None) -> None:
        sent = dict(part or {})
        data = sent.pop("data", None)
        self._post(json.dumps(sent), data)
