"""Certificates with something changed, made up or blown up: what is accepted is true, and nothing takes long."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import satdoku
from satdoku import Session
from satdoku.outcome import CertificateKind
from satdoku.proofs.certificate import Certificate, files, record
from satdoku.proofs.checkers import Drat
from satdoku.proofs.verify import verify
from satdoku.puzzle import Mark, Puzzle
from support.attacks.texts import limited, memory
from support.batch import zstd
from support.certificates import PAIRS, certifier

CELLS = [f"r{row}c{column}" for row, column in product(range(1, 7), repeat=2)]
KINDS = {"Linear": "cage", "Table": "thermometer", "Automaton": "quadruple", "AllDifferent": "extra-region"}

MAX_SECONDS = 60  # of all that verifying takes: a proof may have 128 MB
TIMEOUT = 20.0  # seconds of the checker, after which a proof is undecided
MAX_MEMORY = 1 << 30


def drawn(rng: Random, kind: str, solution: tuple[int, ...]) -> Mark | None:
    """A mark of the kind that the solution obeys; None where it finds none."""
    row, column = rng.randrange(5), rng.randrange(5)
    cells = [6 * row + column, 6 * row + column + 1, 6 * row + column + 6, 6 * row + column + 7]
    values = [solution[cell] for cell in cells]
    places = tuple((cell // 6 + 1, cell % 6 + 1) for cell in cells)
    if kind == "cage":
        return Mark("cage", places[:3], value=sum(values[:3])) if len(set(values[:3])) == 3 else None
    if kind == "thermometer":
        line = places[:2] if values[0] < values[1] else places[1::-1]
        return Mark("thermometer", lines=(line,))
    if kind == "quadruple":
        return Mark("quadruple", places, value=" ".join(map(str, sorted(values[1:3]))))
    six = rng.sample(range(36), 6)
    differ = len({solution[cell] for cell in six}) == 6
    return Mark("extra-region", tuple((cell // 6 + 1, cell % 6 + 1) for cell in six)) if differ else None


@cache
def puzzle(kind: str, seed: int) -> Puzzle:
    """A 6x6 puzzle with marks of the kind and few givens."""
    if kind == "domain":
        return Puzzle(satdoku.classic(2, 2), PAIRS)
    rng = Random(f"{kind} {seed}")
    first = dict(enumerate(rng.sample(range(1, 7), 6)))
    solution = satdoku.solve(Puzzle.from_givens(satdoku.classic(2, 3), first)).grids[0]
    marks: list[Mark] = []
    while len(marks) < 5:
        marks += filter(None, [drawn(rng, KINDS[kind], solution)])
    found = satdoku.minimize(satdoku.build(size=6, marks=marks, givens=solution), seed=seed).puzzle
    assert found is not None
    return found


def changed(rng: Random, text: str) -> str:
    """The text with a number, a character or a line of it changed."""
    at = rng.randrange(len(text))
    lines = text.split("\n")
    line = rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            return text[:at] + rng.choice("0123456789 -d") + text[at + 1 :]
        case 1:
            return text[:at] + text[at + rng.choice((1, 1, 2, 5)) :]
        case 2:
            return "\n".join(lines[:line] + lines[line + 1 :])
        case 3:
            words = text.split(" ")
            one, other = rng.randrange(len(words)), rng.randrange(len(words))
            words[one], words[other] = words[other], words[one]
            return " ".join(words)
        case 4:
            digits = [at for at, letter in enumerate(text) if letter.isdigit()] or [at]
            at = rng.choice(digits)
            return text[:at] + rng.choice("123456789") + text[at + 1 :]
    return text[:at] + rng.choice("0123456789 -\nrc") + text[at:]


@cache
def truth(puzzle: Puzzle) -> tuple[str, frozenset[tuple[int, ...]]]:
    """The verdict by an engine that writes no proofs, and all solutions, of which there are few."""
    outcome = satdoku.solve(puzzle, limit=2000, backend="backtrack")
    return satdoku.check(puzzle).verdict.value, frozenset(outcome.grids)


@cache
def certificates(kind: str) -> list[Certificate]:
    """Those of some puzzles with marks of a kind: of the verdict, and of all solutions."""
    with Session() as session:
        asked = product(range(4), (CertificateKind.VERDICT, CertificateKind.COUNT))
        found = [certifier("auto").answer(session, puzzle(kind, seed), of, None) for seed, of in asked]
    assert all(isinstance(each, Certificate) for each in found)
    return found  # type: ignore[return-value]  # as was just asserted


def bombs(rng: Random) -> str:
    """A proof that is long, or of numbers or steps that belong in none."""
    many = 10 ** rng.randint(2, 6)
    step = rng.choice(
        ("1 0 ", "0 ", "1 -1 0 ", "d 1 0 ", "1 2 3 4 5 6 7 8 9 ", "-9999999 0 ", "99999999999999999999 0 ", "x")
    )
    return rng.choice((step * many, "1 " * many + "0", "d " * many, f"{'9' * many} 0", f"{step * many}0"))


def forged(rng: Random) -> tuple[str, dict[str, bytes]]:
    """What was done, and the files of a folder with one certificate, or one file of records."""
    whole = rng.choice(certificates(rng.choice([*KINDS, "domain"])))
    fields: dict[str, Any] = json.loads(record(whole))
    name = rng.choice([name for name in ("puzzle", "puzzle", "grids", "proof") if fields.get(name)])
    match rng.randrange(10):
        case 0 if "proof" in fields:
            name, fields["proof"] = "proof", bombs(rng)
        case 1:
            fields |= {rng.choice(("claim", "shown", "format", "prover", "name")): rng.choice(ODD)}
        case 2:
            return "line", {"forged.jsonl": changed(rng, json.dumps(fields)).encode()}
        case 3:
            line = json.dumps(fields).encode() + b"\n"
            filler = rng.choice((b"\n", b" ", b"{", b'{"puzzle":"')) * rng.choice((1, 50, 5000, 5_000_000))
            return "stream", {"forged.zst": zstd(line + rng.choice((filler[: 10 << 20], 9 * line)))}
        case 4 | 5 | 6:
            return "folder", folder_files(rng, whole)
        case _:
            fields[name] = changed(rng, fields[name])
    return name, {"forged.jsonl": json.dumps(fields).encode()}


ODD: tuple[Any, ...] = (
    None,
    "",
    "count",
    "multiple",
    "unsolvable",
    "toml",
    -1,
    0,
    10**30,
    1.5,
    [],
    {},
    "\x1b[2J",
    "\ud800",
)


def folder_files(rng: Random, whole: Certificate) -> dict[str, bytes]:
    """The files of a certificate, one of them changed, and perhaps the manifest so that it has its hash."""
    texts = files(whole, {})
    name = rng.choice([name for name, text in texts.items() if text])
    texts[name] = bombs(rng) if name == "proof.drup" and rng.random() < 0.2 else changed(rng, texts[name])
    written = {name: text.encode("utf-8", "surrogatepass") for name, text in texts.items()}
    if name != "manifest.json" and rng.random() < 0.8:
        manifest = json.loads(texts["manifest.json"])
        manifest["sha256"][name] = sha256(written[name]).hexdigest()
        written["manifest.json"] = json.dumps(manifest).encode()
    elif name != "manifest.json" and rng.random() < 0.5:
        del written[name]
    return written


def attempt(number: int) -> str | None:
    """What goes wrong with the forgery of this number; None if it is refused, or shows what is true."""
    what, written = forged(Random(number))
    before = memory()
    with TemporaryDirectory(prefix="forged") as name:
        folder = Path(name)
        for each, content in written.items():
            (folder / each).write_bytes(content)
        path = folder if what == "folder" else folder / next(iter(written))
        try:
            with limited(MAX_SECONDS):
                found = [each.certificate for each in verify(path, Drat.open(TIMEOUT)) if each.fault is None]
        except satdoku.InputError as error:
            return None if str(error) and "\n" not in str(error) else f"{what}: a message of several lines or none"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return f"{what}: {type(error).__name__}: {str(error)[:200]}"
    if memory() - before > MAX_MEMORY:
        return f"{what}: takes {memory() - before} bytes"
    for certificate in found:
        if certificate is not None and (fault := untrue(certificate)):
            return f"{what}: {fault}"
    return None


def untrue(certificate: Certificate) -> str | None:
    """Why what a certificate claims is not so, by another engine; None if it is."""
    verdict, grids = truth(certificate.puzzle)
    claim = certificate.claim.value
    if claim != "count" and claim != verdict:
        return f"accepted as {claim}, and it is {verdict}"
    right = set(certificate.grids) == grids if claim != "multiple" else {*certificate.grids} <= grids
    return None if right else f"accepted as {claim} with wrong grids"
