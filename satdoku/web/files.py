"""Texts and files in, and out: what a worker does with what was pasted or dropped, and with what is to be saved."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from satdoku.api.texts import certify, render
from satdoku.errors import InputError
from satdoku.formats import Options, formats
from satdoku.formats import write as written
from satdoku.inputs.columns import Columns, found
from satdoku.inputs.items import Item
from satdoku.inputs.sources import items
from satdoku.inputs.streams import TAR
from satdoku.pictures.canvas import FORMATS as PICTURES
from satdoku.puzzle import Puzzle
from satdoku.web.answers import Emit, Tools
from satdoku.web.forms import Form, form_of

MAX_COUNTED = 1_000  # puzzles of a file up to which it is said how many there are
TEXT, ZIP = "text/plain; charset=utf-8", "application/zip"
MEDIA = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
CERTIFICATE = "certificate"


def forms() -> Iterator[dict[str, Any]]:
    """What a puzzle can be saved as."""
    for one in formats().values():
        if one.text_of is not None:
            suffix, link = (
                one.name if one.name in ("toml", "sdk", "sdm", "ss") else "txt",
                one.summary.startswith("a link"),
            )
            yield {"form": one.name, "media": TEXT, "suffix": suffix, "summary": one.summary, "link": link}
    for name in PICTURES:
        yield {"form": name, "media": MEDIA[name], "suffix": name, "summary": "a picture", "link": False}
    summary = "the verdict with a proof of it that others can check"
    yield {"form": CERTIFICATE, "media": ZIP, "suffix": "zip", "summary": summary, "link": False}


def read(tools: Tools, raw: dict[str, Any], emit: Emit) -> None:
    """The first puzzle of the bytes `data`, which are called `name` in messages. Raises InputError."""
    name = Path(raw["name"].replace("\\", "/")).name or "the text"
    tar = TAR.fullmatch(name)
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"puzzle{'.tar' if tar else ''}"
        file.write_bytes(raw["data"])
        column = None if tar else found(file)
        columns = None if column is None else Columns(column)
        read = list(islice(items([str(file)], Options(), columns), MAX_COUNTED + 1))
    first = next((item for item in read if isinstance(item.puzzle, Puzzle)), read[0])
    if not isinstance(first.puzzle, Puzzle):
        raise InputError(str(first.puzzle).replace(str(file), name))
    named = first.name.replace(str(file), name)
    emit({"puzzle": msgspec.to_builtins(Form.of(first.puzzle)), "name": named, "notes": list(_notes(first, read))})


def _notes(first: Item, read: list[Item]) -> Iterator[str]:
    assert isinstance(first.puzzle, Puzzle)
    many = f"over {MAX_COUNTED}" if len(read) > MAX_COUNTED else str(len(read))
    if len(read) > 1:
        yield f"{many} puzzles: the first that can be read is shown"
    yield from first.notes
    yield from (f"not enforced: {what}" for what in first.puzzle.not_enforced)


def write(tools: Tools, raw: dict[str, Any], emit: Emit) -> None:
    """A puzzle in one of `forms`; raises InputError, which names what the form cannot hold."""
    name = str(raw.get("form"))
    form = next((form for form in forms() if form["form"] == name), None)
    if form is None:
        raise InputError(f"unknown form {name[:40]!r}: expected a writer of `satdoku formats`, {', '.join(MEDIA)}")
    puzzle = form_of(raw.get("puzzle")).puzzle()
    if name in PICTURES:
        grid = next(iter(tools.check(puzzle).grids), None) if raw.get("solution") is True else None
        data = render(puzzle, format=name, grid=grid)
    elif name == CERTIFICATE:
        data = _certificate(puzzle, tools.seconds)
    else:
        data = f"{written(puzzle, name)}\n".encode()
    emit({"media": form["media"], "data": data})


def _certificate(puzzle: Puzzle, seconds: float) -> bytes:
    from satdoku import certifier
    from satdoku.proofs import certificate as certificates

    made = certify(puzzle, timeout=seconds)
    if made is None:
        raise InputError("the time was too short for a certificate: `satdoku certify` takes as long as it needs")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in certificates.files(made, certifier.versions(made.prover)).items():
            archive.writestr(zipfile.ZipInfo(f"certificate/{name}"), text)
    return packed.getvalue()
