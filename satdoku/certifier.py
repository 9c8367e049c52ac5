"""Verdicts to certificates. A certificate is given away only once the checker has accepted it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import packages_distributions, version
from time import monotonic

from satdoku import backends
from satdoku.backends import Backend, Budget, Engine
from satdoku.constraints import Grid
from satdoku.errors import BackendError, CertificateError, Refused
from satdoku.kernels import library
from satdoku.limits import TimeIsUp, bounded_time
from satdoku.outcome import CertificateKind
from satdoku.proofs import checkers
from satdoku.proofs.certificate import FILES, MAX_COUNT, PROOF, Certificate, Claim, as_read, relaid
from satdoku.proofs.formula import refusal
from satdoku.proofs.verify import examine, relaxations
from satdoku.puzzle import Puzzle, members
from satdoku.system.clock import Deadline
from satdoku.verdict import Outcome, Session, Verdict

MAX_UNTRIMMED = 1 << 22  # integers of a proof from which on the steps that are not needed are left out


@dataclass(frozen=True, slots=True)
class NoCertificate:
    """Why there is no certificate of what was asked: what was found instead, in a word and in a sentence."""

    verdict: str
    why: str


class Certifier:
    """Proves verdicts by one backend and has the proofs checked. Raises as `backends.prover` and `checkers.find` do."""

    def __init__(self, backend: str | Engine | Backend | None = None, checker: str = checkers.DEFAULT) -> None:
        self._prover = backends.prover(backend)
        self._checker = checkers.find(checker).open()

    def admit(self, puzzle: Puzzle) -> None:
        """Raise Refused for a puzzle on a board that certificates are not for."""
        reason = refusal(puzzle.board)
        if reason:
            raise Refused(f"{puzzle.name}: {reason}")

    def certify(self, puzzle: Puzzle, outcome: Outcome, timeout: float | None = None) -> Certificate | None:
        """What the verdict on `puzzle` rests on; None if it is undecided. As `prove`."""
        self.admit(puzzle)
        if outcome.verdict is Verdict.UNDECIDED:
            return None
        claim = Claim(outcome.verdict.value)
        grids = self._two(puzzle, outcome, timeout) if claim is Claim.MULTIPLE else outcome.grids[:1]
        written = as_read(puzzle)
        grids = tuple(relaid(grid, puzzle.board, written.board) for grid in grids)
        return self.prove(Certificate(claim=claim, puzzle=written, grids=grids), timeout)

    def answer(
        self, session: Session, puzzle: Puzzle, of: CertificateKind, timeout: float | None
    ) -> Certificate | NoCertificate:
        """A certificate of what is asked, or why there is none; `timeout` for all searches, the proof and its check."""
        self.admit(puzzle)
        puzzle, deadline = as_read(puzzle), Deadline(timeout)
        with bounded_time(timeout):
            evidence = _FINDERS[of](session, puzzle, deadline)
            if isinstance(evidence, Outcome):
                return self.certify(puzzle, evidence, deadline.left()) or _UNDECIDED
            return (
                evidence if isinstance(evidence, NoCertificate) else self.prove(evidence, deadline.left()) or _UNDECIDED
            )

    def prove(self, certificate: Certificate, timeout: float | None = None) -> Certificate | None:
        """The certificate with the proof that its claim takes, checked; None if none came within `timeout`.

        Raises Refused for a board that certificates are not for, BackendError for a proof that is none.
        """
        name, started = certificate.puzzle.name, monotonic()
        if PROOF in FILES[certificate.claim]:
            only = certificate.grids[0] if len(certificate.grids) == 1 else None
            try:
                proof = self._prover.refute(certificate.formula, only, Deadline(timeout))
                if proof is not None and len(proof) > MAX_UNTRIMMED:
                    with bounded_time(self._checker.timeout):
                        proof = checkers.trimmed(certificate.formula, proof)
            except TimeIsUp:
                return None
            except CertificateError as error:
                raise BackendError(f"{name}: {error}") from None
            if proof is None:
                return None
            prover, checker, elapsed = self._prover.name, self._checker.name, monotonic() - started
            certificate = replace(certificate, proof=proof, prover=prover, checker=checker, seconds=elapsed)
        try:
            with bounded_time(self._checker.timeout):
                examine(certificate, self._checker)
        except TimeIsUp:
            return None
        except CertificateError as error:
            raise BackendError(f"{name}: the proof by {certificate.prover} does not check: {error}") from None
        return certificate

    def _two(self, puzzle: Puzzle, outcome: Outcome, timeout: float | None) -> tuple[Grid, ...]:
        """Two grids that are the same whatever was asked before: a loaded SAT solver's depend on that."""
        name = outcome.backend.removeprefix("race:")
        if backends.engine(name).encodes:
            with Session(name) as session:
                fresh = session.run(puzzle, Budget(2, timeout))
            outcome = fresh if fresh.verdict is Verdict.MULTIPLE else outcome
        return outcome.grids[:2]


