"""A certificate, and its two forms: a folder of files with a manifest, and a record, one line of JSON."""

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from satdoku.constraints import Grid
from satdoku.errors import CertificateError, InputError, Refused
from satdoku.formats import Options, detect, write
from satdoku.formats.line import flat
from satdoku.proofs import drup
from satdoku.proofs.drup import Numbers
from satdoku.proofs.formula import ENCODING, Formula, formula, refusal
from satdoku.puzzle import Board, Puzzle, only
from satdoku.system.files import write_whole
from satdoku.variants.boxes import box_of
from satdoku.version import __version__


class Claim(Enum):
    """What a certificate says of its puzzle.

    minimal:       it is unique, and not so without any one of its givens
    minimal-marks: nor without any one of its marks, regions aside
    candidates:    the values of each cell in the grids that it shows are those of all solutions
    count:         the grids that it shows are all solutions
    """

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNSOLVABLE = "unsolvable"
    MINIMAL = "minimal"
    MINIMAL_MARKS = "minimal-marks"
    CANDIDATES = "candidates"
    COUNT = "count"


PUZZLE, GRIDS, FORMULA, PROOF, WITNESSES = "puzzle.txt", "grids.txt", "formula.cnf", "proof.drup", "witnesses.txt"
MANIFEST = "manifest.json"

FILES = {
    Claim.UNIQUE: (PUZZLE, GRIDS, FORMULA, PROOF),
    Claim.MULTIPLE: (PUZZLE, GRIDS),
    Claim.UNSOLVABLE: (PUZZLE, FORMULA, PROOF),
    Claim.MINIMAL: (PUZZLE, GRIDS, WITNESSES, FORMULA, PROOF),
    Claim.MINIMAL_MARKS: (PUZZLE, GRIDS, WITNESSES, FORMULA, PROOF),
    Claim.CANDIDATES: (PUZZLE, GRIDS, FORMULA, PROOF),
    Claim.COUNT: (PUZZLE, GRIDS, FORMULA, PROOF),
}
"""What is in the folder of each claim, besides the manifest."""

SOLUTIONS = {Claim.UNIQUE: 1, Claim.MULTIPLE: 2, Claim.UNSOLVABLE: 0, Claim.MINIMAL: 1, Claim.MINIMAL_MARKS: 1}
"""How many grids each claim shows; the others say how many."""

LINE, TOML = "line", "toml"

MAX_COUNT = 10_000  # grids of a certificate
MAX_BYTES, MAX_PROOF = 1 << 25, 1 << 27  # of a file, and of a proof
MAX_HEAD = 1 << 16  # of what is beside a record's texts
MAX_RECORD = MAX_BYTES + MAX_PROOF  # of a line


