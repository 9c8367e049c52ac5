"""A certificate, and its two forms: a folder of files with a manifest, and a record, one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from satdoku.constraints import Grid
from satdoku.errors import CertificateError, InputError, Refused
from satdoku.formats import Options, detect, write
from satdoku.formats.line import flat
from satdoku.proofs import drup
from satdoku.proofs.drup import Numbers
from satdoku.proofs.formula import ENCODING, Formula, formula, refusal
from satdoku.puzzle import Board, Puzzle, only
from satdoku.version import __version__


class Claim(Enum):
    """What a certificate says of its puzzle; minimal: unique, and not so without any one of its givens."""

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNSOLVABLE = "unsolvable"
    MINIMAL = "minimal"


PUZZLE, GRIDS, FORMULA, PROOF, WITNESSES = "puzzle.txt", "grids.txt", "formula.cnf", "proof.drup", "witnesses.txt"
MANIFEST = "manifest.json"

FILES = {
    Claim.UNIQUE: (PUZZLE, GRIDS, FORMULA, PROOF),
    Claim.MULTIPLE: (PUZZLE, GRIDS),
    Claim.UNSOLVABLE: (PUZZLE, FORMULA, PROOF),
    Claim.MINIMAL: (PUZZLE, GRIDS, WITNESSES, FORMULA, PROOF),
}
"""What is in the folder of each claim, besides the manifest."""

SOLUTIONS = {Claim.UNIQUE: 1, Claim.MULTIPLE: 2, Claim.UNSOLVABLE: 0, Claim.MINIMAL: 1}
"""How many grids each claim shows."""

FORMATS = LINE, TOML = "line", "toml"
"""How puzzles are written in certificates."""

VERSION = 1


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a claim rests on; nothing of it is known to hold.

    grids:     the solution, or two
    proof:     that there is no other; None where two grids say all
    witnesses: for each given, in their order, a second grid that keeps all the others
    prover:    the backend that wrote the proof
    """

    claim: Claim
    puzzle: Puzzle
    grids: tuple[Grid, ...] = ()
    proof: Numbers | None = None
    witnesses: tuple[Grid, ...] = ()
    prover: str | None = None

    @property
    def formula(self) -> Formula:
        """What the proof refutes: the puzzle and, if a grid is shown, that it is another."""
        return formula(self.puzzle, self.grids[0] if self.grids else None)


