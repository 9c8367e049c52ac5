"""What a SAT solver answers: competition style (`s` and `v` lines), or minisat's file (`SAT`, one line of literals)."""

import re
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from io import StringIO

from satdoku.errors import InputError
from satdoku.limits import MAX_VARIABLES


class Status(Enum):
    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


WORDS = {
    **dict.fromkeys(("SATISFIABLE", "SAT"), Status.SATISFIABLE),
    **dict.fromkeys(("UNSATISFIABLE", "UNSAT"), Status.UNSATISFIABLE),
    **dict.fromkeys(("UNKNOWN", "INDETERMINATE", "INDET"), Status.UNKNOWN),
}
LITERAL = re.compile(r"-?\d{1,10}")
NUMBERS = re.compile(r"[-\d\s]+")
NO_TEXT = re.compile("[\0\ufffd]")  # the second stands for bytes that could not be decoded


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """A status, and the literals that are true, in the order in which the solver wrote them."""

    status: Status
    literals: tuple[int, ...] = ()


class _Values:
    """The literals of an answer as they come, and whether the closing 0 has come."""

    def __init__(self, name: Callable[[int], str], variables: int) -> None:
        self.literals = array("q")
        self.closed = False
        self._name, self._variables = name, variables
        self._signs = bytearray(variables + 1)  # 1 for a true variable, 2 for a false one

    def __bool__(self) -> bool:
        return self.closed or bool(self.literals)

    def take(self, token: str, line: int) -> None:
        """Add a literal; raises InputError for what is not one, or contradicts those before it."""
        if not LITERAL.fullmatch(token):
            raise InputError(f"line {line}: {token[:20]!r} is not a literal")
        literal = int(token)
        if self.closed:
            raise InputError(f"line {line}: {self._name(literal) if literal else 'a second 0'} after the closing 0")
        self.closed = not literal
        if self.closed:
            return
        if abs(literal) > self._variables:
            raise InputError(f"it gives {self._name(literal)}, and the CNF has {self._variables} variables")
        sign = 1 if literal > 0 else 2
        if self._signs[abs(literal)] == 3 - sign:
            raise InputError(f"line {line}: {self._name(literal)} contradicts {self._name(-literal)}")
        if not self._signs[abs(literal)]:
            self.literals.append(literal)
        self._signs[abs(literal)] = sign

    def status(self, stated: Status | None) -> Status:
        """The status of the whole answer; raises InputError where values and the stated status do not agree."""
        if self and stated not in (None, Status.SATISFIABLE):
            raise InputError(f"{stated.value}, and yet it gives {self._name(self.literals[0] if self.literals else 0)}")
        if self and not self.closed:
            last = f"after {self._name(self.literals[-1])}"
            raise InputError(f"it is cut off: the values end {last}, without the closing 0")
        if not self and stated is Status.SATISFIABLE:
            raise InputError("satisfiable, but without values: no `v` lines and no line of literals")
        return stated or Status.SATISFIABLE


def _refuse_noise(line: str, number: int, status: Status | None) -> None:
    if NO_TEXT.search(line):
        raise InputError(f"line {number}: bytes that are not text")
    if line and status is Status.UNSATISFIABLE:
        raise InputError(f"line {number}: {line[:60]!r} after {status.value}, where only comments are expected")


def read(text: str | Iterable[str], name: Callable[[int], str], variables: int = MAX_VARIABLES) -> SolverAnswer:
    """The answer in a solver's output, a text or its lines; comments and a solver's chatter are passed over.

    name:      a literal for people. A variable that is left out may be either.
    variables: how many there are
    Raises InputError for one that is empty, is cut off, contradicts itself or is not an answer; for bytes that are no
    text, but in comments; and for anything but comments after `unsatisfiable`, which no values confirm.
    """
    status: Status | None = None
    values = _Values(name, variables)
    content = "it is empty"
    for number, raw in enumerate(StringIO(text) if isinstance(text, str) else text, 1):
        line = raw.strip()
        word, _, rest = line.partition(" ")
        stated = WORDS.get(rest.strip() if word == "s" else line)
        if word not in ("c", "v"):
            _refuse_noise(line, number, status if stated is None else None)
        if stated is not None:
            if status not in (None, stated):
                raise InputError(f"line {number}: {stated.value}, after {status.value} before it")
            status = stated
        elif word == "v" or (status is Status.SATISFIABLE and NUMBERS.fullmatch(line)):
            for token in line.removeprefix("v").split():
                values.take(token, number)
        elif word == "s":
            raise InputError(f"line {number}: {line[:60]!r}: expected s SATISFIABLE, s UNSATISFIABLE or s UNKNOWN")
        elif line and not content.startswith("line"):
            content = "it has comments alone" if word == "c" else f"line {number}: {line[:60]!r}"
    if status is None and not values:
        raise InputError(f"{content}: expected a solver's answer, `s UNSATISFIABLE`, or `s SATISFIABLE` and `v` lines")
    return SolverAnswer(values.status(status), tuple(values.literals))
