"""Texts and files in, and out: what a worker does with what was pasted or dropped, and with what is to be saved."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from satdoku.api.texts import certify
from satdoku.drawings import noted
from satdoku.errors import InputError, Refused
from satdoku.formats import METADATA, RULES_TEXT, Options, find, formats
from satdoku.formats import write as written
from satdoku.formats.drawn import look
from satdoku.formats.marks import IGNORE
from satdoku.inputs.columns import Columns, puzzle_column
from satdoku.inputs.items import Item
from satdoku.inputs.sources import items
from satdoku.inputs.streams import TAR
from satdoku.pictures import Picture, alone, image
from satdoku.puzzle import Puzzle
from satdoku.variants.sentences import rules
from satdoku.web import colours, drawings
from satdoku.web.forms import Form, Workspace, decoded
from satdoku.web.questions import Emit, Part, Tools
from satdoku.web.unfinished import commented, comments, split, strokes
from satdoku.words import joined, plural

MAX_COUNTED = 1_000  # puzzles of a file up to which all are counted
TEXT, CERTIFICATE, PAGE = "text/plain; charset=utf-8", "certificate", "page"
PICTURES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
MEDIA = {PAGE: "application/json", **PICTURES, CERTIFICATE: "application/zip"}
SUMMARIES = {
    PAGE: "all of it, with notes and unfinished marks, for this page",
    CERTIFICATE: "the verdict with a proof of it that others can check",
}
SUFFIXES = {PAGE: "json", CERTIFICATE: "zip"}
ONE_COLOUR = "penpa"  # the format that draws one colour a cell
OURS = "toml"  # the format whose drawings are said to have no rule
NOT_ENFORCED = "what is not enforced"
UNENFORCED = "not enforced"  # how the notes of reading about it begin
OWN = re.compile(rb'\s*\{\s*"satdoku"')


def forms() -> Iterator[Part]:
    """What a puzzle can be saved as."""
    for one in formats().all().values():
        if one.text_of is not None:
            suffix, link = one.name if one.name in ("toml", "sdk", "sdm", "ss") else "txt", one.summary[:6] == "a link"
            yield {"form": one.name, "media": TEXT, "suffix": suffix, "summary": one.summary, "link": link}
    for name, media in MEDIA.items():
        summary, suffix = SUMMARIES.get(name, "a picture"), SUFFIXES.get(name, name)
        yield {"form": name, "media": media, "suffix": suffix, "summary": summary, "link": False}


class Save(msgspec.Struct, frozen=True):
    """What is to be written, the work or the puzzle of it; pictures with the solution if that is asked for."""

    work: Workspace
    form: str
    solution: bool = False


def read(tools: Tools, raw: tuple[bytes, str, str], emit: Emit) -> None:
    """The first puzzle of what was dropped, which has this name in messages; or what its drawings are is asked, until
    the third part answers that. Raises InputError."""
    name = Path(raw[1].replace("\\", "/")).name or "the text"
    if OWN.match(raw[0]):
        work = decoded(raw[0], Workspace)
        work.validate()
        emit({"work": msgspec.to_builtins(work), "name": name, "notes": []})
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"puzzle{'.tar' if TAR.fullmatch(name) else ''}"
        file.write_bytes(raw[0])
        column = puzzle_column(str(file))
        columns = None if column is None else Columns(column, stated=True)
        every = list(islice(items([str(file)], Options(), columns), MAX_COUNTED + 1))
        first = next((item for item in every if isinstance(item.puzzle, Puzzle)), every[0])
        drawn = next(islice(items([str(file)], Options(drawn=IGNORE), columns), 1)) if len(every) == 1 else first
    item = first if isinstance(first.puzzle, Puzzle) else drawn
    puzzle = item.puzzle
    if not isinstance(puzzle, Puzzle):
        raise InputError(str(puzzle).replace(str(file), name))  # what is wrong besides drawings, if anything is
    ask = drawings.asked(puzzle) if len(every) == 1 and item.format != OURS else []
    if (ask or item is not first) and not raw[2]:
        what = [each for each in puzzle.not_enforced if each != RULES_TEXT]
        emit({"ask": ask, "drawn": what, "rules": puzzle.rules, "name": name})
        return
    many = f"over {MAX_COUNTED}" if len(every) > MAX_COUNTED else len(every)
    notes = [f"{many} puzzles: the first that can be read is shown"] if len(every) > 1 else []
    form = _answered(puzzle, raw[2]) if raw[2] else Form.of(puzzle)
    notes += _notes(item, form)
    unfinished = list(commented(raw[0].decode(errors="replace"))) if len(every) == 1 else []
    coloured = colours.of_text(raw[0].decode(errors="replace")) if len(every) == 1 else {}
    form = msgspec.structs.replace(form, marks=[*form.marks, *unfinished])
    work = Workspace(satdoku="page", puzzle=form, colour=coloured)
    work.validate()
    emit({"work": msgspec.to_builtins(work), "name": item.name.replace(str(file), name), "notes": notes})


def _answered(puzzle: Puzzle, answers: str) -> Form:
    """The puzzle with the marks that its drawings are."""
    form = Form.of(puzzle)
    marks, left = drawings.marks(puzzle, decoded(answers.encode(), list[str]))
    explained = not left and form.not_enforced in ([], [RULES_TEXT])
    kept = [] if explained else form.not_enforced
    return msgspec.structs.replace(form, marks=[*form.marks, *marks], not_enforced=kept, drawings=left)


def _notes(item: Item, form: Form) -> list[str]:
    """The notes of reading, and one about all that is not enforced."""
    left = [*noted(form.drawings), *form.not_enforced]
    others = [note for note in item.notes if not note.startswith(f"{UNENFORCED}: ")]
    return [*others, f"{UNENFORCED}: {joined(left)}"] if left else others


def write(tools: Tools, raw: bytes, emit: Emit) -> None:
    """A puzzle in one of `forms`, and what is left out: title, author, rules or solution that it has no place for.

    Raises InputError, which names what else the form cannot hold.
    """
    asked = decoded(raw, Save)
    colours.validate(asked.work.colour)
    name, parts = asked.form, split(asked.work.puzzle)
    left_out: list[str] = []
    media = next((form["media"] for form in forms() if form["form"] == name), None)
    if media is None:
        raise InputError(f"unknown form {name[:40]!r}: expected a writer of `satdoku formats`, {', '.join(MEDIA)}")
    if name == PAGE:
        emit({"media": media, "data": msgspec.json.encode(asked.work), "left_out": []})
        return
    puzzle = parts.form.puzzle()
    if name == CERTIFICATE:
        data = _certificate(puzzle, tools.seconds)
    elif name in MEDIA:
        grid = next(iter(tools.check(puzzle).grids), None) if asked.solution else None
        coloured = colours.squares(asked.work.colour, puzzle.board.size, colours.MAX_OF_CELL)
        puzzle = replace(puzzle, drawings=(*coloured, *puzzle.drawings))
        waiting = [strokes(asked.work.puzzle.marks[index], puzzle.board.size) for index in parts.lacking]
        picture = Picture(puzzle, grid=grid, title=puzzle.title, over=tuple(chain.from_iterable(waiting)))
        data = image(alone(picture), name)
    else:
        if name == ONE_COLOUR:
            squares = colours.squares(asked.work.colour, puzzle.board.size, 1)
            puzzle = replace(puzzle, drawings=(*squares, *puzzle.drawings))
        text, left_out = _text(puzzle, name)
        if asked.work.colour and name in colours.HOLDS:
            text = colours.added(text, name, asked.work.colour)
        data = f"{text}\n{comments(parts, asked.work.puzzle) if name == 'toml' else ''}".encode()
    if name == ONE_COLOUR and any(len(every) > 1 for every in asked.work.colour.values()):
        left_out = [*left_out, "all but one colour of a cell"]
    elif any(asked.work.colour.values()) and name not in {*colours.HOLDS, *PICTURES, ONE_COLOUR}:
        left_out = [*left_out, "colours"]
    if parts.lacking and name not in ("toml", *PICTURES):
        left_out = [*left_out, plural(len(parts.lacking), "unfinished mark")]
    emit({"media": media, "data": data, "left_out": left_out})


def _text(puzzle: Puzzle, name: str) -> tuple[str, list[str]]:
    """The puzzle in a format, with rules in words where it has none, and what of its texts and drawings is left out."""
    holds, own = find(name).holds, [what for what in METADATA if getattr(puzzle, what)]
    if not puzzle.rules and "rules" in holds.metadata:
        puzzle = replace(puzzle, rules="\n".join(rules(puzzle.board.size, puzzle.board.marks)))
    held, again = set(holds.held(puzzle)), {*noted(puzzle.drawings), *[RULES_TEXT] * ("rules" in holds.metadata)}
    lost = noted(drawing for drawing in puzzle.drawings if drawing not in held)
    if "not_enforced" not in holds.metadata:
        lost += [NOT_ENFORCED] * any(what not in again for what in puzzle.not_enforced)
        puzzle = replace(puzzle, not_enforced=())
    puzzle = replace(puzzle, drawings=holds.held(puzzle))
    texts = [what for what in own if what not in holds.metadata]
    try:
        text = written(_without(puzzle, texts), name)
    except Refused:  # such as a title of a length or with characters that the format has no place for
        texts, text = own, written(_without(puzzle, own), name)
    return text, [*texts, *lost, *_changed(puzzle, name, text)]


def _changed(puzzle: Puzzle, name: str, text: str) -> list[str]:
    """The drawings that a text of a format has otherwise than they are, such as in other widths."""
    if not puzzle.drawings:
        return []
    shape = find(name).unstated(puzzle.board)
    again = set(map(look, find(name).reading(text, Options(drawn=IGNORE).with_shape(**shape)).puzzle.drawings))
    changed = noted(drawing for drawing in puzzle.drawings if look(drawing) not in again)
    return [f"the exact look of {joined(changed)}"] if changed else []


def _without(puzzle: Puzzle, names: Sequence[str]) -> Puzzle:
    changes: dict[str, Any] = {what: None if what == "solution" else "" for what in names}
    return replace(puzzle, **changes)


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