def files(certificate: Certificate, versions: Mapping[str, str]) -> dict[str, str]:
    """The files of a certificate by their names, the manifest included.

    versions: of what was at work, for the manifest
    Raises Refused for a puzzle that no text of ours can hold.
    """
    format, texts = _texts(certificate)
    manifest = {"certificate": VERSION, **_head(certificate, format)}
    if certificate.proof is not None:
        refuted = certificate.formula
        texts[FORMULA] = refuted.text()
        manifest["encoding"] = _encoding(refuted)
    texts = {name: texts[name] for name in FILES[certificate.claim]}
    manifest["versions"] = {"satdoku": __version__, **versions}
    manifest["sha256"] = {name: _digest(text.encode()) for name, text in texts.items()}
    return {**texts, MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"}


def save(texts: Mapping[str, str], folder: Path) -> None:
    """Write the files into a new folder, the manifest last. Raises InputError if there is something in it."""
    vacant(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        folder.joinpath(name).write_bytes(text.encode())


def vacant(folder: Path) -> None:
    """Raise InputError unless there is room for a new folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: there is something already; name a new folder")


def opened(folder: Path) -> tuple[Certificate, str | None]:
    """The certificate in a folder, and the text of its formula if it has one.

    Raises InputError if there is none, CertificateError for what is missing, changed or cannot be read.
    """
    try:
        manifest = _object(folder.joinpath(MANIFEST).read_bytes(), MANIFEST)
    except FileNotFoundError:
        raise InputError(f"{folder}: no certificate: it has no {MANIFEST}") from None
    if manifest.get("certificate") != VERSION:
        raise CertificateError(f"{MANIFEST}: certificate {manifest.get('certificate')!r}, expected {VERSION}")
    claim = _claim(manifest)
    texts = _unchanged(folder, claim, manifest.get("sha256"))
    certificate = _read(claim, manifest, texts)
    if certificate.proof is not None and manifest.get("encoding") != _encoding(certificate.formula):
        raise CertificateError(f"{MANIFEST}: the encoding is not {json.dumps(_encoding(certificate.formula))}")
    return certificate, texts.get(FORMULA)


def record(certificate: Certificate) -> str:
    """A certificate as a line of JSON; its formula follows from the puzzle. Raises as `files`."""
    format, texts = _texts(certificate)
    shown = {PUZZLE: texts.pop(PUZZLE).rstrip("\n"), **{name: " ".join(text.split()) for name, text in texts.items()}}
    fields = _head(certificate, format)
    fields |= {_key(name): shown[name] for name in FILES[certificate.claim] if name != FORMULA}
    return json.dumps(fields, ensure_ascii=False)


def of_record(line: bytes) -> Certificate:
    """The certificate on a line. Raises CertificateError for what is none."""
    fields = _object(line, "the record")
    claim = _claim(fields)
    return _read(claim, fields, {name: fields.get(_key(name)) for name in FILES[claim] if name != FORMULA})


def _key(name: str) -> str:
    return name.partition(".")[0]


def _head(certificate: Certificate, format: str) -> dict[str, Any]:
    head = {"claim": certificate.claim.value, "name": certificate.puzzle.name, "format": format}
    return head if certificate.prover is None else {**head, "prover": certificate.prover}


def _texts(certificate: Certificate) -> tuple[str, dict[str, str]]:
    """The format of the puzzle's text, and all texts but the formula's."""
    format, written = text(certificate.puzzle)
    size = certificate.puzzle.board.values
    return format, {
        PUZZLE: f"{written}\n",
        GRIDS: "".join(f"{flat(grid, size)}\n" for grid in certificate.grids),
        WITNESSES: "".join(f"{flat(grid, size)}\n" for grid in certificate.witnesses),
        PROOF: "" if certificate.proof is None else drup.lines(certificate.proof),
    }


def text(puzzle: Puzzle) -> tuple[str, str]:
    """The puzzle in the first format that holds it: the format's name, and the text."""
    every = puzzle.board.every_value
    if _fits_line(puzzle.board) and all(allowed == every or only(allowed) for allowed in puzzle.candidates):
        return LINE, flat(puzzle.givens, puzzle.board.values)
    return TOML, write(puzzle, TOML)


@lru_cache(maxsize=4)
def _fits_line(board: Board) -> bool:
    """Whether a line can hold this board; a board of a million puzzles is looked at once."""
    try:
        write(Puzzle(board, (board.every_value,) * board.cells), LINE)
    except Refused:
        return False
    return True


def _encoding(refuted: Formula) -> dict[str, Any]:
    return {"name": ENCODING, "variables": refuted.variables, "clauses": len(refuted)}


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _object(data: bytes, name: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise CertificateError(f"{name} is no JSON") from None
    if not isinstance(found, dict):
        raise CertificateError(f"{name} is no JSON object")
    return found


def _claim(fields: Mapping[str, Any]) -> Claim:
    try:
        return Claim(fields.get("claim"))
    except ValueError:
        known = ", ".join(claim.value for claim in Claim)
        raise CertificateError(f"the claim is {fields.get('claim')!r}, expected one of {known}") from None


def _unchanged(folder: Path, claim: Claim, digests: object) -> dict[str, str]:
    """The files of a folder; raises CertificateError unless they are those of the claim, with these hashes."""
    if not isinstance(digests, dict) or set(digests) != set(FILES[claim]):
        raise CertificateError(f"{MANIFEST}: expected hashes of {', '.join(FILES[claim])}, for the claim {claim.value}")
    texts = {}
    for name in FILES[claim]:
        try:
            data = folder.joinpath(name).read_bytes()
            texts[name] = data.decode()
        except FileNotFoundError:
            raise CertificateError(f"{name} is missing") from None
        except UnicodeDecodeError:
            raise CertificateError(f"{name} is no text") from None
        if _digest(data) != digests[name]:
            raise CertificateError(f"{name} has been changed: its hash is not that of the manifest")
    return texts


def _read(claim: Claim, fields: Mapping[str, Any], texts: Mapping[str, Any]) -> Certificate:
    """A certificate from its texts; raises CertificateError for one that cannot be read."""
    stray = next((name for name, text in texts.items() if not isinstance(text, str)), None)
    if stray is not None:
        raise CertificateError(f"no {_key(stray)}, which the claim {claim.value} has")
    puzzle = _puzzle(texts[PUZZLE], fields)
    proof = drup.read(texts[PROOF], PROOF) if PROOF in texts else None
    grids, witnesses = (_grids(texts.get(name, ""), puzzle, name) for name in (GRIDS, WITNESSES))
    if len(grids) != SOLUTIONS[claim]:
        raise CertificateError(f"{GRIDS}: {len(grids)} grids, and the claim {claim.value} has {SOLUTIONS[claim]}")
    prover = fields.get("prover")
    return Certificate(claim, puzzle, grids, proof, witnesses, prover if isinstance(prover, str) else None)


def _puzzle(text: str, fields: Mapping[str, Any]) -> Puzzle:
    format, name = fields.get("format"), fields.get("name")
    if format not in FORMATS:
        raise CertificateError(f"the puzzle's format is {format!r}, expected {' or '.join(FORMATS)}")
    try:
        puzzle = detect(text, Options(format=format)).puzzle
    except InputError as error:
        raise CertificateError(f"{PUZZLE}: {error}") from None
    reason = refusal(puzzle.board)
    if reason:
        raise CertificateError(f"{PUZZLE}: {reason}")
    return replace(puzzle, name=_shown(name) if isinstance(name, str) else "puzzle")


def _shown(name: str) -> str:
    """A name on one line, without what a terminal would take for a command."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in name)


def _grids(text: str, puzzle: Puzzle, name: str) -> tuple[Grid, ...]:
    """Grids as `flat` writes them, as far as they are grids at all."""
    size = puzzle.board.values
    found = []
    for word in text.split():
        cells = list(word) if size <= 9 else word.split(",")
        if len(cells) != puzzle.board.cells or not all(cell.isascii() and cell.isdigit() for cell in cells):
            raise CertificateError(f"{name}: {word[:20]!r}... is no grid of {puzzle.board.cells} values")
        outside = next((cell for cell in cells if len(cell) > len(str(size)) or not 1 <= int(cell) <= size), None)
        if outside is not None:
            raise CertificateError(f"{name}: {outside[:20]} is not one of 1..{size}")
        found.append(tuple(map(int, cells)))
    return tuple(found)
