"""`satdoku watch`: a puzzle in a file, drawn and answered whenever the file changes."""

from __future__ import annotations

import os
import sys
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from satdoku.api.setter import explain
from satdoku.backends.child import Child, Lost, first_ready, messages
from satdoku.batch.questions import Style
from satdoku.commands import options
from satdoku.commands.check import Check
from satdoku.commands.options import composed
from satdoku.commands.searches import item_puzzle
from satdoku.errors import InputError, SatdokuError
from satdoku.formats import Options
from satdoku.inputs.sources import items
from satdoku.system.clock import Deadline
from satdoku.terminal.messages import say
from satdoku.terminal.texts import grid_drawing
from satdoku.variants.summaries import describe
from satdoku.verdict import Verdict

POLL_SECONDS = 0.1  # seconds between two looks at the file
CLEAR = "\x1b[H\x1b[2J"
EXPLAINING = 10.0  # seconds to say why a puzzle has no solution


@composed
def watch(
    file: Annotated[str, typer.Argument(help="The file with the puzzle; it may appear later.")],
    input: options.Input,
    timeout: options.Timeout = None,
) -> None:
    """Draw and check the puzzle of a file whenever the file changes, until Ctrl-C.

    A change stops the search that runs. What cannot be read is reported, and the file is watched on.

    Exit status: 130 after Ctrl-C, 2 wrong use.
    """
    if os.path.isdir(file):
        raise InputError(f"{file}: a folder, expected the file of a puzzle")
    terminal = sys.stdout.isatty()
    style = options.Output().style(alone=True)
    asked = (file, input.options(timeout), style, timeout)
    child = Child(serve)
    answer: tuple[str, list[str]] | None
    try:
        while True:
            seen = _state(file)
            try:
                child.send(asked)
                while _state(file) == seen and not first_ready({child.connection: child}, Deadline(POLL_SECONDS)):
                    pass
                answer = child.receive() if _state(file) == seen else None
            except Lost as lost:
                answer = "", [f"the search was lost: {lost}"]
            if answer is not None:
                _show(*answer, CLEAR if terminal else "")
            if answer is None or not child.alive():
                child.close()
                child = Child(serve)
            while _state(file) == seen:
                sleep(POLL_SECONDS)
    finally:
        child.close()


def serve(connection: Connection) -> None:
    """The child's side, which is killed when the file changes: what is asked comes, and what is printed goes."""
    for asked in messages(connection):
        connection.send(_answer(*asked))


def _show(text: str, notes: list[str], before: str) -> None:
    if before or text:
        print(before + text, flush=True)
    for each in notes:
        say(each)


def _state(file: str) -> tuple[int, int, int] | None:
    """What is another when the file has changed; None where there is none."""
    try:
        status = Path(file).stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _answer(file: str, options: Options, style: Style, timeout: float | None) -> tuple[str, list[str]]:
    """What is printed of a file, and what goes to standard error; in a process of its own, which may be killed."""
    try:
        if not os.path.isfile(file):
            raise InputError(f"{file}: there is no such file; it is read when there is")
        item, *others = islice(items([file], options), 2)
        if isinstance(item.puzzle, InputError):
            raise item.puzzle
        question = Check(backends=(None,), timeout=timeout, alone=True)
        puzzle, answer = item_puzzle(item), question.open().answer(item, None)
        text = question.text(item, answer, style) or ""
        if answer.outcome == Verdict.UNSOLVABLE.value:
            from satdoku.terminal.explanations import lines

            text = "\n".join(lines(explain(puzzle, timeout=EXPLAINING), style.boxed))
        parts = (describe(puzzle), grid_drawing(puzzle.board, puzzle.givens, style.boxed), text)
        several = [f"{file} holds several puzzles: this is the first"] if others else []
        return "\n\n".join(parts), [*item.notes, *several, *answer.notes]
    except SatdokuError as error:
        return "", [str(error)]
