"""Puzzles in the formats that commands write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from satdoku.errors import InputError, Refused
from satdoku.formats import Format, find, formats
from satdoku.inputs.rules import empty_puzzle
from satdoku.puzzle import Board

LINES = ("line", "jigsaw", "f-puzzles")
"""The formats that are tried, in this order, for several puzzles: they are read back one a line."""

ALONE, IN_JSON = ("grid", "toml"), (*LINES, "toml")

OWN_SUFFIXES = {".sdm": "sdm", ".sdk": "sdk", ".ss": "ss", ".toml": "toml"}
"""Suffixes of files that name a format."""


def format_for(board: Board, asked: str | None, json: bool, several: bool) -> Format:
    """The format to write in. Raises InputError for an unknown name, Refused where puzzles of the board do not fit."""
    empty, found = empty_puzzle(board), None
    for name in (asked,) if asked is not None else IN_JSON if json else LINES if several else ALONE:
        chosen = find(name)
        try:
            chosen.write(empty)
        except Refused:
            if asked is not None:
                raise
            continue
        if asked is not None or not chosen.unsaid(board):
            return chosen
        found = found or chosen
    if found is not None:
        return found
    raise Refused(
        "no format of one line holds these rules: make one puzzle, or take --json, or name a format, --to toml"
    )


def note(format: Format, board: Board) -> tuple[str, ...]:
    """How a text of the board is read back, where it does not say everything."""
    told = " ".join(f"--{name} {text}" for name, text in format.unsaid(board).items())
    return (f"the format {format.name} does not say what board this is: read it with {told}",) if told else ()


def named_format(to: str | None, paths: Sequence[Path] | None) -> str | None:
    """The format of --to, or the one that the suffix of a file names.

    Raises InputError if both name one and they differ.
    """
    found = {OWN_SUFFIXES[path.suffix.lower()]: path for path in paths or () if path.suffix.lower() in OWN_SUFFIXES}
    for name, path in found.items():
        if to is not None and to != name:
            raise InputError(f"--to {to} and --output {path} name different formats: change one of them")
        return name
    if to is not None:
        find(to)
    return to


def suffixes() -> frozenset[str]:
    """The suffixes that name a format which is there."""
    return frozenset(suffix for suffix, name in OWN_SUFFIXES.items() if name in formats())
