"""From the options of a command to a run: what every command that answers puzzles does."""

from __future__ import annotations

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
from satdoku.commands.options import Input, Many, Output
from satdoku.commands.puzzles import named, opened
from satdoku.formats import Options
from satdoku.inputs.columns import Columns
from satdoku.inputs.items import Chunk
from satdoku.terminal.messages import say
from satdoku.terminal.progress import progress
from satdoku.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a question may have to know of its run.

    options: how lines are read
    alone:   whether there is one puzzle in all
    many:    whether there are many lines of one puzzle each
    """

    options: Options
    alone: bool = False
    many: bool = False


def answer(
    make: Callable[[Context], Question],
    *,
    puzzles: list[str] | None,
    input: Input,
    many: Many,
    output: Output,
    timeout: float | None = None,
    known: Sequence[str] = (),
    expect: str | None = None,
    remark: str = "",
    **plan: Any,
) -> NoReturn:
    """Ask a question of the puzzles that the arguments name, and end with the status of the worst answer.

    make:   the question
    known:  the outcomes that --only may name
    expect: the column of solutions to compare with
    remark: what the summary ends with
    plan:   what is written, beyond what the options of `output` say
    """
    options, written = input.options(), output.plan(**plan)
    only = output.outcomes((*known, INVALID))
    found = opened(puzzles, options, None if input.column is None else Columns(input.column, expect))
    context = Context(options=options, alone=found.alone, many=found.many)
    question = make(context)
    key = {"PUZZLES": " ".join(named(puzzles)), **input.key(), **output.key()} | (
        {"--expect": expect} if expect else {}
    )
    task = Task(question=question, options=options, layouts=(), only=only, alone=found.alone)
    read = [*named(puzzles), *([] if input.board is None else [input.board])]
    run(
        task, found.chunks, plan=written, many=many, output=output, timeout=timeout, key=key, inputs=read, remark=remark
    )


def run(
    task: Task,
    chunks: Iterator[Chunk],
    *,
    plan: Plan,
    many: Many,
    output: Output,
    timeout: float | None,
    key: Mapping[str, str],
    inputs: Sequence[str] = (),
    remark: str = "",
) -> NoReturn:
    """Run a question, say the summary, and end with the status of the worst answer.

    task:   without its layouts, which follow from the plan
    key:    what --resume compares beyond the question
    inputs: files that are read
    """
    question, style = task.question, output.style(task.alone)
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
            if outputs.total.figures and not broken:
                engines = f"; {outputs.total.engines()}" if many.verbose else ""
                summary = question.summary(outputs.total, style)
                if summary:
                    say(summary + remark + engines)
            if interrupted and not task.alone:
                resume = (
                    "the same command with --resume goes on"
                    if outputs.resumable
                    else "with -o FILE a run can be resumed"
                )
                say(f"stopped after {outputs.total.lines} lines of input; {resume}")
    raise typer.Exit(total.status)
