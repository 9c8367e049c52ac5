"""The outputs of a run: which form each has, where it goes, and that none of them is another or an input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import islice
from os.path import isdir, isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satdoku.batch.files import UNFINISHED, OutputFile, distinct
from satdoku.batch.layouts import ColumnLayout, Framing, JsonLayout, Layout, PictureLayout, TableLayout, TextLayout
from satdoku.batch.questions import Question, Style
from satdoku.batch.sinks import ARRAYS, COLUMNAR, ArrayFile, Columnar, Sink
from satdoku.batch.totals import Result, RunTotal
from satdoku.batch.worker import Held
from satdoku.errors import InputError
from satdoku.inputs.items import STANDARD_INPUT, Chunk, source_name
from satdoku.inputs.remote import is_remote
from satdoku.inputs.streams import expanded
from satdoku.system.files import check_folder, identity, regular, write_whole

if TYPE_CHECKING:
    from satdoku.batch.journal import Journal
    from satdoku.pictures import Page, Picture

READ = 4 << 20  # characters of a long text that are held at once
Paged = Callable[[Sequence["Picture"]], Sequence["Page"]]


class Stream(Sink):
    def __init__(self, framing: Framing, file: OutputFile | None, flush: bool = False) -> None:
        self._framing = framing
        self._file = file
        self._flush = flush
        self._first = True

    def begin(self, resumed: bool) -> None:
        self._first = self._file is None or not self._file.has_rows
        if not resumed:
            self._put(self._framing.head)

    def write(self, parts: Sequence[Any]) -> None:
        for part in parts:
            for text in _texts(part):
                self._put(text[len(self._framing.between) :] if self._first else text)
                self._first = False
        if self._file is not None:
            self._file.has_rows = not self._first
        if self._flush:
            sys.stdout.flush()

    def finish(self) -> list[Path]:
        self._put(self._framing.tail)
        if self._file is None:
            sys.stdout.flush()
        else:
            self._file.finish()
        return []

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _put(self, text: str) -> None:
        if self._file is None:
            sys.stdout.write(text)
        else:
            self._file.write(text.encode("utf-8", "backslashreplace"))


def _texts(part: str | Held) -> Iterator[str]:
    if isinstance(part, str):
        yield part
        return
    with part.path.open(encoding="utf-8", newline="") as stream:
        while text := stream.read(READ):
            yield text
    part.path.unlink()


class Drawings(Sink):
    def __init__(self, path: Path | None, paged: Paged | None = None) -> None:
        """path: .svg, .png or .pdf; None is SVG on standard output. paged: how they stand on pages."""
        from satdoku.pictures import format_of

        self._path = path
        self._format = format_of(path)
        self._paged = paged
        self._pictures: list[Picture] = []

    def write(self, parts: Sequence[Any]) -> None:
        for pictures in parts:
            self._pictures += pictures

    def finish(self) -> list[Path]:
        from satdoku.pictures import canvas, paged

        if not self._pictures:
            return []
        if self._path is None and len(self._pictures) > 1:
            raise InputError(f"{len(self._pictures)} puzzles: name the file to draw them in, -o FILE")
        pages = (self._paged or paged)(self._pictures)
        if self._path is None:
            sys.stdout.buffer.write(canvas.image(pages[0], self._format))
            return []
        files = canvas.files(pages, self._path)
        for path, data in files:
            write_whole(path, data)
        return [path for path, _ in files]


COMPRESSED = (".gz", ".zst")
PICTURES = (".svg", ".png", ".pdf")
WHOLE = (*COLUMNAR, *ARRAYS, *PICTURES)  # are written at the end of a run, and have a compression of their own
RECORDS = (".txt", ".json", ".jsonl", ".csv", ".tsv", *COLUMNAR, *ARRAYS)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputPlan:
    form: str = "text"  # "text", "json" or "csv": of standard output, and of files without a suffix
    paths: tuple[Path, ...] = ()  # files of records and of pictures
    proofs: Path | None = None  # a file that keeps proofs
    errors: Path | None = None  # a file that keeps the errors of invalid puzzles
    resume: bool = False  # whether to go on with an unfinished file
    texts: frozenset[str] = frozenset()  # suffixes that mean text as well, since the question writes such texts
    records: bool = True  # whether records are written at all; else pictures alone
    pictures: bool = False  # whether the question has pictures
    paged: Paged | None = None  # how pictures stand on pages
    collect: Callable[[Layout, Sink], tuple[Layout, Sink]] | None = None  # where the sink decides what becomes of rows

    def suffix(self, path: Path) -> str:
        suffixes = [suffix.lower() for suffix in path.suffixes]
        packed = bool(suffixes) and suffixes[-1] in COMPRESSED
        suffix = suffixes[-1 - packed] if len(suffixes) > packed else ""
        known = [*(RECORDS if self.records else ()), *self.texts, *(PICTURES if self.pictures else ())]
        if (suffix and suffix not in known) or (not suffix and not self.records):
            raise InputError(f"--output {path}: expected a name that ends in {', '.join(sorted(set(known)))}")
        if packed and suffix in WHOLE:
            raise InputError(f"--output {path}: {suffix} files are not compressed again; leave out {suffixes[-1]}")
        return suffix

    def outputs(self) -> list[tuple[Path | None, str]]:
        """The files, None for standard output, each with the suffix that chooses its form."""
        outputs: list[tuple[Path | None, str]] = [(path, self.suffix(path)) for path in self.paths]
        if self.records and all(suffix in PICTURES for _, suffix in outputs):
            outputs.append((None, ""))
        return outputs or [(None, ".svg")]

    @property
    def kept(self) -> dict[str, Path]:
        """Files of lines beside the outputs, by their options."""
        return {name: path for name, path in (("--proofs", self.proofs), ("--errors", self.errors)) if path is not None}

    @property
    def journaled(self) -> bool:
        """Whether all files grow row by row, so that a run which is stopped can go on with them."""
        return bool(self.paths) and self.collect is None and not {self.suffix(path) for path in self.paths} & {*WHOLE}


class Outputs:
    def __init__(
        self, question: Question, style: Style, plan: OutputPlan, key: Mapping[str, str], inputs: Sequence[str] = ()
    ) -> None:
        """key: what `--resume` compares; inputs: files that are read. Raises InputError for what cannot be written."""
        _check_plan(plan, inputs)
        self._journal = _journal(plan, key) if plan.journaled else None
        self.total = self._journal.total if self._journal else RunTotal()  # what is settled already
        self.layouts: tuple[Layout, ...] = ()  # what workers make of answers, one for each output
        self.to_terminal = False
        self._sinks: list[Sink] = []
        self._files: list[OutputFile] = []
        self._kept: dict[str, OutputFile] = {}
        try:
            for path, suffix in plan.outputs():
                self._add(question, style, plan, path, suffix)
            for name, path in plan.kept.items():
                self._kept[name] = OutputFile(path)
                self._files.append(self._kept[name])
            self._begin()
        except BaseException:
            with suppress(OSError):  # what cannot be written is named by the error that comes first
                self.close()
            for file in self._files:
                file.abandon()
            raise

    @property
    def keeps_errors(self) -> bool:
        return "--errors" in self._kept

    @property
    def resumable(self) -> Path | None:
        """The output that a stopped run leaves unfinished, with a journal; None without one."""
        return None if self._journal is None else self._journal.output

    def unsettled(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks that a stopped run has not settled."""
        return self._journal.unsettled(chunks) if self._journal else chunks

    def put(self, number: int, rows: object) -> None:
        self._sinks[number].write([rows])

    def write(self, result: Result) -> None:
        for sink, parts in zip(self._sinks, result.outputs, strict=True):
            if parts:
                sink.write(parts)
        lines = {"--proofs": result.proofs, "--errors": [one.text for one in result.messages if one.file is not None]}
        for name, file in self._kept.items():
            file.write("".join(f"{line}\n" for line in lines[name]).encode("utf-8", "backslashreplace"))

    def commit(self, chunk: Chunk) -> None:
        if self._journal is not None:
            self._journal.commit(chunk)

    def finish(self) -> list[Path]:
        written = [path for sink in self._sinks for path in sink.finish()]
        for file in self._kept.values():
            file.finish()
        if self._journal is not None:
            self._journal.finish()
        return written

    def close(self) -> None:
        """Let go of all files, of those behind one that cannot be written, too; a journal knows how far they are."""
        with ExitStack() as each:
            for file in self._kept.values():
                each.callback(file.close)
            for sink in self._sinks:
                each.callback(sink.close)
            if self._journal is not None:
                each.callback(self._journal.settle)
            else:
                for file in self._kept.values():
                    each.callback(file.finish)

    def _add(self, question: Question, style: Style, plan: OutputPlan, path: Path | None, suffix: str) -> None:
        layout: Layout
        sink: Sink
        columns = question.columns
        if suffix in PICTURES:
            layout, sink = PictureLayout(), Drawings(path, plan.paged)
        elif suffix in COLUMNAR and path is not None:
            layout, sink = ColumnLayout(question, columns), Columnar(path, columns)
        elif suffix in ARRAYS and path is not None:
            layout, sink = ColumnLayout(question, columns), ArrayFile(path, columns, question.grids)
        else:
            text = _layout(question, style if path is None else Style(alone=style.alone), plan.form, suffix)
            file = None if path is None else OutputFile(path)
            self._files += [] if file is None else [file]
            self.to_terminal |= file is None
            layout, sink = text, Stream(text.framing, file, flush=style.alone and path is None)
        if plan.collect is not None:
            layout, sink = plan.collect(layout, sink)
        self.layouts += (layout,)
        self._sinks.append(sink)

    def _begin(self) -> None:
        resumed = self._journal is not None and self._journal.resumed
        if self._journal is not None:
            self._journal.begin(self._files)
        else:
            for file in self._files:
                file.begin()
        for sink in self._sinks:
            sink.begin(resumed)
        if self._journal is not None and not resumed:
            self._journal.commit()
            self._journal.settle()


