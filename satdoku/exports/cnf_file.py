"""DIMACS CNF text to arrays, and which clauses a model breaks."""

import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satdoku.errors import InputError
from satdoku.limits import MAX_VARIABLES


@dataclass(frozen=True, slots=True)
class CnfFile:
    """comments: without their `c`. literals: all clauses one after the other, each with its closing 0."""

    comments: list[str]
    variables: int
    literals: NDArray[np.int64]

    def free(self) -> list[int]:
        """The variables that no clause mentions, which solvers may leave out of their answers."""
        mentioned = np.zeros(self.variables + 1, dtype=np.bool_)
        mentioned[np.abs(self.literals)] = True
        return (np.flatnonzero(~mentioned[1:]) + 1).tolist()

    def broken(self, model: Sequence[int], strict: bool) -> tuple[list[int], int] | None:
        """A clause that `model` breaks and its number from 1: of all of them, that which is broken first
        as the literals come. With `strict`, a clause that has no true literal counts too.

        None if there is none. The model's literals are among the variables and do not contradict each other.
        """
        given = np.array(model, dtype=np.int64)
        truth = np.zeros(self.variables + 1, dtype=np.int8)
        truth[np.abs(given)] = np.sign(given)
        held = (np.sign(self.literals) * truth[np.abs(self.literals)]).astype(np.int8)
        ends = np.flatnonzero(self.literals == 0)
        held[ends] = -1
        if not len(ends):
            return None
        starts = np.concatenate([[0], ends[:-1] + 1])
        best = np.maximum.reduceat(held, starts)
        wrong = np.flatnonzero(best < (1 if strict else 0))
        if not len(wrong):
            return None
        position = np.full(self.variables + 1, len(given), dtype=np.int64)
        position[np.abs(given)] = np.arange(len(given))
        clauses = [self.literals[starts[index] : ends[index]].tolist() for index in wrong[:10_000].tolist()]
        moments = [max((int(position[abs(literal)]) for literal in clause), default=-1) for clause in clauses]
        first = min(range(len(clauses)), key=moments.__getitem__)
        return clauses[first], int(wrong[first]) + 1


def read(data: bytes) -> CnfFile:
    """The clauses of a DIMACS CNF file; raises InputError for what is not one, or not what its `p` line promises."""
    comments: list[str] = []
    start = line = 0
    while True:
        if start >= len(data):
            raise InputError("no `p cnf` line: expected DIMACS CNF, as `satdoku export` writes")
        line += 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        text = data[start:end].strip().removeprefix(b"\xef\xbb\xbf")
        start = end + 1
        if text == b"c" or text.startswith((b"c ", b"c\t")):
            comments.append(text[1:].strip().decode("utf-8", "replace"))
        elif text:
            break
    words = text.split()
    if words[:2] != [b"p", b"cnf"]:
        shown = text[:60].decode("utf-8", "replace")
        raise InputError(f"line {line}: {shown!r}: expected a comment or the `p cnf` line of DIMACS CNF")
    if len(words) != 4 or not all(word.isdigit() and len(word) < 12 for word in words[2:]):
        raise InputError(f"line {line}: expected `p cnf VARIABLES CLAUSES`")
    variables, count = int(words[2]), int(words[3])
    if variables > MAX_VARIABLES:
        raise InputError(f"line {line}: {variables} variables, expected at most {MAX_VARIABLES}")
    literals = _literals(data[start:], line, comments)
    present = int(np.count_nonzero(literals == 0))
    cut = bool(len(literals)) and bool(literals[-1] != 0)
    if present != count or cut:
        raise InputError(f"{present} clauses{' and a part of one' * cut}, where its `p` line promises {count}")
    if len(literals) and int(np.abs(literals).max()) > variables:
        raise InputError(f"a literal {int(np.abs(literals).max())}, where its `p` line promises {variables} variables")
    return CnfFile(comments, variables, literals)


def _literals(body: bytes, line: int, comments: list[str]) -> NDArray[np.int64]:
    body = body.split(b"\n%", 1)[0]  # some collections end so
    if b"c" in body:
        rows = body.split(b"\n")
        comments += [row[1:].strip().decode("utf-8", "replace") for row in rows if row.startswith(b"c")]
        body = b"\n".join(b"" if row.startswith(b"c") else row for row in rows)
    with warnings.catch_warnings(action="error"), suppress(DeprecationWarning, ValueError):
        return np.fromstring(body.decode("ascii"), dtype=np.int64, sep=" ")
    for number, row in enumerate(body.split(b"\n"), line + 1):
        for word in row.split():
            if not word.removeprefix(b"-").isdigit() or len(word) > 12:
                raise InputError(f"line {number}: {word[:20].decode('utf-8', 'replace')!r} is not a literal")
    raise InputError("its clauses cannot be read")
