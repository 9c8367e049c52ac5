"""Kernels of a WebAssembly module, called in node: what an entry is handed is copied there, and back."""

from __future__ import annotations

import ctypes
import json
import subprocess
from base64 import b64decode, b64encode
from math import prod
from pathlib import Path
from types import TracebackType

from satdoku.kernels.compiled import SIZES, ArrayType, Entry
from satdoku.kernels.library import Code

SCRIPT = Path(__file__).with_name("wasm.mjs")


class Node:
    """A process of node with the module in this file."""

    def __init__(self, module: Path) -> None:
        self._process = subprocess.Popen(
            ["node", SCRIPT, module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Node:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def runner(self, entry: Entry) -> Code:
        words = len(entry.results) + sum(
            1 + (parameter.kind.dimensions if isinstance(parameter.kind, ArrayType) else 0)
            for parameter in entry.parameters
        )

        def run(pointer: ctypes.c_void_p) -> int:
            assert pointer.value is not None
            row = (ctypes.c_int64 * words).from_address(pointer.value)
            before, blocks = list(row), _blocks(entry, row)
            answer = self._ask(entry.name, bytes(row), blocks)
            ctypes.memmove(row, b64decode(answer["row"]), 8 * words)
            for (address, (places, _)), content in zip(blocks.items(), answer["blocks"], strict=True):
                raw = b64decode(content)
                ctypes.memmove(address, raw, len(raw))
                for place in places:
                    row[place] = before[place]
            return int(answer["status"])

        return run

    def _ask(self, name: str, row: bytes, blocks: dict[int, tuple[list[int], int]]) -> dict[str, str]:
        content = [
            {"places": places, "content": _text(ctypes.string_at(address, size))}
            for address, (places, size) in blocks.items()
        ]
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None and answered is not None
        print(json.dumps({"name": name, "row": _text(row), "blocks": content}), file=asked, flush=True)
        answer: dict[str, str] = json.loads(answered.readline())
        return answer


def _blocks(entry: Entry, row: ctypes.Array[ctypes.c_int64]) -> dict[int, tuple[list[int], int]]:
    """The arrays of a call by address: the words that hold it, and the size in bytes."""
    blocks: dict[int, tuple[list[int], int]] = {}
    for parameter in entry.parameters:
        place = entry.places[parameter.name]
        if isinstance(parameter.kind, ArrayType) and row[place]:
            shape = row[place + 1 : place + 1 + parameter.kind.dimensions]
            places, size = blocks.get(row[place], ([], 0))
            blocks[row[place]] = [*places, place], max(size, SIZES[parameter.kind.item] * prod(shape))
    return blocks


def _text(content: bytes) -> str:
    return b64encode(content).decode()