class Head(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What manifests and records say: the format of the puzzle's text; how many grids, where the claim does not."""

    claim: Claim
    name: str = ""
    format: Literal["line", "toml"]
    prover: str | None = None
    checker: str | None = None
    shown: int | None = None


class EncodingSize(Struct, frozen=True):
    name: str
    variables: int
    clauses: int


class Manifest(Head, frozen=True, kw_only=True, omit_defaults=True):
    """The manifest of a folder; `certificate` is the version of its form."""

    certificate: Literal[1]
    encoding: EncodingSize | None = None
    versions: Mapping[str, str]
    sha256: Mapping[str, str]


class CertificateLine(Head, frozen=True, kw_only=True, omit_defaults=True):
    """A certificate on a line; its formula follows from the puzzle."""

    puzzle: str
    grids: str | None = None
    witnesses: str | None = None
    proof: str | None = None


Kind = TypeVar("Kind", bound=Head)
LACKS = re.compile(r"Object missing required field `(\w+)`")
PATH = re.compile(r" - at `\$\.?(.*)`$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Certificate:
    """What a claim rests on; nothing of it is known to hold.

    grids:     the solution, or two, or as many as the claim takes
    proof:     that there is no other; None where two grids say all
    witnesses: for each given, in their order, a second grid that keeps all the others; then for each mark
    prover:    the backend that wrote the proof, in so many `seconds`; `checker` has checked it since
    """

    claim: Claim
    puzzle: Puzzle
    grids: tuple[Grid, ...] = ()
    proof: Numbers | None = None
    witnesses: tuple[Grid, ...] = ()
    prover: str | None = None
    checker: str | None = None
    seconds: float | None = field(default=None, compare=False)

    @property
    def formula(self) -> Formula:
        """What the proof refutes: the puzzle, and that a grid is none of those shown, or has a value of none."""
        return formula(self.puzzle, *self.grids, values=self.claim is Claim.CANDIDATES)


def files(certificate: Certificate, versions: Mapping[str, str]) -> dict[str, str]:
    """The files of a certificate by their names, the manifest included.

    versions: of what was at work, for the manifest
    Raises Refused for a puzzle that no text of ours can hold, and for more bytes than a reader takes.
    """
    head, texts = _texts(certificate)
    encoding = None if certificate.proof is None else _encoding(certificate.formula)
    if encoding is not None:
        texts[FORMULA] = certificate.formula.text()
    texts = {name: texts[name] for name in FILES[certificate.claim]}
    manifest = Manifest(
        **head,
        certificate=1,
        encoding=encoding,
        versions={"satdoku": __version__, **versions},
        sha256={name: sha256(text.encode()).hexdigest() for name, text in texts.items()},
    )
    return {**texts, MANIFEST: json.dumps(msgspec.to_builtins(manifest), indent=2, ensure_ascii=False) + "\n"}


def save(texts: Mapping[str, str], folder: Path) -> None:
    """Write the files into a new folder, the manifest last. Raises InputError if there is something in it."""
    vacant(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, text in texts.items():
            write_whole(folder / name, text.encode())
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # part of a certificate shows nothing
        raise


def vacant(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: there is something already; name a new folder")


def opened(folder: Path) -> tuple[Certificate, str | None]:
    """The certificate in a folder and its formula's text, if any; raises InputError, CertificateError."""
    try:
        folder.joinpath(MANIFEST).lstat()
    except FileNotFoundError:
        raise InputError(f"{folder}: not a certificate: it has no {MANIFEST}") from None
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror}") from None
    manifest = _decoded(Manifest, _contents(folder, MANIFEST, MAX_BYTES), MANIFEST)
    names = FILES[manifest.claim]
    if set(manifest.sha256) != set(names):
        claim = manifest.claim.value
        raise CertificateError(f"{MANIFEST}: expected hashes of {', '.join(names)}, for the claim {claim}")
    texts = {name: _unchanged(folder, name, manifest, _most(name)) for name in names if name != FORMULA}
    certificate = _read(manifest, texts)
    if certificate.proof is not None:
        texts[FORMULA] = _unchanged(folder, FORMULA, manifest, 2 * len(certificate.formula.text()))
    expected = None if certificate.proof is None else _encoding(certificate.formula)
    if manifest.encoding != expected:
        raise CertificateError(f"{MANIFEST}: the encoding is not {json.dumps(msgspec.to_builtins(expected))}")
    return certificate, texts.get(FORMULA)


def record(certificate: Certificate) -> str:
    """A certificate as a line of JSON; its formula follows from the puzzle. Raises as `files`."""
    head, texts = _texts(certificate)
    names = [name for name in FILES[certificate.claim] if name not in (PUZZLE, FORMULA)]
    shown: dict[str, Any] = {_key(name): " ".join(texts[name].splitlines()) for name in names}
    fields = CertificateLine(**head, puzzle=texts[PUZZLE].rstrip("\n"), **shown)
    return json.dumps(msgspec.to_builtins(fields), ensure_ascii=False)


def of_record(line: bytes) -> Certificate:
    """The certificate on a line. Raises CertificateError for what is not one."""
    fields = _decoded(CertificateLine, line, "the record")
    texts = {name: getattr(fields, _key(name)) for name in FILES[fields.claim] if name != FORMULA}
    missing = next((name for name, text in texts.items() if text is None), None)
    if missing is not None:
        raise CertificateError(f"no {_key(missing)}, which the claim {fields.claim.value} has")
    for name, text in texts.items():
        if len(text) > _most(name):
            raise CertificateError(f"{_key(name)} has {len(text)} characters, expected at most {_most(name)}")
    return _read(fields, texts)


def _most(name: str) -> int:
    """Bytes of a file that are read."""
    return MAX_PROOF if name == PROOF else MAX_BYTES


def _key(name: str) -> str:
    return name.partition(".")[0]


def _texts(certificate: Certificate) -> tuple[dict[str, Any], dict[str, str]]:
    form, written = text(certificate.puzzle)
    board = certificate.puzzle.board
    name = certificate.puzzle.name.encode("utf-8", "replace").decode()
    shown = None if certificate.claim in SOLUTIONS else len(certificate.grids)
    head = {"claim": certificate.claim, "name": name, "format": form, "shown": shown}
    head |= {"prover": certificate.prover, "checker": certificate.checker}
    texts = {
        PUZZLE: f"{written}\n",
        GRIDS: "".join(f"{flat(board, grid)}\n" for grid in certificate.grids),
        WITNESSES: "".join(f"{flat(board, grid)}\n" for grid in certificate.witnesses),
        PROOF: "" if certificate.proof is None else drup.lines(certificate.proof),
    }
    rest = sum(map(len, texts.values())) - len(texts[PROOF])
    if rest > MAX_BYTES - MAX_HEAD:
        raise Refused(f"{name}: a certificate of {rest} bytes, and certificates have up to {MAX_BYTES - MAX_HEAD}")
    if len(texts[PROOF]) > MAX_PROOF:
        raise Refused(f"{name}: a proof of {len(texts[PROOF])} bytes, and certificates have up to {MAX_PROOF}")
    return head, texts


def text(puzzle: Puzzle) -> tuple[str, str]:
    """The puzzle in the first format that holds it: the format's name, and the text."""
    every = puzzle.board.every_value
    if _fits_line(puzzle.board) and all(allowed == every or only(allowed) for allowed in puzzle.candidates):
        return LINE, flat(puzzle.board, puzzle.givens)
    return TOML, write(puzzle, TOML)


def as_read(puzzle: Puzzle) -> Puzzle:
    """The puzzle as its text is read, which may have the marks in another order, and with them the constraints, which a
    formula has in their order; the same where no text holds it."""
    board = _read_again(puzzle.board)
    if board is puzzle.board:
        return puzzle
    return replace(puzzle, board=board, candidates=relaid(puzzle.candidates, puzzle.board, board))


def relaid(cells: tuple[int, ...], board: Board, other: Board) -> tuple[int, ...]:
    """What there is for each cell of a board, with the layers in the order of another board."""
    parts = [cells[start : start + board.grid_cells] for start in range(0, board.cells, board.grid_cells)]
    layers = dict(zip(board.layers, parts[1:], strict=True))
    return sum((layers[name] for name in other.layers), parts[0])


@lru_cache(maxsize=4)
def _read_again(board: Board) -> Board:
    if _fits_line(board):
        return board
    try:
        written = write(Puzzle(board, (board.every_value,) * board.cells), TOML)
    except Refused:
        return board
    again = detect(written, Options(format=TOML), noted=False).puzzle.board
    return board if again.constraints == board.constraints else again


@lru_cache(maxsize=4)
def _fits_line(board: Board) -> bool:
    """Whether a line alone says what board it is of; a board of a million puzzles is looked at once."""
    if not board.size.square or box_of(board) is None:
        return False
    try:
        write(Puzzle(board, (board.every_value,) * board.cells), LINE)
    except Refused:
        return False
    return True


def _encoding(refuted: Formula) -> EncodingSize:
    return EncodingSize(ENCODING, refuted.variables, len(refuted))


def _decoded(kind: type[Kind], data: bytes, name: str) -> Kind:
    try:
        return msgspec.json.decode(data, type=kind)
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"{name} is not that of a certificate of version 1: {_reason(error)}") from None


def _reason(error: ValueError | RecursionError) -> str:
    """What is wrong with JSON, from the words of its reader."""
    lacks = LACKS.match(str(error))
    at = PATH.search(str(error))
    key = ".".join(filter(None, (at[1] if at else "", lacks[1] if lacks else "")))
    if key:
        return f"{key} is missing" if lacks else f"{key} has a value that it cannot have"
    if isinstance(error, RecursionError):
        return "brackets nested too deep"
    return "it is not an object" if str(error).startswith("Expected") else "it is not JSON"


def _unchanged(folder: Path, name: str, manifest: Manifest, most: int) -> str:
    """The text of a file; raises CertificateError unless it has the hash of the manifest, and at most so many bytes."""
    data = _contents(folder, name, most)
    if sha256(data).hexdigest() != manifest.sha256[name]:
        raise CertificateError(f"{name} has been changed: its hash is not that of the manifest")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CertificateError(f"{name} is not text") from None


def _contents(folder: Path, name: str, most: int) -> bytes:
    """What a file holds; raises CertificateError for what is missing, cannot be read, is not a file, or has more than
    `most` bytes."""
    path = folder / name
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise CertificateError(f"{name} is not a regular file")
        if status.st_size > most:
            raise CertificateError(f"{name} has {status.st_size} bytes, expected at most {most}")
        with path.open("rb") as stream:
            return stream.read(status.st_size)  # files of /proc say 0, and some of them never end or never begin
    except FileNotFoundError:
        raise CertificateError(f"{name} is missing") from None
    except OSError as error:
        raise CertificateError(f"{name} cannot be read: {error.strerror}") from None


def _read(head: Head, texts: Mapping[str, str]) -> Certificate:
    claim = head.claim
    try:
        puzzle = detect(texts[PUZZLE], Options(format=head.format), noted=False).puzzle
    except InputError as error:
        raise CertificateError(f"{PUZZLE}: {error}") from None
    reason = refusal(puzzle.board)
    if reason:
        raise CertificateError(f"{PUZZLE}: {reason}")
    grids, witnesses = (_grids(texts.get(name, ""), puzzle, name) for name in (GRIDS, WITNESSES))
    expected = SOLUTIONS.get(claim, head.shown)
    if len(grids) != expected or len(grids) > MAX_COUNT:
        raise CertificateError(f"{GRIDS}: {len(grids)} grids, and the claim {claim.value} has {expected}")
    return Certificate(
        claim=claim,
        puzzle=replace(puzzle, name=_shown(head.name or "puzzle")),
        grids=grids,
        proof=drup.read(texts[PROOF], PROOF) if PROOF in texts else None,
        witnesses=witnesses,
        prover=head.prover,
        checker=head.checker,
    )


def _shown(name: str) -> str:
    """A name on one line, without what a terminal would take for a command."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in name)


def _grids(text: str, puzzle: Puzzle, name: str) -> tuple[Grid, ...]:
    """Grids as `flat` writes them, each followed by what its layers say."""
    board, grids = puzzle.board, list[list[int]]()
    values, size = board.size.digits, board.grid_cells
    for word in text.split():
        layer, equals, digits = word.rpartition("=")
        cells = list(digits) if values[-1] <= 9 else digits.split(",")
        expected = ("", *board.layers)[len(grids[-1]) // size if grids and equals else 0 :][:1]
        if len(cells) != size or expected != (layer,) or not all(cell.isascii() and cell.isdigit() for cell in cells):
            raise CertificateError(f"{name}: {word[:20]!r}... is not a grid of {size} values")
        outside = next((cell for cell in cells if len(cell) > 3 or int(cell) not in values), None)
        if outside is not None:
            raise CertificateError(f"{name}: {outside[:20]} is not one of {board.size.span}")
        grids += [] if equals else [[]]
        grids[-1] += [int(cell) - values[0] + 1 for cell in cells]
    short = next((grid for grid in grids if len(grid) != board.cells), None)
    if short is not None:
        raise CertificateError(f"{name}: {len(short)} values, expected {board.cells} of the grid and its layers")
    return tuple(map(tuple, grids))
