"""From the options of a command to a run: what every command that answers puzzles does."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any, NoReturn

import typer

from satdoku.batch import runner
from satdoku.batch.outputs import Outputs
from satdoku.batch.questions import INVALID, Question, key_of
from satdoku.batch.worker import BatchTask
from satdoku.commands.options import MANY, EngineOptions, Input, Many, Output, Puzzles, option
from satdoku.commands.puzzles import Opened, named, one_puzzle, opened
from satdoku.commands.shards import answer_each
from satdoku.errors import InputError
from satdoku.inputs.columns import Columns
from satdoku.inputs.streams import expanded
from satdoku.terminal.messages import say
from satdoku.terminal.progress import progress
from satdoku.version import __version__
from satdoku.words import plural


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    input: Input
    many: Many
    output: Output
    puzzles: Puzzles = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRun:
    input: Input
    engine: EngineOptions
    many: Many
    shards: str | None = option(
        MANY,
        "A folder, or a URL such as s3://bucket/folder: each file has an output of its own there.",
        metavar="FOLDER",
    )
    output: Output
    puzzles: Puzzles = None


def answer(
    question: Question,
    asked: Run | SearchRun,
    *,
    expect: str | None = None,
    keep: bool = False,
    stated: bool = False,
    remark: str = "",
    before: Sequence[str] = (),
    beside: Callable[[Opened], Opened] | None = None,
    inputs: Sequence[str] = (),
    **plan: Any,
) -> NoReturn:
    """Ask a question of the puzzles that the arguments name, and end with the status of the worst answer.

    Its fields `options`, `alone` and `header`, those that it has, are filled in from the input.

    expect: the column of solutions to compare with; keep: whether rows of tables come with all their columns
    stated: whether puzzles come with the solutions that a table has in a column `solution`
    before: files whose puzzles are asked about first, whole and with columns of their own, for a sink that knows them
    beside: what gives the puzzles something that stands in the files `inputs`
    remark: what the summary ends with; plan: what is written, beyond what the options of the output say
    """
    input, output = asked.input, asked.output
    if isinstance(asked, SearchRun) and asked.shards is not None:
        one = replace(asked, shards=None)
        if plan.get("proofs") is not None:
            raise InputError("--shards and --proofs: choose one")
        given = {"expect": expect, "keep": keep, "stated": stated, "remark": remark, "inputs": inputs, **plan}

        def shard(file: str, output: Output) -> NoReturn:
            answer(question, replace(one, puzzles=[file], output=output), **given)

        answer_each(asked.shards, named(asked.puzzles), output, asked.many.quiet, shard)
    options, only = input.options(question.timeout), output.outcomes((*question.outcomes, INVALID))
    names = named(asked.puzzles)
    column = input.column_of(names)
    if input.column is None and column is not None and not asked.many.quiet:
        unread = f"of the others only {expect!r} is read" if expect else "the others are not read"
        others = "" if keep or stated else f", and {unread}"
        say(f"the puzzles are in the column {column!r}{others}; --column names another")
    if column is None and expect is not None:
        raise InputError(f"{names[0]} is not a table: it has no column {expect!r}")
    columns = None if column is None else Columns(column, expect, keep, stated)
    puzzles = opened(names, options, columns, input.span())
    if before:
        both = set(before) & {file for name in names for file in expanded(name)}
        if both:
            raise InputError(f"{min(both)}: named twice, to be compared with itself; name another file")
        its_column = input.column_of(before)
        first = opened(list(before), options, None if its_column is None else Columns(its_column))
        puzzles = replace(puzzles, chunks=chain(first.chunks, puzzles.chunks), alone=False)
    puzzles = puzzles if beside is None else beside(puzzles)
    one_puzzle(output.output, puzzles.alone)
    followed: Any = question
    own = {each.name for each in fields(followed)} & {"options", "alone", "header"}
    filled = replace(followed, **{name: getattr(puzzles, name) for name in own})
    key = {"PUZZLES": " ".join(names), **key_of(input)}
    read = [*before, *names] if input.board is None else [*before, *names, input.board]
    run(filled, puzzles, asked.many, output, only=only, key=key, inputs=[*read, *inputs], remark=remark, **plan)


def run(
    question: Question,
    puzzles: Opened,
    many: Many,
    output: Output,
    *,
    only: frozenset[str],
    key: Mapping[str, str],
    inputs: Sequence[str],
    remark: str = "",
    **plan: Any,
) -> NoReturn:
    """Run a question, say the summary, and end with the status of the worst answer.

    only: the outcomes that are put out; empty for all
    key:  what --resume compares beyond the question and the output; inputs: files that are read
    """
    task = BatchTask(question=question, options=puzzles.options, layouts=(), only=only, alone=puzzles.alone)
    if output.ascii and (output.as_json or output.as_csv):
        raise InputError("--ascii is for grids as text: leave it out, or --json and --csv")
    written, style = output.plan(pictures=question.pictures, **plan), output.style(task.alone, many.verbose)
    compared = {"satdoku": __version__, **question.key(), **output.key(), **key}
    work = many.work(question.timeout if question.held else None)
    interrupted = broken = False
    with closing(Outputs(question, style, written, compared, inputs)) as outputs:
        try:
            with progress(task.alone or (outputs.to_terminal and sys.stdout.isatty())) as watcher:
                total = runner.run(task, puzzles.chunks, outputs, work, watcher)
        except OSError as error:
            broken = True  # nobody is reading, or nothing can be written: no summary either
            if outputs.resumable and not isinstance(error, BrokenPipeError):
                goes_on = "once it can be written, the same command with --resume goes on with it"
                say(f"{outputs.resumable} is unfinished: {goes_on}")
            raise
        except KeyboardInterrupt:
            interrupted = True
            raise
        finally:
            summary = "" if broken or not outputs.total.figures else question.summary(outputs.total, style)
            if summary and many.summary == "json":
                print(json.dumps(outputs.total.record()), file=sys.stderr)  # ASCII: standard error has any encoding
            elif summary and not many.quiet:
                say(summary + remark + (outputs.total.engines() if many.verbose else ""))
            if interrupted and not task.alone:
                goes_on = "; the same command with --resume goes on"
                how = goes_on if outputs.resumable else "; with -o FILE a run can be resumed"
                say(f"stopped after {plural(outputs.total.lines, 'line')} of input{how * (written.collect is None)}")
    raise typer.Exit(total.status)