def _minimal(session: Session, puzzle: Puzzle, deadline: Deadline, marks: bool = False) -> Certificate | NoCertificate:
    """A second grid without each given, and with `marks` without each mark."""
    outcome = session.run(puzzle, Budget(2, deadline.left()))
    if outcome.verdict is Verdict.UNDECIDED:
        return _UNDECIDED
    if outcome.verdict is not Verdict.UNIQUE:
        word = outcome.verdict.value
        return NoCertificate(word, f"{word}: to be minimal, a puzzle has to have exactly one solution")
    witnesses, stopped = list[Grid](), False
    for name, fewer in relaxations(puzzle, marks):
        without = session.run(fewer, Budget(2, deadline.left()))
        others = [grid for grid in without.grids if grid not in outcome.grids]
        if without.exact and not others:
            return NoCertificate("not minimal", f"not minimal: it has one solution, too, without {name}")
        stopped |= not others
        witnesses += others[:1]
    claim = Claim.MINIMAL_MARKS if marks else Claim.MINIMAL
    made = Certificate(claim=claim, puzzle=puzzle, grids=outcome.grids, witnesses=tuple(witnesses))
    return _UNDECIDED if stopped else made


def _candidates(session: Session, puzzle: Puzzle, deadline: Deadline) -> Certificate | NoCertificate:
    """A grid for each value that some solution has; most have several that are new."""
    grids, seen = list[Grid](), [0] * puzzle.board.cells
    for cell, allowed in enumerate(puzzle.candidates):
        for value in members(allowed):
            if seen[cell] >> value & 1:
                continue
            narrowed = tuple(1 << value if at == cell else some for at, some in enumerate(puzzle.candidates))
            outcome = session.run(replace(puzzle, candidates=narrowed), Budget(1, deadline.left()))
            if not outcome.grids and not outcome.exact:
                return _UNDECIDED
            for grid in outcome.grids:
                grids.append(grid)
                seen = [some | 1 << value for some, value in zip(seen, grid, strict=True)]
    return Certificate(claim=Claim.CANDIDATES, puzzle=puzzle, grids=tuple(grids))


def _count(session: Session, puzzle: Puzzle, deadline: Deadline) -> Certificate | NoCertificate:
    """All solutions, in order."""
    outcome = session.run(puzzle, Budget(MAX_COUNT + 1, deadline.left()), keep=None)
    if outcome.count > MAX_COUNT:
        most = f"over {MAX_COUNT} solutions, and certificates of their number have up to that"
        return NoCertificate(Verdict.MULTIPLE.value, f"{Verdict.MULTIPLE.value}: {most}")
    certificate = Certificate(claim=Claim.COUNT, puzzle=puzzle, grids=tuple(sorted(outcome.grids)))
    return certificate if outcome.exact else _UNDECIDED


_UNDECIDED = NoCertificate(Verdict.UNDECIDED.value, "undecided: a search or the proof was stopped by its timeout")
_FINDERS: dict[CertificateKind, Callable[[Session, Puzzle, Deadline], Outcome | Certificate | NoCertificate]] = {
    CertificateKind.VERDICT: lambda session, puzzle, deadline: session.run(puzzle, Budget(2, deadline.left())),
    CertificateKind.MINIMAL: _minimal,
    CertificateKind.MINIMAL_MARKS: partial(_minimal, marks=True),
    CertificateKind.CANDIDATES: _candidates,
    CertificateKind.COUNT: _count,
}


@cache
def _distributions() -> Mapping[str, list[str]]:
    """Which distributions have a package of each name. Read once: it looks at all files that are installed."""
    return packages_distributions()


def versions(*names: str | None) -> dict[str, str]:
    """What runs compiled code, and the versions of the packages that these backends need, as far as they are known."""
    known = [name for name in names if name is not None and name.partition(":")[0] in backends.engines()]
    packages = {package for name in known for package in backends.engine(name).requires}
    needed = {name: version(name) for package in sorted(packages) for name in _distributions().get(package, [])[:1]}
    return {**library.versions(), **needed}
