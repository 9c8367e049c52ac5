"""What `certify` and `verify` do and say."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from satdoku import certifier
from satdoku.backends import Budget
from satdoku.constraints import Grid
from satdoku.printing import CHECK_STATUS, Shown, drawn, line, sentence
from satdoku.proofs import certificate as papers
from satdoku.proofs.certificate import Certificate, Claim
from satdoku.proofs.checkers import find
from satdoku.proofs.drup import Numbers
from satdoku.proofs.verify import Verified, verify
from satdoku.puzzle import Puzzle
from satdoku.variants import describe
from satdoku.verdict import Outcome, Session, Verdict
from satdoku.version import __version__

SENTENCES = {
    Claim.UNIQUE: "unique: the puzzle has exactly one solution",
    Claim.MULTIPLE: "multiple: the puzzle has more than one solution, here are two",
    Claim.UNSOLVABLE: "unsolvable: the puzzle has no solution",
    Claim.MINIMAL: "minimal: the puzzle has exactly one solution, and more without any one given",
}

REFUSED = 1
"""The exit status of a certificate that does not hold."""


def certify(
    puzzle: Puzzle,
    folder: Path,
    *,
    backend: str | None = None,
    checker: str,
    timeout: float | None = None,
    minimal: bool = False,
    as_json: bool = False,
) -> Shown:
    """Decide a puzzle and write the certificate of its verdict into a new folder.

    Raises InputError if there is no room for it, Refused for a board or a backend without certificates.
    """
    papers.vacant(folder)
    prover = certifier.Certifier(backend, checker)
    prover.admit(puzzle)
    with Session(backend) as judge:
        outcome = judge.run(puzzle, Budget(2, timeout))
        witnesses: tuple[Grid, ...] | None = None
        if minimal:
            found = _witnesses(judge, puzzle, outcome, timeout)
            if isinstance(found, Shown):
                return found
            witnesses = found
    certificate = prover.certify(puzzle, outcome, timeout, witnesses)
    if certificate is None:
        return Shown(f"undecided: no certificate within {timeout:g} seconds", "", CHECK_STATUS[Verdict.UNDECIDED])
    papers.save(papers.files(certificate, certifier.versions(certificate.prover)), folder)
    return Shown(_json(certificate, folder) if as_json else _text(certificate, folder, checker), "", 0)


def _witnesses(judge: Session, puzzle: Puzzle, outcome: Outcome, timeout: float | None) -> tuple[Grid, ...] | Shown:
    """A second grid for each given, or why there are none."""
    if outcome.verdict is not Verdict.UNIQUE:
        return Shown(sentence(outcome.verdict, outcome), "", CHECK_STATUS[outcome.verdict])
    found = certifier.witnesses(judge, puzzle, outcome.grids[0], timeout)
    spare = [puzzle.board.label(cell) for cell, grid in found.items() if grid is None]
    if spare:
        return Shown(f"not minimal: it has one solution, too, without the given at {spare[0]}", "", 1)
    if len(found) < sum(map(bool, puzzle.givens)):
        return Shown("undecided: the search for second grids was stopped by its timeout", "", 3)
    return tuple(grid for grid in found.values() if grid is not None)


def _text(certificate: Certificate, folder: Path, checker: str) -> str:
    grids = "".join(f"\n\n{drawn(certificate.puzzle.board, grid)}" for grid in certificate.grids)
    rests = f"{_amount(certificate)}{f' by {certificate.prover}, checked by {checker}' if certificate.prover else ''}"
    return f"{SENTENCES[certificate.claim]}{grids}\n\ncertificate in {folder}: {rests}"


def _json(certificate: Certificate, folder: Path) -> str:
    return json.dumps({**_record(certificate), "certificate": str(folder)}, ensure_ascii=False)


def _amount(certificate: Certificate) -> str:
    """What a certificate consists of."""
    parts = []
    if certificate.proof is not None:
        steps = _steps(certificate.proof)
        parts.append(f"a proof of {steps} step{'' if steps == 1 else 's'}")
    if certificate.witnesses:
        parts.append(f"{len(certificate.witnesses)} second grids")
    return " and ".join(parts) or "two solutions"


def _steps(proof: Numbers) -> int:
    return int((proof == 0).sum())


def _record(certificate: Certificate) -> dict[str, Any]:
    puzzle, board = certificate.puzzle, certificate.puzzle.board
    fields: dict[str, Any] = {"puzzle": puzzle.name, "givens": line(board, puzzle.givens)}
    format, text = papers.text(puzzle)
    if format != papers.LINE:
        fields |= {"format": format, "text": text}
    fields["claim"] = certificate.claim.value
    if certificate.proof is not None:
        fields |= {"prover": certificate.prover, "steps": _steps(certificate.proof)}
    shown = [line(board, grid) for grid in certificate.grids]
    if len(shown) == 1:
        fields["solution"] = shown[0]
    elif shown:
        fields["solutions"] = shown
    return fields


def verified(paths: list[str], checker: str, as_json: bool = False) -> Iterator[Shown]:
    """Verify folders and files of records: a text for each certificate, and what was relied on aside.

    Raises InputError for a path that is no certificate.
    """
    row = find(checker)
    opened = row.open()
    count = refused = 0
    alone = len(paths) == 1 and Path(paths[0]).is_dir()
    for path in paths:
        for each in verify(Path(path), opened):
            count += 1
            refused += each.fault is not None
            text = _as_json(each, checker) if as_json else _alone(each) if alone else _in_line(each)
            yield Shown(text, "", REFUSED if each.fault else 0)
    relied = f"satdoku {__version__} (reader, referee, formula) and {row.told()}, on Python {sys.version.split()[0]}"
    if not alone:
        number = f"{count} certificate{'' if count == 1 else 's'}"
        yield Shown(None, "", 0, f"{number}: {count - refused} hold, {refused} refused")
    yield Shown(None, "", 0, f"relied on {relied}")


def _alone(each: Verified) -> str:
    certificate = each.certificate
    if each.fault is not None or certificate is None:
        return f"refused: {each.fault}"
    puzzle = certificate.puzzle
    format, text = papers.text(puzzle)
    # A grid shows neither regions nor rules nor candidates; the text that says them does.
    asked = drawn(puzzle.board, puzzle.givens) if format == papers.LINE else text.strip()
    grids = "".join(f"\n\n{shown}" for shown in (asked, *(drawn(puzzle.board, grid) for grid in certificate.grids)))
    about = f"the certificate holds: {_amount(certificate)}, for {describe(puzzle)}"
    return f"{SENTENCES[certificate.claim]}{grids}\n\n{about}"


def _in_line(each: Verified) -> str:
    if each.fault is not None or each.certificate is None:
        return f"{each.name}\trefused: {each.fault}"
    puzzle = each.certificate.puzzle
    format, text = papers.text(puzzle)
    asked = text if format == papers.LINE else json.dumps(text, ensure_ascii=False)
    return f"{each.name}\t{each.certificate.claim.value}\t{puzzle.name}\t{asked}"


def _as_json(each: Verified, checker: str) -> str:
    fields: dict[str, Any] = {"certificate": each.name, "holds": each.fault is None}
    if each.certificate is not None:
        fields |= _record(each.certificate)
    fields |= {"checker": checker} if each.fault is None else {"reason": each.fault}
    return json.dumps(fields, ensure_ascii=False)
