"""Certificates as text and as records."""

import json

from satdoku.batch.totals import plural
from satdoku.proofs.certificate import LINE, Certificate, text
from satdoku.proofs.verify import Verified
from satdoku.terminal.texts import SENTENCES, drawn, line
from satdoku.variants import describe


def made(certificate: Certificate, folder: str, checker: str) -> str:
    """What a certificate that was written claims, and what it rests on."""
    grids = "".join(f"\n\n{drawn(certificate.puzzle.board, grid)}" for grid in certificate.grids)
    by = f" by {certificate.prover}, checked by {checker}" if certificate.prover else ""
    return f"{SENTENCES[certificate.claim.value]}{grids}\n\ncertificate in {folder}: {_amount(certificate)}{by}"


def record(certificate: Certificate) -> dict[str, object]:
    puzzle, board = certificate.puzzle, certificate.puzzle.board
    fields: dict[str, object] = {"puzzle": puzzle.name, "givens": line(board, puzzle.givens)}
    format, stated = text(puzzle)
    if format != LINE:
        fields |= {"format": format, "text": stated}
    fields["claim"] = certificate.claim.value
    if certificate.proof is not None:
        fields |= {"prover": certificate.prover, "steps": _steps(certificate)}
    grids = [line(board, grid) for grid in certificate.grids]
    return fields | ({"solution": grids[0]} if len(grids) == 1 else {"solutions": grids} if grids else {})


def verified(each: Verified) -> str:
    """What one certificate that was verified shows, with its puzzle."""
    certificate = each.certificate
    if each.fault is not None or certificate is None:
        return f"refused: {each.fault}"
    puzzle = certificate.puzzle
    format, stated = text(puzzle)
    # A grid shows neither regions nor marks nor candidates; the text that states them does.
    asked = drawn(puzzle.board, puzzle.givens) if format == LINE else stated.strip()
    grids = "".join(f"\n\n{shown}" for shown in (asked, *(drawn(puzzle.board, grid) for grid in certificate.grids)))
    about = f"the certificate holds: {_amount(certificate)}, for {describe(puzzle)}"
    return f"{SENTENCES[certificate.claim.value]}{grids}\n\n{about}"


def verified_line(each: Verified) -> str:
    if each.fault is not None or each.certificate is None:
        return f"{each.name}\trefused: {each.fault}"
    puzzle = each.certificate.puzzle
    format, stated = text(puzzle)
    asked = stated if format == LINE else json.dumps(stated, ensure_ascii=False)
    return f"{each.name}\t{each.certificate.claim.value}\t{puzzle.name}\t{asked}"


def verified_record(each: Verified, checker: str) -> dict[str, object]:
    fields: dict[str, object] = {"certificate": each.name, "holds": each.fault is None}
    if each.certificate is not None:
        fields |= record(each.certificate)
    return fields | ({"checker": checker} if each.fault is None else {"reason": each.fault})


def _amount(certificate: Certificate) -> str:
    parts = [] if certificate.proof is None else [f"a proof of {plural(_steps(certificate), 'step')}"]
    if certificate.witnesses:
        parts.append(f"{len(certificate.witnesses)} second grids")
    return " and ".join(parts) or "two solutions"


def _steps(certificate: Certificate) -> int:
    return 0 if certificate.proof is None else int((certificate.proof == 0).sum())
