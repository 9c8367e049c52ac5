"""`satdoku export`: a puzzle's constraints for another tool; `satdoku decode`: the grid in a SAT solver's answer."""

import json
import sys
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Annotated

import typer

from satdoku import exports
from satdoku.batch.files import distinct
from satdoku.batch.outputs import check_outputs, input_files
from satdoku.commands import options
from satdoku.commands.options import INPUT, OUTPUT, argument, completion, composed, option
from satdoku.commands.puzzles import once, raw, single, text_of
from satdoku.constraints import Grid
from satdoku.errors import FormatError, InputError, worst_status
from satdoku.exports import blocked
from satdoku.exports.answers import Status
from satdoku.formats import Options
from satdoku.formats.line import flat as line
from satdoku.inputs.items import place, source_name
from satdoku.inputs.sources import items
from satdoku.limits import MAX_CNF
from satdoku.puzzle import Puzzle
from satdoku.system.files import identity, write_whole
from satdoku.terminal.messages import say
from satdoku.terminal.texts import grid_drawing
from satdoku.words import plural

SUFFIXES = {
    ".cnf": "dimacs",
    ".dimacs": "dimacs",
    ".wcnf": "wcnf",
    ".opb": "opb",
    ".mps": "mps",
    ".mzn": "minizinc",
    ".smt2": "smt",
    ".xml": "xcsp",
    ".lp": "asp",
    ".pb.txt": "cpsat",
}
"""Suffixes of files that name a target; `.lp` is clingo's, and CPLEX's LP needs --to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    puzzle: str = argument(
        "A file of one puzzle, FILE:LINE, a puzzle as text, or -; any with --folder.", default=MISSING
    )
    to: str | None = option(
        OUTPUT,
        "dimacs (the default), wcnf, cpsat, opb, lp, mps, minizinc, xcsp, smt, asp or exact-cover.",
        autocompletion=completion(lambda: exports.targets().all()),
    )
    output: options.OutputPath = None
    folder: Path | None = option(
        OUTPUT, "A folder for a file of each puzzle, such as set-12.cnf of set.txt:12.", metavar="DIR"
    )
    block: list[str] | None = option(OUTPUT, "A file of solutions to exclude, as solve prints them.")
    map: Path | None = option(OUTPUT, "A file for the meaning of the variables, as JSON.")


@composed
def export(reading: options.FormatOptions, engine: options.EngineOptions, own: Exported) -> None:
    """Write a puzzle's constraints for another tool; with --folder of every puzzle.

    Exit status: 0 written, 2 invalid input, or a puzzle that the target cannot take.
    """
    if engine.backend is not None:
        raise InputError("export asks no backend: leave out --backend")
    encoding = engine.encoding_name()
    target = _target(own.to, own.output)
    exports.find(target, encoding)
    if own.folder is not None:
        if own.output is not None or own.block or own.map is not None:
            raise InputError("--folder writes a file for each puzzle: leave out --output, --block and --map")
        raise typer.Exit(_write_all(own.puzzle, reading.options(), own.folder, target, encoding))
    written = [(name, path) for name, path in (("--output", own.output), ("--map", own.map)) if path is not None]
    check_outputs(written, [own.puzzle, *(own.block or [])])
    chosen = single(own.puzzle, reading.options())
    excluded = _grids(own.block or [], chosen, own.puzzle)
    from satdoku.exports import names

    meaning = names.variable_map(chosen, target, encoding, excluded) if own.map is not None else None
    pieces = exports.export(chosen, target, encoding, excluded)
    if own.output is None:
        sys.stdout.writelines(pieces)
    else:
        write_whole(own.output, (piece.encode() for piece in pieces))
    if own.map is not None and meaning is not None:
        write_whole(own.map, names.to_json(meaning).encode())


def _write_all(argument: str, options: Options, folder: Path, target: str, encoding: str | None) -> int:
    """A file for each puzzle of an argument, named after its own and its line; returns the exit status of the worst."""
    usual = {name: suffix for suffix, name in reversed(SUFFIXES.items())} | {"lp": ".lp"}
    suffix = usual.get(target, ".txt")
    folder.mkdir(parents=True, exist_ok=True)
    written, status = set[Path](), 0
    read = list(map(identity, input_files(argument)))
    for item in items([argument], options):
        file, colon, line = item.name.rpartition(":")
        path = folder / f"{f'{Path(file).stem}-{line}' if colon else item.name.replace(' ', '-')}{suffix}"
        try:
            if isinstance(item.puzzle, InputError):
                raise item.puzzle
            assert item.puzzle is not None
            if path in written:
                raise InputError(f"{item.name}: {path} is another puzzle's; export its file alone")
            distinct([("--folder", path)], read)
            write_whole(path, (piece.encode() for piece in exports.export(item.puzzle, target, encoding)))
            written.add(path)
        except InputError as error:
            status = worst_status(status, say(str(error), error.status))
    say(f"{plural(len(written), 'file')} in {folder}")
    return status


def _target(to: str | None, output: Path | None) -> str:
    """The target of --to, or the one that the suffix of the file names; raises InputError if these differ."""
    named = next((name for suffix, name in SUFFIXES.items() if output and output.name.lower().endswith(suffix)), None)
    if to is not None and named is not None and to != named and not (to == "lp" and named == "asp"):
        raise InputError(f"--to {to} and --output {output} name different targets: change one of them")
    return to or named or exports.DEFAULT


def _grids(files: list[str], puzzle: Puzzle, argument: str) -> list[Grid]:
    """The solutions of `puzzle` in some files; raises InputError, with its place, for what is not one."""
    once(argument, *files)
    grids: list[Grid] = []
    for file in files:
        text = text_of(file)
        try:
            grids += blocked.read(text, puzzle)
        except FormatError as error:
            raise error.at(source_name(file), text) from None
    return grids


STATUS = {Status.SATISFIABLE: 0, Status.UNSATISFIABLE: 1, Status.UNKNOWN: 3}

SENTENCES = {
    Status.SATISFIABLE: None,
    Status.UNSATISFIABLE: "unsatisfiable: the solver says that no grid satisfies the clauses",
    Status.UNKNOWN: "undecided: the solver stopped without an answer",
}


@composed
def decode(
    cnf: Annotated[str, typer.Argument(help="The CNF that the solver read; or - for standard input.")],
    answer: Annotated[str, typer.Argument(help="What the solver wrote; or - for standard input.")],
    meaning: Annotated[
        str | None,
        typer.Option(
            "--map", help="What `export --map` wrote; needed if satdoku did not write the CNF.", rich_help_panel=INPUT
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """The grid in a SAT solver's answer, checked against the puzzle and every clause.

    Exit status: 0 a grid, 1 the answer says unsatisfiable, 2 invalid input or a wrong answer, 3 undecided.
    """
    from satdoku.exports.decode import decode
    from satdoku.exports.names import from_json

    once(cnf, answer, meaning)
    # The answer first: in a pipe it ends when the solver does, and the CNF beside it is complete by then.
    text = text_of(answer)
    try:
        names = None if meaning is None else from_json(text_of(meaning, MAX_CNF))
    except InputError as error:
        raise InputError(f"{source_name(meaning or '')}: {error}") from None
    decoded = decode(raw(cnf, MAX_CNF), text, names, (source_name(cnf), source_name(answer)))
    board, grid = decoded.puzzle.board, decoded.grid
    if as_json:
        record = {**place(decoded.puzzle.name), "answer": decoded.status.value}
        if grid is not None:
            record |= {"solution": line(board, grid), "refereed": decoded.refereed}
        print(json.dumps(record, ensure_ascii=False))
    else:
        note = SENTENCES[decoded.status]
        if grid is not None:
            print(grid_drawing(board, grid))
            note = None if decoded.refereed else "checked against the clauses alone: the puzzle's rules are not known"
        if note is not None:
            say(f"{decoded.puzzle.name}: {note}")
    raise typer.Exit(STATUS[decoded.status])
