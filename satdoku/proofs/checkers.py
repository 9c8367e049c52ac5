"""What checks a proof: our own compiled checker, or one that is not ours."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from satdoku.errors import BackendError, CertificateError, InputError, unknown
from satdoku.kernels import library
from satdoku.limits import MAX_ANSWER, TimeIsUp, check_time, time_left
from satdoku.proofs.drup import DELETE, Numbers, lines
from satdoku.proofs.formula import Formula
from satdoku.system import process
from satdoku.system.clock import Deadline
from satdoku.system.scratch import Scratch

if TYPE_CHECKING:
    from satdoku.proofs.lrat import LratStep

DEFAULT = "drat"
DEFINITION = 6  # integers by which a proof may define a variable: x for y are two clauses of two literals
SPARE = 1000  # numbers of variables that may be left out: they cost little
MAX_SECONDS = 20_000.0  # after how long a certificate is given up, by the checkers that can be stopped
SLICE = 1_000  # steps of a proof between two looks at the clock


class Checker:
    """Checks proofs, one after the other.

    timeout: seconds that whoever verifies a certificate gives it in `bounded_time`, with its proof
    """

    name: ClassVar[str]
    stops: ClassVar[bool] = True  # whether it can be stopped
    timeout: float = MAX_SECONDS
    needs: ClassVar[tuple[str, ...]] = ()  # packages
    extra: ClassVar[str] = ""  # what installs them

    @classmethod
    def open(cls, timeout: float | None = None) -> Checker:
        """A checker for so many seconds a certificate, or MAX_SECONDS; InputError if it cannot be stopped."""
        if timeout is not None and not cls.stops:
            raise InputError(f"checker {cls.name} cannot be stopped, so it takes no timeout; {DEFAULT} does")
        checker = cls()
        if timeout is not None:
            checker.timeout = timeout
        return checker

    @classmethod
    def absent(cls) -> str | None:
        """Why it is not available here; None if it is."""
        missing = next((name for name in cls.needs if find_spec(name) is None), None)
        return missing and f"needs the package {missing}: pip install 'satdoku[{cls.extra}]'"

    @classmethod
    def described(cls) -> str:
        """What a verification says that it relied on."""
        return f"checker {cls.name} {version(cls.name)}"

    def check(self, formula: Formula, proof: Numbers) -> None:
        """Raises CertificateError, saying what is wrong, unless `proof` shows that nothing satisfies `formula`.

        Raises TimeIsUp at the end that `bounded_time` sets.
        """
        raise NotImplementedError


def find(name: str = DEFAULT) -> type[Checker]:
    """The checker of that name. Raises InputError if there is none, or if it is not installed."""
    if name not in CHECKERS:
        raise unknown("checker", name, CHECKERS)
    reason = CHECKERS[name].absent()
    if reason:
        present = ", ".join(other for other, checker in CHECKERS.items() if checker.absent() is None)
        raise InputError(f"checker {name}: {reason}; there is {present or 'none here'}")
    return CHECKERS[name]


class Drat(Checker):
    """Ours, compiled: each step follows by reverse unit propagation, or is RAT."""

    name = DEFAULT
    rat: ClassVar[bool] = True

    @classmethod
    def described(cls) -> str:
        compiled = ", ".join(f"{name} {text}" for name, text in library.versions().items())
        return f"checker {cls.name} of satdoku, compiled ({compiled})"

    def __init__(self) -> None:
        from satdoku.kernels import rup
        from satdoku.proofs.loaded import LoadedFormulas

        self._kernel: Any = rup
        self._loaded = LoadedFormulas()

    def check(self, formula: Formula, proof: Numbers) -> None:
        _validate(formula, proof)
        state = self._loaded.state(formula, proof)
        answer, step, at = self._kernel.check(proof, 0, 0, SLICE, self.rat, state)
        while answer == self._kernel.PAUSED:
            check_time()
            answer, step, at = self._kernel.check(proof, at, step, SLICE, self.rat, state)
        if answer == self._kernel.NOT_IMPLIED:
            why = f"does not follow from those before it: {_step(proof, step)}"
            raise CertificateError(f"step {step} of the proof {why}")
        if answer == self._kernel.NOT_EMPTY:
            raise CertificateError("the proof has been cut: it never comes to the empty clause")


class Rup(Drat):
    """The same without RAT: each clause of the proof is one that all solutions satisfy."""

    name, rat = "rup", False


class Backward(Drat):
    """From its end to its beginning, those steps alone that are needed; it takes RAT as well."""

    name = "backward"

    def check(self, formula: Formula, proof: Numbers) -> None:
        _trimmed(formula, proof)


class Lrat(Drat):
    """The same, and what was needed is checked once more by its hints alone, in plain Python: only that is believed."""

    name = "lrat"

    def check(self, formula: Formula, proof: Numbers) -> None:
        from satdoku.proofs import lrat

        lrat.check(formula, _trimmed(formula, proof))


class Dratify(Checker):
    """The package dratify, by its own reader, without RAT."""

    name, needs, extra, stops = "dratify", ("dratify",), "dratify", False

    def check(self, formula: Formula, proof: Numbers) -> None:
        dratify = import_module("dratify")
        try:
            result = dratify.check_proof(dratify.parse_dimacs(formula.text()), lines(proof), check_rat=False)
        except ValueError as error:
            raise CertificateError(f"dratify: {error}") from None
        if not result.ok:
            place = f" (step {result.failed_step})" if result.failed_step > 0 else ""
            raise CertificateError(f"dratify: {result.reason}{place}")


class ExecutableChecker(Checker):
    """A program on PATH, given a formula and a proof as files."""

    verified: ClassVar[str] = "s VERIFIED"

    @classmethod
    def absent(cls) -> str | None:
        return None if shutil.which(cls.name) else "no such program on PATH"

    @classmethod
    def described(cls) -> str:
        return f"checker {shutil.which(cls.name)}"

    def check(self, formula: Formula, proof: Numbers) -> None:
        with closing(Scratch()) as scratch:
            names = ("formula.cnf", "proof", "answer", "errors")
            cnf, written, answer, errors = (scratch.path / name for name in names)
            cnf.write_text(formula.text(), "ascii")
            written.write_text(self.text(formula, proof), "ascii")
            left = time_left()
            command = [self.name, str(cnf), str(written), *self.options(left)]
            most = {answer: MAX_ANSWER, errors: MAX_ANSWER}
            try:
                status = process.run(command, scratch.path, answer, errors, Deadline(left), most)
            except (OSError, BackendError) as error:
                raise CertificateError(f"{self.name}: {error}") from None
            if status is None:
                raise TimeIsUp
            text = answer.read_text("utf-8", "replace")
        words = {line.strip() for line in text.replace("\r", "\n").splitlines()}
        if self.verified not in words:
            results = sorted(line for line in words if line.startswith("s ")) or [f"status {status}"]
            raise CertificateError(f"{self.name}: {results[0].removeprefix('s ').lower()}")

    def options(self, seconds: float | None) -> tuple[str, ...]:
        """What stands behind the two files, where so many seconds are left."""
        return ()

    def text(self, formula: Formula, proof: Numbers) -> str:
        """The proof in the form that the program reads: what is needed, with hints."""
        from satdoku.proofs import lrat

        return lrat.text(_trimmed(formula, proof))


class DratTrim(ExecutableChecker):
    """Checking forwards, so that each step is looked at; it takes RAT as well."""

    name = "drat-trim"

    def options(self, seconds: float | None) -> tuple[str, ...]:
        limit = MAX_SECONDS if seconds is None else seconds
        return ("-f", "-w", "-t", str(ceil(limit) + 1))  # beyond, it is stopped from here

    def text(self, formula: Formula, proof: Numbers) -> str:
        return lines(proof)


class LratCheck(ExecutableChecker):
    """The checker of LRAT that comes with drat-trim."""

    name, verified = "lrat-check", "c VERIFIED"


class CakeLpr(ExecutableChecker):
    """A checker of LRAT that is proved correct down to its machine code."""

    name, verified = "cake_lpr", "s VERIFIED UNSAT"


def trimmed(formula: Formula, proof: Numbers) -> Numbers:
    """The proof without the steps that are not needed. Raises CertificateError for one that is wrong."""
    from satdoku.proofs import lrat

    _validate(formula, proof)
    return lrat.core(formula, proof)


def _trimmed(formula: Formula, proof: Numbers) -> Iterator[LratStep]:
    from satdoku.proofs import lrat

    _validate(formula, proof)
    return lrat.trimmed(formula, proof)


def _validate(formula: Formula, proof: Numbers) -> None:
    """Raise CertificateError for variables that neither formula nor proof can account for: each costs memory."""
    largest = int(np.abs(proof[proof != DELETE]).max(initial=0))
    if largest > formula.variables + SPARE + len(proof) // DEFINITION:
        raise CertificateError(f"the proof names variable {largest}, and the formula has {formula.variables}")


def _step(proof: Numbers, number: int) -> str:
    ends = np.flatnonzero(proof == 0)
    begin = 0 if number == 1 else int(ends[number - 2]) + 1
    clause = proof[begin : int(ends[number - 1])].tolist()
    shown = " ".join(map(str, clause[:12])) + (" ..." if len(clause) > 12 else "")
    return f"clause {shown}" if clause else "the empty clause"


ALL = (Drat, Rup, Backward, Lrat, Dratify, DratTrim, LratCheck, CakeLpr)
CHECKERS: dict[str, type[Checker]] = {checker.name: checker for checker in ALL}
