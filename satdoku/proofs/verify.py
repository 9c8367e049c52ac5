"""Whether a certificate shows what it claims. Of the puzzle's text alone is anything taken for granted."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import IO

from satdoku.errors import CertificateError, InputError
from satdoku.inputs import streams
from satdoku.proofs.certificate import FORMULA, GRIDS, MAX_BYTES, WITNESSES, Certificate, Claim, of_record, opened
from satdoku.proofs.checkers import Checker
from satdoku.puzzle import Puzzle
from satdoku.referee import violations

MAX_STRANGE = 100  # lines in a row that are not certificates, after which a file is taken for something else


@dataclass(frozen=True, slots=True)
class Verified:
    """What became of a certificate.

    name:        the folder, or FILE:LINE of a record
    certificate: None if it could not be read
    fault:       why it is refused; None if it holds
    """

    name: str
    certificate: Certificate | None
    fault: str | None


def verify(path: Path, checker: Checker) -> Iterator[Verified]:
    """Verify the certificate in a folder, or each record of a file; raises InputError for what is neither, OSError."""
    if path.is_dir():
        yield _verified(str(path), partial(opened, path), checker)
        return
    if not path.exists():
        raise InputError(f"{path}: no such folder or file of certificates")
    with path.open("rb") as raw:
        strange = 0
        for number, line in enumerate(_lines(streams.plain(raw), str(path)), 1):
            found = _verified(f"{path}:{number}", partial(_of_line, line), checker)
            yield found
            strange = strange + 1 if found.certificate is None else 0
            if strange == MAX_STRANGE:
                raise InputError(f"{path}: {MAX_STRANGE} lines in a row are not certificates; the rest was not read")


def _verified(name: str, read: Callable[[], tuple[Certificate, str | None]], checker: Checker) -> Verified:
    certificate = None
    try:
        certificate, text = read()
        examine(certificate, checker, text)
    except CertificateError as error:
        return Verified(name, certificate, str(error))
    return Verified(name, certificate, None)


def _of_line(line: bytes) -> tuple[Certificate, None]:
    return of_record(line), None


def _lines(stream: IO[bytes], origin: str) -> Iterator[bytes]:
    """Raises InputError for a stream that is damaged or empty, or that has a line too long to be a certificate."""
    number = 0
    try:
        while line := stream.readline(MAX_BYTES + 1):
            number += 1
            if len(line) > MAX_BYTES:
                raise InputError(f"{origin}, line {number}: over {MAX_BYTES} bytes, expected a certificate a line")
            yield line
    except streams.DAMAGED as error:
        raise InputError(f"{origin} is damaged: {error}") from None
    if not number:
        raise InputError(f"{origin} is empty, expected certificates")


def examine(certificate: Certificate, checker: Checker, text: str | None = None) -> None:
    """Raise CertificateError, saying what is wrong, unless the certificate shows what it claims.

    text: the formula that lies beside it, where one does
    """
    puzzle, grids = certificate.puzzle, certificate.grids
    for number, grid in enumerate(grids, 1):
        fault = next(violations(puzzle, grid), "it is there twice" if grid in grids[: number - 1] else None)
        if fault:
            raise CertificateError(f"{GRIDS}, grid {number}: {fault}")
    if certificate.claim is Claim.MINIMAL:
        _minimal(certificate)
    if certificate.proof is not None:
        refuted = certificate.formula
        if text is not None and text != refuted.text():
            raise CertificateError(_difference(text, refuted.text()))
        checker.check(refuted, certificate.proof)


def without(puzzle: Puzzle, cell: int) -> Puzzle:
    every = puzzle.board.every_value
    return replace(puzzle, candidates=tuple(every if at == cell else a for at, a in enumerate(puzzle.candidates)))


def _minimal(certificate: Certificate) -> None:
    """Without any one given there is a grid beside the solution: the witness for that given."""
    puzzle = certificate.puzzle
    given = [cell for cell, value in enumerate(puzzle.givens) if value]
    if len(given) != len(certificate.witnesses):
        raise CertificateError(f"{WITNESSES}: {len(certificate.witnesses)} grids for {len(given)} givens")
    for cell, grid in zip(given, certificate.witnesses, strict=True):
        fault = next(violations(without(puzzle, cell), grid), None)
        if fault is None and grid in certificate.grids:
            fault = "it is the solution"
        if fault:
            raise CertificateError(f"{WITNESSES}, grid for {puzzle.board.label(cell)}: {fault}")


def _difference(found: str, expected: str) -> str:
    pairs = zip_longest(found.splitlines(), expected.splitlines())
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            wrong = "ends" if one is None else f"has {one[:60]!r}"
            return f"{FORMULA}, line {number} {wrong}, expected {'its end' if other is None else repr(other[:60])}"
    return f"{FORMULA}: the same clauses, written otherwise"
