"""From the options of a command to a run: what every command that answers puzzles does."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NoReturn

import typer

from satdoku.batch import runner
from satdoku.batch.outputs import Outputs, Plan
from satdoku.batch.questions import INVALID, Question
from satdoku.batch.worker import Task
from satdoku.commands.options import PUZZLES, Engine, Input, Many, Output, argument, key_of
from satdoku.commands.puzzles import Opened, column_of, named, one_puzzle, opened
from satdoku.inputs.columns import Columns
from satdoku.inputs.items import Chunk
from satdoku.terminal.messages import say
from satdoku.terminal.progress import progress
from satdoku.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    input: Input
    many: Many
    output: Output
    puzzles: list[str] | None = argument(PUZZLES, show_default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRun:
    input: Input
    engine: Engine
    many: Many
    output: Output
    puzzles: list[str] | None = argument(PUZZLES, show_default=False)


def answer(
    make: Callable[[Opened], Question],
    asked: Run | SearchRun,
    *,
    timeout: float | None = None,
    known: Sequence[str] = (),
    expect: str | None = None,
    keep: bool = False,
    remark: str = "",
    **plan: Any,
) -> NoReturn:
    """Ask a question of the puzzles that the arguments name, and end with the status of the worst answer.

    known:  the outcomes that --only may name; expect: the column of solutions to compare with
    keep:   whether rows of tables come with all their columns
    remark: what the summary ends with; plan: what is written, beyond what the options of the output say
    """
    input, output = asked.input, asked.output
    options, written = input.options(), output.plan(**plan)
    only = output.outcomes((*known, INVALID))
    names = named(asked.puzzles)
    column = column_of(names) if input.column is None and options.format is None else input.column
    if input.column is None and column is not None and not asked.many.quiet:
        say(f"the puzzles are in the column {column!r}, and the others are not read; --column names another")
    columns = None if column is None else Columns(column, expect, keep)
    found = opened(names, options, columns, input.span())
    one_puzzle(output.output, found.alone)
    task = Task(question=make(found), options=options, layouts=(), only=only, alone=found.alone)
    key = {"PUZZLES": " ".join(names), **key_of(input), **output.key(), **({"--expect": expect} if expect else {})}
    read = names if input.board is None else [*names, input.board]
    run(task, found.chunks, written, asked.many, output, key, read, timeout, remark)


def run(
    task: Task,
    chunks: Iterator[Chunk],
    plan: Plan,
    many: Many,
    output: Output,
    key: Mapping[str, str],
    inputs: Sequence[str],
    timeout: float | None = None,
    remark: str = "",
) -> NoReturn:
    """Run a question, say the summary, and end with the status of the worst answer.

    key: what --resume compares beyond the question; inputs: files that are read
    """
    question, style = task.question, output.style(task.alone, many.verbose)
    compared = {"satdoku": __version__, **question.key(), **key}
    interrupted = broken = False
    with closing(Outputs(question, style, plan, compared, inputs)) as outputs:
        try:
            with progress(task.alone or (outputs.to_terminal and sys.stdout.isatty())) as watcher:
                total = runner.run(task, chunks, outputs, many.work(timeout), watcher)
        except OSError:
            broken = True  # nobody is reading, or nothing can be written: no summary either
            raise
        except KeyboardInterrupt:
            interrupted = True
            raise
        finally:
            summary = "" if broken or not outputs.total.figures else question.summary(outputs.total, style)
            if summary and many.summary == "json":
                print(json.dumps(outputs.total.record(), ensure_ascii=False), file=sys.stderr)
            elif summary and not many.quiet:
                say(summary + remark + (outputs.total.engines() if many.verbose else ""))
            if interrupted and not task.alone:
                goes_on = "; the same command with --resume goes on"
                how = goes_on if outputs.resumable else "; with -o FILE a run can be resumed"
                say(f"stopped after {outputs.total.lines} lines of input{how * (plan.collect is None)}")
    raise typer.Exit(total.status)
