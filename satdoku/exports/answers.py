"""What a SAT solver answers: competition style (`s` and `v` lines), or minisat's file (`SAT`, one line of literals)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from satdoku.errors import InputError


class Status(Enum):
    """What the solver says of the clauses."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


WORDS = {
    "SATISFIABLE": Status.SATISFIABLE,
    "SAT": Status.SATISFIABLE,
    "UNSATISFIABLE": Status.UNSATISFIABLE,
    "UNSAT": Status.UNSATISFIABLE,
    "UNKNOWN": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
    "INDET": Status.UNKNOWN,
}
LITERAL = re.compile(r"-?\d{1,10}")
NUMBERS = re.compile(r"[-\d\s]+")


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, and the literals that are true, in the order in which the solver wrote them."""

    status: Status
    literals: tuple[int, ...] = ()


def read(text: str, name: Callable[[int], str]) -> Answer:
    """The answer in a solver's output; comments and a solver's chatter are passed over.

    name: a literal for people. A variable that is left out may be either.
    Raises InputError for a text that is no answer, that was cut off, or that contradicts itself.
    """
    status: Status | None = None
    literals: dict[int, None] = {}
    closed = False
    first: str | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        word, _, rest = line.partition(" ")
        said = WORDS.get(rest.strip() if word == "s" else line)
        if said is not None:
            if status not in (None, said):
                raise InputError(f"line {number}: {said.value}, after {status.value} before it")
            status = said
        elif word == "v" or (status is Status.SATISFIABLE and line and NUMBERS.fullmatch(line)):
            for token in (rest if word == "v" else line).split():
                closed = _take(token, number, literals, closed, name)
        elif word == "s":
            raise InputError(f"line {number}: {line[:60]!r}: expected s SATISFIABLE, s UNSATISFIABLE or s UNKNOWN")
        elif line and word != "c" and first is None:
            first = f"line {number}: {line[:60]!r}"
    if status is None and not literals and not closed:
        raise InputError(f"{first or 'it is empty'}: expected a solver's answer, `s SATISFIABLE` and `v` lines")
    if literals or closed:
        if status not in (None, Status.SATISFIABLE):
            raise InputError(f"{status.value}, and yet it gives {name(next(iter(literals), 0))}")
        if not closed:
            last = f"after {name(next(reversed(literals)))}" if literals else "at once"
            raise InputError(f"it is cut off: the values end {last}, without the closing 0")
        status = Status.SATISFIABLE
    elif status is Status.SATISFIABLE:
        raise InputError("satisfiable, but without values: no `v` lines and no line of literals")
    assert status is not None
    return Answer(status, tuple(literals))


def _take(token: str, line: int, literals: dict[int, None], closed: bool, name: Callable[[int], str]) -> bool:
    """Add a literal; returns whether it was the closing 0."""
    if not LITERAL.fullmatch(token):
        raise InputError(f"line {line}: {token[:20]!r} is no literal")
    literal = int(token)
    if closed:
        raise InputError(f"line {line}: {name(literal) if literal else 'a second 0'} after the closing 0")
    if literal == 0:
        return True
    if -literal in literals:
        raise InputError(f"line {line}: {name(literal)} contradicts {name(-literal)}")
    literals[literal] = None
    return False
