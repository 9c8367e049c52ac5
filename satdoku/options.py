"""Arguments and options of the command line that several files of commands share, as typer reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from satdoku import backends
from satdoku.formats import formats


def complete_backend(incomplete: str) -> Iterable[str]:
    """Names of backends that go on as typed, after the last comma."""
    done, comma, begun = incomplete.rpartition(",")
    return [done + comma + name for name in backends.engines() if name.startswith(begun)]


def complete_encoding(incomplete: str) -> Iterable[str]:
    """Names of encodings that go on as typed, after the last comma."""
    from satdoku.encoders.cnf import encodings

    done, comma, begun = incomplete.rpartition(",")
    return [done + comma + name for name in encodings() if name.startswith(begun)]


def complete_format(incomplete: str) -> Iterable[str]:
    """Names of formats that go on as typed."""
    return [name for name in formats() if name.startswith(incomplete)]


Puzzles = Annotated[
    list[str] | None,
    typer.Argument(help="Files, FILE:LINE, puzzles as text, or - for standard input.", show_default=False),
]
BoxShape = Annotated[str | None, typer.Option("--box", help="RxC: rows x columns of a box, such as 2x3.")]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="Read the text as this; see `satdoku formats`.", autocompletion=complete_format),
]
Alphabet = Annotated[
    str | None,
    typer.Option("--alphabet", help="The characters of 1..N where a cell above 9 is one: 1-9A-G, A-P, 0-F."),
]
Entered = Annotated[bool, typer.Option("--entered", help="Count digits that a solver entered as givens.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
