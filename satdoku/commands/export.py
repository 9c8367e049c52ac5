"""`satdoku export`: a puzzle's constraints for another tool."""

import sys
from dataclasses import MISSING, dataclass
from pathlib import Path

from satdoku import exports
from satdoku.batch.files import write_whole
from satdoku.batch.outputs import check_outputs
from satdoku.commands import Command
from satdoku.commands.options import OUTPUT, Engine, OutputFile, Reading, argument, completion, composed, option
from satdoku.commands.puzzles import once, shown, single, text_of
from satdoku.constraints import Grid
from satdoku.errors import FormatError, InputError
from satdoku.exports import blocked
from satdoku.puzzle import Puzzle

SUFFIXES = {".cnf": "dimacs", ".dimacs": "dimacs", ".opb": "opb", ".mzn": "minizinc", ".lp": "asp", ".pb.txt": "cpsat"}
"""Suffixes of files that name a target; `.lp` is clingo's, and CPLEX's LP needs --to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    puzzle: str = argument("A file of one puzzle, FILE:LINE, a puzzle as text, or -.", default=MISSING)
    to: str | None = option(
        OUTPUT,
        "dimacs (the default), cpsat, opb, minizinc, asp, lp or exact-cover.",
        autocompletion=completion(lambda: exports.targets()),
    )
    output: OutputFile = None
    block: list[str] | None = option(OUTPUT, "A file of solutions to exclude, as solve prints them.")
    map: Path | None = option(OUTPUT, "A file for the meaning of the variables, as JSON.")


@composed
def command(reading: Reading, engine: Engine, own: Options) -> None:
    """Write a puzzle's constraints for another tool.

    Exit status: 0 written, 2 invalid input, or a puzzle that the target cannot take.
    """
    from satdoku.exports import names

    if engine.backend is not None:
        raise InputError("export asks no backend: leave out --backend")
    encoding = engine.encoding_name()
    target = _target(own.to, own.output)
    exports.find(target, encoding)
    written = [(name, path) for name, path in (("--output", own.output), ("--map", own.map)) if path is not None]
    check_outputs(written, [own.puzzle, *(own.block or [])])
    chosen = single(own.puzzle, reading.options())
    excluded = _grids(own.block or [], chosen, own.puzzle)
    meaning = exports.variable_map(chosen, target, encoding, excluded) if own.map is not None else None
    pieces = exports.export(chosen, target, encoding, excluded)
    if own.output is None:
        sys.stdout.writelines(pieces)
    else:
        write_whole(own.output, (piece.encode() for piece in pieces))
    if own.map is not None and meaning is not None:
        write_whole(own.map, names.to_json(meaning).encode())


def _target(to: str | None, output: Path | None) -> str:
    """The target of --to, or the one that the suffix of the file names; raises InputError if these differ."""
    named = next((name for suffix, name in SUFFIXES.items() if output and output.name.lower().endswith(suffix)), None)
    if to is not None and named is not None and to != named and not (to == "lp" and named == "asp"):
        raise InputError(f"--to {to} and --output {output} name different targets: change one of them")
    return to or named or exports.DEFAULT


def _grids(files: list[str], puzzle: Puzzle, argument: str) -> list[Grid]:
    """The solutions of `puzzle` in some files; raises InputError, with its place, for what is not one."""
    once(argument, *files)
    found: list[Grid] = []
    for file in files:
        text = text_of(file)
        try:
            found += blocked.read(text, puzzle)
        except FormatError as error:
            raise error.at(shown(file), text) from None
    return found


COMMANDS = (Command(name="export", function=command, order=100),)