def _check_plan(plan: OutputPlan, inputs: Sequence[str]) -> None:
    written = [*(("--output", path) for path in plan.paths), *plan.kept.items()]
    if plan.journaled:
        written.append(("its journal", Path(f"{plan.paths[0]}{UNFINISHED}")))
    check_outputs(written, inputs, printed=any(path is None for path, _ in plan.outputs()))
    if plan.resume and not plan.journaled:
        raise InputError("--resume goes on with a file: name it, --output FILE, of text, JSON Lines or CSV")


def _journal(plan: OutputPlan, key: Mapping[str, str]) -> Journal:
    from satdoku.batch.journal import Journal

    return Journal(plan.paths[0], key, plan.resume)


def _layout(question: Question, style: Style, form: str, suffix: str) -> TextLayout | JsonLayout | TableLayout:
    match suffix or {"json": ".jsonl", "csv": ".csv"}.get(form):
        case ".json" | ".jsonl" as suffix:
            return JsonLayout(question, array=suffix == ".json")
        case ".csv" | ".tsv" as suffix:
            return TableLayout(question, tuple(question.columns), "," if suffix == ".csv" else "\t")
    return TextLayout(question, style)


def check_outputs(written: Sequence[tuple[str, Path]], inputs: Sequence[str], printed: bool = False) -> None:
    """Raise InputError for an option and path that is an input, another output, or not the name of a file.

    printed: whether standard output is written, too
    """
    for name, path in written:
        if str(path) == STANDARD_INPUT:
            raise InputError(f"{name} -: expected the name of a file; results go to standard output without --output")
        if path.is_dir() or not path.name:
            raise InputError(f"{name} {path}: a directory, expected the name of a file to write")
        if is_remote(f"{path}".replace(":/", "://", 1)) and not path.parent.is_dir():
            raise InputError(f"{name} {path}: outputs elsewhere are shards: --shards FOLDER")
        check_folder(path)
        for folder in (each for each in inputs if each != STANDARD_INPUT and isdir(each)):
            # A run that goes on would read there what it has written.
            if Path(folder).resolve() in path.resolve().parents:
                raise InputError(f"{path}: in the folder {folder}, which is read; name another file for {name}")
    read = {identity(file): argument for argument in inputs for file in input_files(argument)}
    distinct(written, read)
    output = regular(sys.stdout) if printed else None
    if output is not None and identity(output) in read:
        argument = source_name(read[identity(output)])
        raise InputError(f"{argument}: to be read, and standard output goes there too; send that to another file")


def input_files(argument: str) -> Iterator[Path | int]:
    """The files that an argument names, with or without a line; the number of standard input where that is a file."""
    if argument == STANDARD_INPUT:
        number = regular(sys.stdin)
        yield from () if number is None else (number,)
        return
    for name in expanded(argument):
        yield from islice(map(Path, filter(isfile, (name, name.rpartition(":")[0]))), 1)
