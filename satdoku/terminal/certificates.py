"""Certificates as text and as records."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from operator import or_

from satdoku.formats.line import flat as line
from satdoku.inputs.items import place
from satdoku.proofs.certificate import LINE, Certificate, Claim, text
from satdoku.proofs.drup import length
from satdoku.proofs.verify import HOLDS, INVALID, UNDECIDED, Verified
from satdoku.puzzle import members
from satdoku.terminal.texts import SENTENCES, by_cell, grid_drawing, list_lines, sentence_lines
from satdoku.variants.summaries import describe
from satdoku.version import __version__
from satdoku.words import joined, plural


def made(certificate: Certificate, folder: str) -> str:
    """What a certificate that was written claims, and what it rests on."""
    duration = f" in {certificate.seconds:.2f} s" if certificate.seconds is not None else ""
    by = f" by {certificate.prover}{duration}, checked by {certificate.checker}" if certificate.prover else ""
    return "\n\n".join([*_shown(certificate), f"certificate in {folder}: {_amount(certificate)}{by}"])


def record(certificate: Certificate) -> dict[str, object]:
    puzzle, board = certificate.puzzle, certificate.puzzle.board
    name, stated = text(puzzle)
    fields = {**place(puzzle.name), "puzzle": stated, "format": name}
    fields["claim"] = certificate.claim.value
    if certificate.proof is not None:
        fields |= {"prover": certificate.prover, "steps": _steps(certificate), "bytes": length(certificate.proof)}
    fields |= {} if certificate.seconds is None else {"seconds": round(certificate.seconds, 6)}
    if certificate.claim is Claim.COUNT:
        return fields | {"count": len(certificate.grids)}
    if certificate.claim is Claim.CANDIDATES:
        values = enumerate(_candidates(certificate))
        return fields | {"candidates": {board.label(cell): list(map(board.shown, members(v))) for cell, v in values}}
    grids = [line(board, grid) for grid in certificate.grids]
    return fields | ({"solution": grids[0]} if len(grids) == 1 else {"solutions": grids} if grids else {})


def verified(each: Verified) -> str:
    """What one certificate that was verified shows, with its puzzle."""
    certificate = each.certificate
    if each.fault is not None or certificate is None:
        return f"{each.outcome}: {each.fault}"
    sentence, *grids = _shown(certificate)
    puzzle, (name, stated) = certificate.puzzle, text(certificate.puzzle)
    # A grid shows neither regions nor marks nor candidates; the text that states them does.
    asked = grid_drawing(puzzle.board, puzzle.givens) if name == LINE else stated.strip()
    about = f"the certificate holds: {_amount(certificate)}, for {describe(puzzle)}"
    return "\n\n".join([sentence, asked, *grids, about])


def explained(each: Verified, checker: str) -> str:
    """What a certificate proves about which puzzle, in sentences, and what one must believe."""
    certificate = each.certificate
    if certificate is None:
        return f"{each.name} is {each.outcome}, and proves nothing: {each.fault}"
    puzzle, board = certificate.puzzle, certificate.puzzle.board
    kinds = Counter(type(constraint).__name__ for constraint in board.constraints)
    rules = ", ".join(plural(count, name) for name, count in kinds.items())
    named = f"The puzzle is called {puzzle.name}: {describe(puzzle)}. Its constraints are {rules}."
    parts = [_wrapped(named), grid_drawing(board, puzzle.givens)]
    if text(puzzle)[0] != LINE:
        parts += ["This is all that it states:", text(puzzle)[1].strip()]
    if each.fault is not None:
        claim = f"{each.name} claims: {_shown(certificate)[0]}. It is {each.outcome}, and proves nothing: {each.fault}."
        return "\n\n".join([*parts, _wrapped(claim)])
    sentence, *grids = _shown(certificate)
    checked = f"{checker}; " if certificate.proof is not None else ""
    believed = f"""You must believe that the puzzle above is the one that you mean; the reader of its text, the referee
        and the formula of satdoku {__version__}; {checked}Python and this machine. You need not believe any solver, nor
        whoever made the certificate. docs/certificates.md says more."""
    proved = [f"{each.name} proves this:", sentence, *grids, *map(_wrapped, _why(each))]
    return "\n\n".join([*parts, *proved, _wrapped(believed)])


def _why(each: Verified) -> Iterator[str]:
    """What was checked, in sentences."""
    certificate = each.certificate
    assert certificate is not None
    grids, claim = len(certificate.grids), certificate.claim
    if grids == 1:
        yield "The grid has passed the referee, which looks at each cell and each rule."
    elif grids:
        yield f"Each of the {grids} grids has passed the referee, which looks at each cell and each rule; they differ."
    if certificate.witnesses:
        what = "given or mark" if claim is Claim.MINIMAL_MARKS else "given"
        yield f"For each {what} a grid other than the solution, which the puzzle allows without it, has passed too."
    if certificate.proof is not None:
        other = "a solution"
        if claim is Claim.CANDIDATES:
            other = "a solution with a value that is not named above"
        elif grids:
            other = f"a solution other than the {'one' if grids == 1 else grids} shown"
        formula = certificate.formula
        size = f"{plural(len(formula), 'clause')} over {formula.variables} variables"
        yield (
            f"That there is {other} was written as {size}, anew from the puzzle. {_proof(certificate).capitalize()}, "
            f"by {certificate.prover}, shows that no values satisfy them; the proof was checked. Verifying took "
            f"{each.seconds:.2f} s."
        )


def _wrapped(sentence: str) -> str:
    return "\n".join(sentence_lines(" ".join(sentence.split())))


def _shown(certificate: Certificate) -> list[str]:
    """The claim, and what it shows."""
    board, claim = certificate.puzzle.board, certificate.claim
    sentence = SENTENCES[claim.value]
    if claim is Claim.CANDIDATES:
        return [sentence, "\n".join(list_lines("", by_cell(board, _candidates(certificate)))) or "no value of any cell"]
    grids = certificate.grids[:2]
    return [
        sentence + str(len(certificate.grids)) * (claim is Claim.COUNT),
        *(grid_drawing(board, grid) for grid in grids),
    ]


def _candidates(certificate: Certificate) -> list[int]:
    """The values of each cell in the grids that are shown."""
    cells = range(certificate.puzzle.board.cells)
    return [reduce(or_, (1 << grid[cell] for grid in certificate.grids), 0) for cell in cells]


def verified_line(each: Verified) -> str:
    if each.fault is not None or each.certificate is None:
        return f"{each.name}\t{each.outcome}: {each.fault}"
    puzzle = each.certificate.puzzle
    name, stated = text(puzzle)
    asked = stated if name == LINE else json.dumps(stated, ensure_ascii=False)
    return f"{each.name}\t{each.certificate.claim.value}\t{puzzle.name}\t{asked}"


def verified_record(each: Verified, checker: str) -> dict[str, object]:
    fields: dict[str, object] = {
        "certificate": each.name,
        "holds": None if each.outcome == UNDECIDED else each.outcome == HOLDS,
    }
    if each.certificate is not None:
        fields |= record(each.certificate)
    if each.fault is None:
        return fields | {"checker": checker}
    return fields | {"error" if each.outcome == INVALID else "reason": each.fault}


def _amount(certificate: Certificate) -> str:
    parts = [] if certificate.proof is None else [_proof(certificate)]
    if certificate.claim in (Claim.CANDIDATES, Claim.COUNT):
        parts.append(plural(len(certificate.grids), "grid"))
    if certificate.witnesses:
        parts.append(plural(len(certificate.witnesses), "second grid"))
    return joined(parts) or "two solutions"


def _proof(certificate: Certificate) -> str:
    assert certificate.proof is not None
    return f"a proof of {plural(_steps(certificate), 'step')} ({length(certificate.proof)} bytes)"


def _steps(certificate: Certificate) -> int:
    return 0 if certificate.proof is None else int((certificate.proof == 0).sum())
