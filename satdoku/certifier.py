"""Verdicts to certificates. A certificate is given away only once the checker has accepted it."""

from importlib.metadata import packages_distributions, version

from satdoku import backends
from satdoku.backends import Budget
from satdoku.backends.clock import Deadline
from satdoku.constraints import Grid
from satdoku.errors import BackendError, CertificateError, Refused
from satdoku.proofs import checkers
from satdoku.proofs.certificate import Certificate, Claim
from satdoku.proofs.formula import formula, refusal
from satdoku.proofs.verify import examine, without
from satdoku.puzzle import Puzzle
from satdoku.verdict import Outcome, Session, Verdict


class Certifier:
    """Proves verdicts by one backend and has the proofs checked. Raises as `backends.prover` and `checkers.find` do."""

    def __init__(self, backend: str | None = None, checker: str = checkers.DEFAULT) -> None:
        self._prover = backends.prover(backend)
        self._checker = checkers.find(checker).open()

    def admit(self, puzzle: Puzzle) -> None:
        """Raise Refused for a puzzle on a board that certificates are not for."""
        reason = refusal(puzzle.board)
        if reason:
            raise Refused(f"{puzzle.name}: {reason}")

    def certify(
        self, puzzle: Puzzle, outcome: Outcome, seconds: float | None = None, witnesses: tuple[Grid, ...] | None = None
    ) -> Certificate | None:
        """What the outcome of `puzzle` rests on; None if it is undecided, or if no proof came within `seconds`.

        witnesses: for each given a grid that keeps all the others; the claim is then that the puzzle is minimal, too
        Raises Refused for a board that certificates are not for, BackendError for a proof that is none.
        """
        self.admit(puzzle)
        if outcome.verdict is Verdict.UNDECIDED:
            return None
        minimal = witnesses is not None and outcome.verdict is Verdict.UNIQUE
        claim = Claim.MINIMAL if minimal else Claim(outcome.verdict.value)
        proof = prover = None
        if claim is Claim.MULTIPLE:
            grids = self._two(puzzle, outcome, seconds)
        else:
            grids = outcome.grids[:1]
            try:
                proof = self._prover.refute(formula(puzzle, outcome.grid), outcome.grid, Deadline(seconds))
            except CertificateError as error:
                raise BackendError(f"{puzzle.name}: {error}") from None
            if proof is None:
                return None
            prover = self._prover.name  # of the one that wrote this proof
        certificate = Certificate(
            claim=claim, puzzle=puzzle, grids=grids, proof=proof, witnesses=witnesses or (), prover=prover
        )
        try:
            examine(certificate, self._checker)
        except CertificateError as error:
            raise BackendError(f"{puzzle.name}: the proof by {prover} does not check: {error}") from None
        return certificate

    def _two(self, puzzle: Puzzle, outcome: Outcome, seconds: float | None) -> tuple[Grid, ...]:
        """Two grids that are the same whatever was asked before: a loaded SAT solver's depend on that."""
        if backends.engine(outcome.backend).encodes:
            with Session(outcome.backend) as session:
                fresh = session.run(puzzle, Budget(2, seconds))
            outcome = fresh if fresh.verdict is Verdict.MULTIPLE else outcome
        return outcome.grids[:2]


def witnesses(session: Session, puzzle: Puzzle, solution: Grid, seconds: float | None = None) -> dict[int, Grid | None]:
    """For each given another grid that keeps all others, None where there is none; without those not found in time."""
    found: dict[int, Grid | None] = {}
    for cell, value in enumerate(puzzle.givens):
        if not value:
            continue
        outcome = session.run(without(puzzle, cell), Budget(2, seconds))
        others = [grid for grid in outcome.grids if grid != solution]
        if others or outcome.exact:
            found[cell] = others[0] if others else None
    return found


def versions(*names: str | None) -> dict[str, str]:
    """The versions of the packages that these backends need."""
    packages = {package for name in names if name is not None for package in backends.engine(name).requires}
    distributions = packages_distributions()
    return {name: version(name) for package in sorted(packages) for name in distributions.get(package, [])[:1]}
