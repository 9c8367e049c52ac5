"""Puzzles as texts, pictures and certificates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack

from satdoku import formats
from satdoku.api.sessions import opened
from satdoku.backends import Backend, Budget, Engine
from satdoku.constraints import Grid
from satdoku.errors import Refused, TooSlow, unknown
from satdoku.formats import Format
from satdoku.inputs.programs import (
    ReadingOptions,
    Source,
    as_puzzle,
    options_of,
    read_with,
    read_within,
    shows_reading_options,
)
from satdoku.outcome import CertificateKind
from satdoku.puzzle import Puzzle
from satdoku.referee import whole_numbers
from satdoku.system.files import write_whole
from satdoku.verdict import Verdict, validate

if TYPE_CHECKING:
    from satdoku.encoders.cnf import Encoding
    from satdoku.exports import Target
    from satdoku.proofs.certificate import Certificate
    from satdoku.proofs.verify import Verified

T = TypeVar("T")


def write(puzzle: Source, format: str | Format = "line", *, metadata: bool = True, shape: bool = True) -> str:
    """A puzzle as text.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        format: the name of a format, from `satdoku formats`, or a `satdoku.formats.Format` of your own.
        metadata: False leaves out title, author, rules, solution and what is not enforced where the format cannot hold
            them.
        shape: False leaves out the size, the values and that there are no boxes where the format does not say them;
            whoever reads the text has to name them.

    Returns:
        The text, without a line feed at its end.

    Raises:
        Refused: the format cannot hold the puzzle; it says what would be lost.
        InputError, TypeError: the format is unknown, or an argument cannot be read.

    Example:
        >>> satdoku.write([[1, 3, 0, 0], [0, 0, 3, 1], [3, 1, 0, 0], [0, 2, 1, 3]])
        '13....3131...213'
    """
    return formats.write(as_puzzle(puzzle), format, metadata=metadata, shape=shape)


@shows_reading_options
def convert(source: Source, to: str | Format = "line", **reading: Unpack[ReadingOptions]) -> str:
    """A text in one format as a text in another.

    Parameters:
        source: a text in any format, or what else `read` takes, or a Puzzle.
        to: the format to write, as for `write`.
        **reading: how to read it: `format`, `size`, `values`, `box`, `alphabet`, `entered`, `empty`, `drawn` and
            `strict`, as of `read`.

    Returns:
        The text, without a line feed at its end.

    Raises:
        Refused: the format cannot hold the puzzle.
        InputError, TypeError: the format is unknown, or an argument cannot be read.

    Example:
        >>> satdoku.convert("13....3131...213", "grid").splitlines()[:2]
        ['1 3 | . .', '. . | 3 1']
    """
    if isinstance(source, Puzzle):
        return write(source, to)
    return write(read_with(source, options_of(**reading)), to)


def export(
    puzzle: Source, to: str | Target = "dimacs", *, encoding: str | Encoding | None = None, exclude: Sequence[Grid] = ()
) -> str:
    """A puzzle's constraints as a text for another tool.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        to: dimacs, wcnf, cpsat, opb, lp, mps, minizinc, xcsp, smt, asp or exact-cover; or a `satdoku.exports.Target`
            of your own.
        encoding: for dimacs and wcnf, as for `cnf`; None for the usual one.
        exclude: grids that are no longer solutions of the text.

    Returns:
        The text. `satdoku.exports.export` gives it in pieces, for boards whose text is large.

    Raises:
        Refused: the target cannot take the puzzle or the encoding.
        InputError, TypeError: the target or encoding is unknown, or an argument cannot be read.

    Example:
        >>> text = satdoku.export("13....3131...213")
        >>> [line for line in text.splitlines() if line.startswith("p ")]
        ['p cnf 64 457']
    """
    from satdoku import exports

    excluded = tuple(map(whole_numbers, _several(exclude, "exclude", "grids")))
    return "".join(exports.export(as_puzzle(puzzle), to, encoding, excluded))


def render(
    puzzle: Source,
    path: str | PathLike[str] | None = None,
    *,
    format: str | None = None,
    grid: Grid | None = None,
    candidates: tuple[int, ...] | None = None,
    heat: Sequence[Sequence[float]] | None = None,
    title: str | None = None,
    notes: Sequence[str] = (),
    rules: bool = False,
    cell: float | None = None,
) -> bytes:
    """The picture of a puzzle.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        path: the file to write, if any.
        format: svg, png or pdf; None takes the suffix of the path, else svg.
        grid: values to draw in a second ink, such as the solution; 0 where none is drawn.
        candidates: for each cell the values to draw small, bit v set for value v, as in `candidates(...).possible`.
        heat: for each cell the part of the solutions with each value, as in `candidates(puzzle, limit=None).shares`;
            the greater, the stronger its colour.
        title: what stands above; None takes the title of the puzzle.
        notes: sentences below.
        rules: whether to write below what each kind of mark means.
        cell: the side of a cell in millimetres.

    Returns:
        The bytes of the picture; the same puzzle gives the same bytes.

    Raises:
        ValueError: the format is unknown.
        InputError, TypeError: an argument cannot be read, the suffix names no format, or matplotlib is missing.

    Example:
        >>> puzzle = satdoku.read(".1.4....1....43.")
        >>> satdoku.render(puzzle, format="png", grid=satdoku.solve(puzzle).grid)[1:4]
        b'PNG'
    """
    from satdoku.pictures import Picture, alone, format_of, image
    from satdoku.pictures.canvas import FORMATS

    puzzle = as_puzzle(puzzle)
    file = None if path is None else _path(path)
    chosen = format_of(file) if format is None else _name(format, "format")
    if chosen not in FORMATS:
        raise ValueError(f"format is {chosen!r}: expected {', '.join(FORMATS)}")
    for what, value in (("candidates", candidates), ("heat", heat)):
        if value is not None and (isinstance(value, str) or not isinstance(value, Sequence)):
            raise TypeError(f"{what} is {value!r}: expected a list, with one entry for each cell")
    if isinstance(cell, bool) or not isinstance(cell, int | float | None):
        raise TypeError(f"cell is {cell!r}: expected a number of millimetres")
    heading = puzzle.title if title is None else _name(title, "title", "a text")
    grid = None if grid is None else whole_numbers(grid)
    sentences = tuple(_several(notes, "notes", "texts"))
    picture = Picture(puzzle, grid=grid, candidates=candidates, heat=heat, title=heading, notes=sentences, rules=rules)
    data = image(alone(picture, cell), chosen)
    if file is not None:
        write_whole(file, data)
    return data


def certify(
    puzzle: Source,
    folder: str | PathLike[str] | None = None,
    *,
    of: str = "verdict",
    backend: str | Engine | Backend | None = None,
    checker: str = "drat",
    timeout: float | None = None,
) -> Certificate | None:
    """Decide a puzzle, and give what the verdict rests on for others to check.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        folder: a new folder to write the certificate into; None writes none.
        of: "verdict"; "minimal", that no given can be left out, or "minimal-marks", no mark either; "candidates",
            the values of each cell that occur in some solution; "count", the number of solutions up to 10,000.
        backend: one that writes proofs, by its name, or as a `satdoku.backends.Engine` of your own; None picks one.
        checker: what checks the proof before it is given, by its name in docs/certificates.md.
        timeout: seconds for each search and for the proof.

    Returns:
        The certificate, already checked; None if the timeout came first.

    Raises:
        Refused: the board has no certificates, the backend writes no proofs, or what `of` names does not hold.
        BackendError: the proof does not check.
        InputError, TypeError: an argument cannot be read, or the folder is not empty.

    Example:
        >>> satdoku.certify(".1.4....1....43.").claim.value
        'unique'
    """
    from satdoku import certifier
    from satdoku.proofs import certificate as files

    validate(Budget(2, timeout))
    try:
        puzzle, timeout = read_within(puzzle, timeout)
    except TooSlow:
        return None
    new = None if folder is None else _path(folder)
    if new is not None:
        files.vacant(new)
    prover = certifier.Certifier(backend, _name(checker, "checker"))
    asked = next((one for one in CertificateKind if one.value == of), None)
    if asked is None:
        raise unknown("of", _name(of, "of"), [one.value for one in CertificateKind])
    with opened(backend) as session:
        certificate = prover.answer(session, puzzle, asked, timeout)
    if isinstance(certificate, certifier.NoCertificate):
        if certificate.verdict == Verdict.UNDECIDED.value:
            return None
        raise Refused(f"{puzzle.name}: {certificate.why}")
    if new is not None:
        files.save(files.files(certificate, certifier.versions(certificate.prover)), new)
    return certificate


def verify(
    source: Certificate | str | PathLike[str], *, checker: str = "drat", timeout: float | None = None
) -> Iterator[Verified]:
    """Whether certificates show what they claim; only the text of their puzzles is trusted.

    Parameters:
        source: a folder of `certify`, a file of `satdoku check --proofs`, or a Certificate.
        checker: what checks proofs, by its name in docs/certificates.md.
        timeout: seconds to verify each certificate, 20,000 if omitted; after that it is undecided.

    Returns:
        An iterator with one `Verified` for each certificate. Its `outcome` is "holds", "refused" or "undecided"; its
        `fault` says why it does not hold.

    Raises:
        InputError, TypeError: there is no such folder, file or checker, or it holds no certificates; or the checker
            cannot be stopped and there is a timeout.

    Example:
        >>> [verified] = satdoku.verify(satdoku.certify(".1.4....1....43."))
        >>> verified.outcome
        'holds'
    """
    from satdoku.proofs import verify as proofs
    from satdoku.proofs.certificate import Certificate
    from satdoku.proofs.checkers import find

    validate(Budget(timeout=timeout))
    opened = find(_name(checker, "checker")).open(timeout)
    if not isinstance(source, Certificate):
        return proofs.verify(_path(source), opened)
    return iter((proofs.verified_by(opened, source.puzzle.name, lambda: (source, None)),))


def _path(path: object) -> Path:
    if not isinstance(path, str | PathLike):
        raise TypeError(f"{path!r} is of type {type(path).__name__}: expected a path, as text or pathlib.Path")
    return Path(fspath(path))


def _name(name: object, what: str, wanted: str = "a name") -> str:
    if not isinstance(name, str):
        raise TypeError(f"{what} is {name!r}: expected {wanted}")
    return name


def _several(things: Iterable[T], what: str, wanted: str) -> Iterable[T]:
    if isinstance(things, str) or not isinstance(things, Iterable):
        raise TypeError(f"{what} is {things!r}: expected a list of {wanted}")
    return things
