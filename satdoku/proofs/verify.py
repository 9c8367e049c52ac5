"""Whether a certificate shows what it claims. Of the puzzle's text alone is anything taken for granted."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from time import monotonic
from typing import IO

from satdoku.constraints import Grid
from satdoku.errors import CertificateError, InputError, PuzzleError
from satdoku.inputs import streams
from satdoku.limits import TimeIsUp, bounded_time, check_time
from satdoku.proofs.certificate import (
    FILES,
    FORMULA,
    GRIDS,
    MAX_RECORD,
    WITNESSES,
    Certificate,
    Claim,
    of_record,
    opened,
)
from satdoku.proofs.checkers import Checker
from satdoku.puzzle import Puzzle
from satdoku.referee import violations
from satdoku.variants import BOARD, build, kinds, mark_label

HOLDS, REFUSED, UNDECIDED, INVALID = "holds", "refused", "undecided", "invalid"
MAX_STRANGE = 100  # lines in a row that are not certificates, after which a file is taken for something else


@dataclass(frozen=True, slots=True)
class Verified:
    """What became of a certificate.

    name:        the folder, or FILE:LINE of a record
    certificate: None if it could not be read
    outcome:     "holds", "refused", "undecided" where it was not verified in the time, or "invalid" where there is no
                 certificate to verify
    fault:       why it does not hold; None if it does
    seconds:     what verifying it took
    """

    name: str
    certificate: Certificate | None
    outcome: str
    fault: str | None
    seconds: float = 0.0


def verify_all(paths: Iterable[Path], checker: Checker) -> Iterator[Verified]:
    """Verify what folders and files hold. What cannot be read or is not a certificate does not end it."""
    for path in paths:
        try:
            yield from verify(path, checker)
        except InputError as error:
            yield Verified(str(path), None, INVALID, str(error))


def verify(path: Path, checker: Checker) -> Iterator[Verified]:
    """Verify the certificate in a folder, or each record of a file; raises InputError for what cannot be read or is
    neither."""
    if path.is_dir():
        yield verified_by(checker, str(path), partial(opened, path))
        return
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InputError(f"{path}: no such folder or file of certificates") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    with raw:
        strange = 0
        for number, line in enumerate(_lines(streams.plain(raw), str(path)), 1):
            verified = verified_by(checker, f"{path}:{number}", partial(_of_line, line))
            yield verified
            strange = strange + 1 if verified.certificate is None else 0
            if strange == MAX_STRANGE:
                raise InputError(f"{path}: {MAX_STRANGE} lines in a row are not certificates; the rest was not read")


def verified_by(checker: Checker, name: str, read: Callable[[], tuple[Certificate, str | None]]) -> Verified:
    """What became of the certificate of that name, in the checker's seconds for all of it.

    read: gives it, with the formula that lies beside it, where one does; raises CertificateError for what is none
    """
    certificate, outcome, fault, started = None, HOLDS, None, monotonic()
    try:
        with bounded_time(checker.timeout):
            certificate, text = read()
            examine(certificate, checker, text)
    except CertificateError as error:
        outcome, fault = REFUSED, str(error)
    except TimeIsUp:
        outcome, fault = UNDECIDED, f"it was not verified in {checker.timeout:g} s"
    return Verified(name, certificate, outcome, fault, monotonic() - started)


def _of_line(line: bytes) -> tuple[Certificate, None]:
    return of_record(line), None


def _lines(stream: IO[bytes], origin: str) -> Iterator[bytes]:
    """Raises InputError for a stream that is damaged or empty, or that has a line too long to be a certificate."""
    number = 0
    try:
        while line := stream.readline(MAX_RECORD + 1):
            number += 1
            if len(line) > MAX_RECORD:
                raise InputError(f"{origin}, line {number}: over {MAX_RECORD} bytes, expected a certificate a line")
            yield line
    except streams.DAMAGED as error:
        raise InputError(f"{origin} is damaged: {error}") from None
    if not number:
        raise InputError(f"{origin} is empty, expected certificates")


def examine(certificate: Certificate, checker: Checker, text: str | None = None) -> None:
    """Raise CertificateError, saying what is wrong, unless the certificate shows what it claims; TimeIsUp.

    text: the formula that lies beside it, where one does
    """
    seen = set[Grid]()
    for number, grid in enumerate(certificate.grids, 1):
        check_time()
        fault = next(violations(certificate.puzzle, grid), "it is there twice" if grid in seen else None)
        if fault:
            raise CertificateError(f"{GRIDS}, grid {number}: {fault}")
        seen.add(grid)
    if WITNESSES in FILES[certificate.claim]:
        _minimal(certificate)
    if certificate.proof is not None:
        refuted = certificate.formula
        if text is not None and text != refuted.text():
            raise CertificateError(_difference(text, refuted.text()))
        checker.check(refuted, certificate.proof)


def relaxations(puzzle: Puzzle, marks: bool) -> Iterator[tuple[str, Puzzle]]:
    """What can be left out, and the puzzle without it: each given; with `marks` each mark too, but for regions, what
    gives cells a layer, and what others cannot be without."""
    board = puzzle.board
    for cell, value in enumerate(puzzle.givens):
        if value:
            left = tuple(board.every_value if at == cell else a for at, a in enumerate(puzzle.candidates))
            yield f"the given at {board.label(cell)}", replace(puzzle, candidates=left)
    for at, mark in enumerate(board.marks if marks else ()):
        if mark.kind not in BOARD and not kinds()[mark.kind].layer:
            with suppress(PuzzleError):
                yield (
                    mark_label(mark),
                    replace(puzzle, board=build(board.size, board.marks[:at] + board.marks[at + 1 :])),
                )


def _minimal(certificate: Certificate) -> None:
    """Without any one of what can be left out there is a grid beside the solution: the witness for it."""
    every = tuple(relaxations(certificate.puzzle, certificate.claim is Claim.MINIMAL_MARKS))
    if len(every) != len(certificate.witnesses):
        raise CertificateError(f"{WITNESSES}: {len(certificate.witnesses)} grids, expected {len(every)}")
    for (name, puzzle), grid in zip(every, certificate.witnesses, strict=True):
        check_time()
        fault = next(violations(puzzle, grid), None)
        if fault is None and grid in certificate.grids:
            fault = "it is the solution"
        if fault:
            raise CertificateError(f"{WITNESSES}, grid without {name}: {fault}")


def _difference(actual: str, expected: str) -> str:
    pairs = zip_longest(actual.splitlines(), expected.splitlines())
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            wrong = "ends" if one is None else f"has {one[:60]!r}"
            return f"{FORMULA}, line {number} {wrong}, expected {'its end' if other is None else repr(other[:60])}"
    return f"{FORMULA}: the same clauses, written otherwise"
