"""Between options and streams: opening what the arguments name, printing answers, counting them up."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from satdoku import batch
from satdoku.constraints import Grid
from satdoku.errors import FormatError, InputError, SatdokuError
from satdoku.formats import Options, find
from satdoku.formats.cells import spelled
from satdoku.printing import Shown, Style
from satdoku.puzzle import Puzzle
from satdoku.sources import STANDARD_INPUT, Entry, entries
from satdoku.variants import describe, shape
from satdoku.variants.boxes import Box
from satdoku.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from satdoku.exports.decode import Decoded
    from satdoku.render import Picture, Sheet

Show = Callable[[Puzzle, Outcome, Style], Shown]

SEVERITY = (0, 3, 1, 4, 2)
"""Exit statuses; where several hold, the later one is the run's."""


def worse(first: int, second: int) -> int:
    """The exit status of a run in which both happened."""
    return max(first, second, key=SEVERITY.index)


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


def options(box: str | None, format: str | None, alphabet: str | None, entered: bool) -> Options:
    """What the user said of the text; raises InputError where that cannot be."""
    if format is not None:
        find(format)
    if alphabet is not None:
        spelled(alphabet)
    return Options(Box.parse(box) if box is not None else None, format, alphabet, entered)


def opened(arguments: list[str] | None, options: Options) -> tuple[Iterator[Entry], bool]:
    """The entries that the arguments name, and whether there is only one; none means standard input.

    Raises InputError if standard input is a terminal and nothing was named.
    """
    if not arguments:
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError("no puzzles named: give a file, a puzzle as text, or - to type one; see `satdoku --help`")
        arguments = [STANDARD_INPUT]
    found = entries(arguments, options)
    first = list(islice(found, 2))
    return chain(first, found), len(first) == 1


def single(argument: str, options: Options) -> Puzzle:
    """The one puzzle that an argument names; raises InputError if it names several."""
    found, alone = opened([argument], options)
    entry = next(found)
    if isinstance(entry.found, InputError):
        raise entry.found
    if not alone:
        raise InputError(f"{argument} holds several puzzles: name one by its line, such as {entry.origin}")
    return entry.found


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


def run(found: Iterator[Entry], ask: batch.Ask, show: Show, style: Style, remark: str = "") -> int:
    """Print the answer to every entry and a summary; returns the exit status of the worst."""
    status = 0
    words: Counter[str] = Counter()
    read: Counter[str] = Counter()
    try:
        for answer in batch.answers(found, ask):
            if isinstance(answer.found, SatdokuError):
                words["at fault"] += 1
                status = worse(status, say(str(answer.found), answer.found.status))
                continue
            puzzle = answer.entry.found
            for note in answer.entry.notes:
                say(f"{answer.entry.origin}: {note}")
            assert isinstance(puzzle, Puzzle)
            read[f"{answer.entry.format}, {describe(puzzle) if style.alone else shape(puzzle.board)}"] += 1
            shown = show(puzzle, answer.found, style)
            if shown.text is not None:
                print(shown.text, flush=style.alone)
            if shown.note is not None:
                say(f"{puzzle.name}: {shown.note}")
            words[shown.word] += 1
            status = worse(status, shown.status)
        sys.stdout.flush()
    except BrokenPipeError:
        read.clear()  # nobody is reading: no summary either
        raise
    except SatdokuError as error:
        status = worse(status, say(str(error), error.status))
    finally:
        if read:
            say(_summary(words, read, style.alone) + remark)
    return status


def _summary(words: Counter[str], read: Counter[str], alone: bool) -> str:
    kinds = "; ".join(kind for kind, _ in read.most_common(3)) + ("; ..." if len(read) > 3 else "")
    if alone:
        return f"read as {kinds}"
    number = words.total()
    told = ", ".join(f"{count} {word}" for word, count in words.items())
    return f"{number} puzzle{'' if number == 1 else 's'} ({kinds}): {told}"


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
                text = target.write(puzzle)
                # Blocks stand apart; lines need nothing between them.
                print(text if target.one_line or not index else f"\n{text}", file=stream)
            except InputError as error:
                status = worse(status, say(f"{puzzle.name}: {error}", error.status))
    return status


def render(
    found: Iterator[Entry],
    output: Path | None,
    solve: batch.Ask | None,
    sheet: Sheet | None,
    back: bool,
    style: Callable[[Puzzle], Picture],
    cell: float | None,
) -> int:
    """Draw every puzzle by `style`, with the solution that `solve` finds, or at the `back` of sheets.

    Without an output the one picture is SVG on standard output. Returns the exit status: 1 if a
    puzzle to be solved has no solution, 3 if its search was stopped; it is drawn all the same.
    """
    from satdoku.render import canvas, paged

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
