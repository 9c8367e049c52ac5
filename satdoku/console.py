"""Between options and streams: opening what the arguments name, printing answers, counting them up."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from satdoku import backends, printing
from satdoku.batch import workers
from satdoku.batch.desk import Desk, Done, Job, Out
from satdoku.batch.outputs import Journaled, Progress, Records
from satdoku.constraints import Grid
from satdoku.errors import FormatError, InputError, SatdokuError, unknown, worse
from satdoku.formats import Options, find
from satdoku.formats.cells import spelled
from satdoku.formats.walls import JUNCTIONS
from satdoku.inputs.columns import Columns
from satdoku.inputs.sources import STANDARD_INPUT, Block, Entry, Piece, entries, pieces
from satdoku.progress import shown_progress
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.variants import REGIONS, Shape, build, describe, kinds, shape
from satdoku.variants.boxes import Box, classic
from satdoku.verdict import Outcome, Verdict
from satdoku.version import __version__

if TYPE_CHECKING:
    from satdoku.exports.decode import Decoded
    from satdoku.generator import Recipe
    from satdoku.generator.report import Layout
    from satdoku.pictures import Picture, Sheet
    from satdoku.printing import Style
    from satdoku.setter.asked import Question
    from satdoku.setter.warm import Boards

WARM_UP = 1.0
"""Seconds of work before worker processes are started of our own accord."""

MANY = 250
"""Lines from which the default backend may take its time to start."""


def settle_streams() -> None:
    """Let results and messages be written whatever their characters, and even if nobody listens."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115, open to the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def settle_signals() -> None:
    """Let a polite kill end like an exit, so that solvers are stopped and temporary files removed."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


def say(text: str, status: int = 0) -> int:
    """One line on standard error; returns `status`."""
    print(f"satdoku: {text}", file=sys.stderr)
    return status


def boxed(ascii: bool) -> bool:
    """Whether grids are drawn with box-drawing lines: on a terminal that can show them, unless told otherwise."""
    out = sys.stdout
    if ascii or not out.isatty():
        return False
    try:
        JUNCTIONS.encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def options(box: str | None, format: str | None, alphabet: str | None, entered: bool) -> Options:
    """What the user said of the text; raises InputError where that cannot be."""
    if format is not None:
        find(format)
    if alphabet is not None:
        spelled(alphabet)
    shape = Box.parse(box) if box is not None else None
    return Options(box=shape, format=format, alphabet=alphabet, entered=entered)


def named(arguments: list[str] | None) -> list[str]:
    """What the arguments name; none means standard input.

    Raises InputError if standard input is a terminal and nothing was named.
    """
    if arguments:
        return arguments
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("no puzzles named: give a file, a puzzle as text, or - to type one; see `satdoku --help`")
    return [STANDARD_INPUT]


def opened(arguments: list[str] | None, options: Options) -> tuple[Iterator[Entry], bool]:
    """The entries that the arguments name, and whether there is only one. Raises as `named`."""
    found = entries(named(arguments), options)
    first = list(islice(found, 2))
    return chain(first, found), len(first) == 1


@dataclass(frozen=True, slots=True)
class Opened:
    """The pieces that arguments name; whether they are one puzzle, or many lines of one each."""

    pieces: Iterator[Piece]
    alone: bool
    many: bool


def blocks(arguments: list[str] | None, options: Options, columns: Columns | None = None) -> Opened:
    """The pieces that the arguments name. Raises as `named`."""
    found = pieces(named(arguments), options, columns)
    first = list(islice(found, 2))
    lengths = [sum(map(bool, map(bytes.strip, piece.lines))) if isinstance(piece, Block) else 1 for piece in first]
    if sum(lengths) == 1 and isinstance(first[0], Block):
        (entry,) = filter(None, (first[0].entry(index, options) for index in range(len(first[0]))))
        first = [entry]
    return Opened(chain(first, found), sum(lengths) == 1, sum(lengths) >= MANY)


def single(argument: str, options: Options) -> Puzzle:
    """The one puzzle that an argument names; raises InputError if it names several."""
    found, alone = opened([argument], options)
    entry = next(found)
    if isinstance(entry.found, InputError):
        raise entry.found
    if not alone:
        raise InputError(f"{argument} holds several puzzles: name one by its line, such as {entry.origin}")
    return entry.found


def board(argument: str | None, rules: list[str], options: Options) -> Board:
    """The board of the one puzzle that an argument names, else the plain one; with rules of the whole board added.

    Raises InputError for a name that is no such rule.
    """
    box = options.box or Box(3, 3)
    found = classic(box.rows, box.columns) if argument is None else single(argument, options).board
    known = [kind.name for kind in kinds().values() if kind.shape is Shape.RULE and kind.name not in REGIONS]
    stray = next((name for name in rules if name not in known), None)
    if stray is not None:
        raise InputError(f"--rule {stray}: expected one of {', '.join(known)}")
    marks = (*found.marks, *(Mark(name) for name in rules))
    return build(found.columns, tuple(dict.fromkeys(marks))) if rules else found


def places(file: str, board: Board) -> tuple[int, ...]:
    """The cells that a pattern in a file, or standard input, gives; raises InputError, with its line, for none."""
    from satdoku.generator import pattern

    try:
        return pattern.places(raw(file).decode("utf-8", "replace"), board)
    except FormatError as error:
        raise InputError(error.at(_named(file))) from None


def raw(argument: str) -> bytes:
    """What a file holds, or standard input for `-`. Raises OSError if it cannot be read."""
    if argument != STANDARD_INPUT:
        return Path(argument).read_bytes()
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer.read()


def grids(files: list[str], puzzle: Puzzle, argument: str) -> list[Grid]:
    """The solutions of `puzzle` in some files; raises InputError, with its place, for what is none."""
    from satdoku.exports import blocked

    if [argument, *files].count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read once: name a file for the puzzle or for --block")
    found: list[Grid] = []
    for file in files:
        try:
            found += blocked.read(raw(file).decode("utf-8", "replace"), puzzle)
        except FormatError as error:
            raise InputError(error.at(_named(file))) from None
    return found


def decoded(cnf: str, answer: str, map: str | None) -> Decoded:
    """The answer of a solver to a CNF, both files or `-`; raises InputError, with its file, for what is none."""
    from satdoku.exports.decode import decode
    from satdoku.exports.names import from_json

    if [cnf, answer, map].count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read once: name files for the others of CNF, ANSWER and --map")
    # The answer first: in a pipe it ends when the solver does, and the CNF beside it is complete by then.
    text = raw(answer).decode("utf-8", "replace")
    names = None
    if map is not None:
        try:
            names = from_json(raw(map).decode("utf-8", "replace"))
        except InputError as error:
            raise InputError(f"{_named(map)}: {error}") from None
    return decode(raw(cnf), text, names, (_named(cnf), _named(answer)))


def _named(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file


def readable(found: Iterator[Entry]) -> tuple[list[Puzzle], int]:
    """The puzzles among entries, each error said; and the exit status of those errors."""
    puzzles: list[Puzzle] = []
    status = 0
    for entry in found:
        if isinstance(entry.found, InputError):
            status = worse(status, say(str(entry.found), entry.found.status))
        else:
            puzzles.append(entry.found)
    return puzzles, status


def backends_for(names: list[str | None], many: bool) -> tuple[str | None, ...]:
    """The names as asked; where none was and many puzzles come, the default that knows of it."""
    from satdoku.backends.auto import MANY as OF_MANY

    if names == [None] and many:
        return (f"{backends.DEFAULT}:{OF_MANY}",)
    return tuple(names)


def verdicts(text: str | None) -> tuple[str, ...]:
    """The verdicts of `--only NAME,NAME...`; raises InputError for a word that is none."""
    words = tuple(sorted(set(text.split(",")))) if text is not None else ()
    stray = next((word for word in words if word not in {verdict.value for verdict in Verdict}), None)
    if stray is not None:
        raise unknown("verdict", stray, [verdict.value for verdict in Verdict], "satdoku check --help")
    return words


def asked(job: Job, puzzles: list[str] | None, *more: str | None) -> str:
    """The question and its input in words, for `--resume` to compare."""
    timeout = getattr(job.ask, "keywords", {}).get("timeout")
    parts = [job.backends, job.encoding, job.options, job.style, timeout, puzzles or ["-"], more]
    return f"satdoku {__version__}: " + "; ".join(map(repr, parts))


@dataclass(frozen=True, slots=True)
class Run:
    """How a job is run.

    jobs:    worker processes; None is all cores, once some time has shown that they are worth starting
    cluster: the address of a dask scheduler instead
    timeout: seconds for each puzzle, which a worker is held to
    output:  a file that --resume goes on with
    resume:  whether to go on with it
    asked:   what was asked, in words that only an equal question has
    remark:  what the summary ends with
    verbose: whether the summary tells the backends
    proofs:  a file for the certificates
    """

    jobs: int | None = 1
    cluster: str | None = None
    timeout: float | None = None
    output: Path | None = None
    resume: bool = False
    asked: str = ""
    remark: str = ""
    verbose: bool = False
    proofs: Path | None = None


def run(job: Job, pieces: Iterator[Piece], how: Run) -> int:
    """Print the answer to every puzzle and a summary; returns the exit status of the worst."""
    records = Records(how.proofs) if how.proofs is not None else None
    file = Journaled(how.output, how.asked, how.resume, records) if how.output is not None else None
    if records is not None and file is None:
        records.begin(None)
    progress = file.progress if file is not None else Progress(Done())
    write = file.write if file is not None else sys.stdout.write
    total = progress.done
    broken = interrupted = False
    try:
        if file is not None:
            pieces = file.skipped(pieces)
        first = printing.header(job.style)
        if first is not None and not total.lines:
            write(f"{first}\n")

        def out(text: str) -> None:
            write(f"{text}\n")
            if job.style.alone:
                sys.stdout.flush()

        with shown_progress(job.style.alone or (file is None and sys.stdout.isatty())) as bar:
            for piece, done in _worked(job, pieces, out, how):
                write(done.text)
                if records is not None:
                    records.write(done.records)
                for line in done.said:
                    bar.say(line)
                total.add(done)
                if done.fatal is not None:
                    total.status = worse(total.status, say(str(done.fatal), done.fatal.status))
                    return total.status
                if file is not None:
                    file.commit(piece)
                bar.update(total, piece)
        if records is not None:
            records.finish()
        if file is not None:
            file.finish()
        sys.stdout.flush()
    except BrokenPipeError:
        broken = True  # nobody is reading: no summary either
        raise
    except KeyboardInterrupt:
        interrupted = True
        with suppress(OSError):
            sys.stdout.flush()
        raise
    except SatdokuError as error:
        total.status = worse(total.status, say(str(error), error.status))
    finally:
        if records is not None and file is None:
            records.finish()  # no journal keeps what waits
        if file is not None:
            file.close()
        if records is not None:
            records.close()
        if total.read and not broken:
            say(_summary(total, job.style.alone) + how.remark + (_engines(total) if how.verbose else ""))
        if interrupted and not job.style.alone:
            hint = "to go on: the same command with --resume" if file else "with -o FILE a run can be resumed"
            say(f"stopped after {total.lines} lines of input; {hint}")
    return total.status


def _worked(job: Job, pieces: Iterator[Piece], out: Out, how: Run) -> Iterator[tuple[Piece, Done]]:
    """The answers in order, by this process alone or by workers."""
    pace = workers.Pace()
    Desk(job).close()  # what no worker could open is said here, once
    if how.cluster is not None:
        return workers.together(workers.Cluster(job, how.cluster), job, pieces, pace, how.timeout)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if job.style.alone or (how.jobs == 1 and how.timeout is None):
        return _here(job, pieces, out, pace)
    if how.jobs is None and how.timeout is None:
        return _warmed_up(job, pieces, out, pace, cores)
    return workers.together(
        workers.Pool(job, how.jobs or cores, prepare=how.timeout is not None), job, pieces, pace, how.timeout
    )


def _here(job: Job, pieces: Iterator[Piece], out: Out, pace: workers.Pace) -> Iterator[tuple[Piece, Done]]:
    with closing(Desk(job)) as desk:
        yield from workers.alone(desk, pieces, out, pace)


def _warmed_up(
    job: Job, pieces: Iterator[Piece], out: Out, pace: workers.Pace, cores: int
) -> Iterator[tuple[Piece, Done]]:
    """Begin here, and start workers only if there is more to do than they take to start."""
    started = monotonic()
    for piece, done in _here(job, cut := workers.Cut(pieces, pace), out, pace):
        yield piece, done
        if monotonic() - started > WARM_UP and cores > 1:
            break
    else:
        return
    yield from workers.together(workers.Pool(job, cores), job, cut, pace, None)


def _summary(total: Done, alone: bool) -> str:
    read = total.read
    kinds = "; ".join(kind for kind, _ in read.most_common(3)) + ("; ..." if len(read) > 3 else "")
    if alone:
        return f"read as {kinds}"
    number = total.words.total()
    told = ", ".join(f"{count} {word}" for word, count in total.words.items())
    return f"{number} puzzle{'' if number == 1 else 's'} ({kinds}): {told}"


def _engines(total: Done) -> str:
    told = [f"{name} {count}" for name, count in total.engines.most_common()]
    return f"; by {', '.join(told) if len(told) > 1 else next(iter(total.engines), 'none')}"


def ask(question: Question, found: Iterator[Entry], style: Style, output: Path | None = None) -> int:
    """Print the answer to every puzzle and a summary, draw its pictures; returns the exit status of the worst."""
    from satdoku.pictures import canvas
    from satdoku.setter.warm import Boards

    if output is not None:
        canvas.format_of(output)
    total = Done()
    drawn: list[Picture] = []
    with Boards() as boards:
        for entry in found:
            _ask(question, entry, style, boards, total, drawn)
    if output is not None and drawn:
        draw(drawn, output)
    if total.read:
        say(_summary(total, style.alone))
    return total.status


def _ask(question: Question, entry: Entry, style: Style, boards: Boards, total: Done, drawn: list[Picture]) -> None:
    try:
        if isinstance(entry.found, InputError):
            raise entry.found
        shown, pictures = question.answer(boards, entry, entry.found, style)
    except InputError as error:
        total.words["at fault"] += 1
        total.status = worse(total.status, say(str(error), error.status))
        return
    for note in entry.notes:
        say(f"{entry.origin}: {note}")
    if shown.text is not None:
        print(shown.text, flush=style.alone)
    if shown.note is not None:
        say(f"{entry.origin}: {shown.note}")
    drawn += pictures
    total.read[f"{entry.format}, {describe(entry.found) if style.alone else shape(entry.found.board)}"] += 1
    total.words[shown.word] += 1
    total.status = worse(total.status, shown.status)


def draw(pictures: Sequence[Picture], output: Path) -> None:
    """Write pictures as the suffix of the file says, and say so."""
    from satdoku.pictures import canvas, paged

    for path, data in canvas.files(paged(pictures), output):
        path.write_bytes(data)
        say(f"{path} written")


def keep(output: Path | None, *inputs: str | None) -> None:
    """Raise InputError if what is to be written would replace what is to be read, or is no file."""
    if output is None:
        return
    if str(output) == "-":
        raise InputError("'-': expected the name of a file to write; standard output is where it goes without one")
    if output.is_dir() or not output.name:
        raise InputError(f"{str(output)!r}: a directory, expected the name of a file to write")
    for name in inputs:
        if name is not None and output.exists() and _file(name) is not None and output.samefile(_file(name) or ""):
            raise InputError(f"{output}: to be read, and to be written too; name another file to write")


def _file(argument: str) -> Path | None:
    """The file that an argument names, with or without a line."""
    for name in (argument, argument.rpartition(":")[0]):
        try:
            if name and Path(name).is_file():
                return Path(name)
        except (OSError, ValueError):
            continue
    return None


@contextmanager
def writing(output: Path | None) -> Iterator[TextIO]:
    """Standard output, or the file named."""
    if output is None:
        yield sys.stdout
        return
    with output.open("w", encoding="utf-8") as stream:
        yield stream


def convert(found: Iterator[Entry], to: str, output: Path | None) -> int:
    """Write every puzzle in the format `to`; returns the exit status."""
    target = find(to)
    puzzles, status = readable(found)
    with writing(output) as stream:
        for index, puzzle in enumerate(puzzles):
            try:
                if lost := target.lost(puzzle):
                    say(f"{puzzle.name}: left out, as the {target.name} format cannot hold it: {', '.join(lost)}")
                text = target.write(puzzle, metadata=False)
                # Blocks stand apart; lines need nothing between them.
                print(text if target.one_line or not index else f"\n{text}", file=stream)
            except InputError as error:
                status = worse(status, say(f"{puzzle.name}: {error}", error.status))
    return status


def render(
    found: Iterator[Entry],
    output: Path | None,
    solve: Callable[[Puzzle], Outcome] | None,
    sheet: Sheet | None,
    back: bool,
    style: Callable[[Puzzle], Picture],
    cell: float | None,
) -> int:
    """Draw every puzzle by `style`, with the solution that `solve` finds, or at the `back` of sheets.

    Without an output the one picture is SVG on standard output. Returns the exit status: 1 if a
    puzzle to be solved has no solution, 3 if its search was stopped; it is drawn all the same.
    """
    from satdoku.pictures import canvas, paged

    format = canvas.format_of(output)
    puzzles, status = readable(found)
    if not puzzles:
        return status
    if output is None and len(puzzles) > 1:
        raise InputError(f"{len(puzzles)} puzzles: name the file to draw them in, -o FILE")
    grids: list[Grid | None] = [None] * len(puzzles)
    if solve is not None:
        for index, puzzle in enumerate(puzzles):
            outcome = solve(puzzle)
            grids[index] = next(iter(outcome.grids), None)
            if outcome.verdict is not Verdict.UNIQUE:
                shown = (
                    f"{outcome.verdict.value}, drawn {'with one solution' if outcome.grids else 'without a solution'}"
                )
                say(f"{puzzle.name}: {shown}{f': {outcome.reason}' if outcome.reason else ''}")
                status = worse(status, int(not outcome.count) if outcome.exact else 3 * (not outcome.count))
    pictures = [style(puzzle) for puzzle in puzzles]
    if len(pictures) > 1:
        pictures = [replace(picture, title=str(number)) for number, picture in enumerate(pictures, 1)]
    solved = [replace(picture, grid=grid) for picture, grid in zip(pictures, grids, strict=True)]
    pages = paged(pictures, solved, sheet, cell) if back else paged(solved, (), sheet, cell)
    if output is None:
        sys.stdout.buffer.write(canvas.image(pages[0], format))
        return status
    for path, data in canvas.files(pages, output):
        path.write_bytes(data)
        say(f"{path} written")
    return status


def generate(recipe: Recipe, numbers: range, jobs: int, layout: Layout, output: Path | None) -> int:
    """Make the puzzles of these numbers and print them as they come, then a summary; returns the exit status."""
    from satdoku.generator import report, run

    tally = report.Tally()
    status = 0
    with writing(output) as stream, closing(run(recipe, len(numbers), jobs, numbers.start)) as puzzles:
        for found in puzzles:
            shown = report.shown(recipe, found, layout)
            if shown.text is not None:
                apart = tally.givens and not (layout.json or layout.format.one_line)
                print(f"\n{shown.text}" if apart else shown.text, file=stream, flush=len(numbers) == 1)
            if shown.note is not None:
                say(shown.note)
            status = worse(status, shown.status)
            tally.add(found)
    say(tally.summary(recipe))
    return status
