"""RAT steps, proofs checked backward, LRAT, and the checkers that are not ours where they are on PATH."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from support.amount import tries
from support.certificates import HARD, certified, flat, hard, provers, simple, steps_of

from satdoku import read
from satdoku.errors import BackendError, CertificateError
from satdoku.proofs import checkers, drup, lrat
from satdoku.proofs.checkers import CHECKERS
from satdoku.proofs.drup import DELETE, Numbers
from satdoku.proofs.formula import Formula

OURS = ("drat", "backward", "lrat")
OTHERS = tuple(name for name in ("drat-trim", "lrat-check", "cake_lpr") if CHECKERS[name].absent() is None)


def holds(name: str, refuted: Formula, proof: Numbers) -> bool:
    try:
        checkers.find(name).open().check(refuted, proof)
    except CertificateError:
        return False
    return True


SQUARE = simple(*[[1, 2], [1, -2], [-1, 2], [-1, -2]])
# Whatever 1 to 4 are, one clause is broken; only the three last of the eight clauses over 1, 2, 3 say so.
EXAMPLE = simple(*[[1, 2, -3], [-1, -2, 3], [2, 3, -4], [-2, -3, 4], [-1, -3, -4], [1, 3, 4], [-1, 2, 4], [1, -2, -4]])


@pytest.mark.parametrize("checker", OURS + OTHERS)
@pytest.mark.parametrize(
    ("refuted", "proof", "expected"),
    [
        # The example of drat-trim's paper: the first step is RAT on -1 and does not follow.
        (EXAMPLE, "-1 0 d -1 -2 3 0 d -1 -3 -4 0 d -1 2 4 0 2 0 0", True),
        (EXAMPLE, "-1 0 2 0 0", True),
        (EXAMPLE, "0", False),
        (SQUARE, "5 1 0 5 -1 0 1 0 0", True),  # 5 is new: true whatever 1 is
        (SQUARE, "5 0 1 0 0", True),
        (SQUARE, "5 0 -5 0 0", False),  # no clause had -5 before, and now one has 5
        (SQUARE, "-5 1 2 0 5 -1 0 5 -2 0 1 0 0", True),  # 5 is defined as 1 or 2
        (simple(*[[1, 2], [-1, 2], [1, -2]]), "-1 0 0", False),  # satisfiable
        (simple(*[[1, 2], [-1, 2], [1, -2]]), "3 0 -3 1 0 0", False),
        (simple(*[[1, 2], [-1, -2]]), "1 0 -2 0 2 0 0", False),  # 1 is RAT; 2 is then not
        (simple(*[[1], [-1, 2], [-2]]), "0", True),
    ],
)
def test_known_proofs_with_steps_that_only_rat_allows(
    checker: str, refuted: Formula, proof: str, expected: bool
) -> None:
    assert holds(checker, refuted, drup.read(proof, "proof")) is expected


def test_rup_takes_no_rat() -> None:
    assert not holds("rup", SQUARE, drup.read("5 0 1 0 0", "proof"))
    assert holds("rup", SQUARE, drup.read("1 0 0", "proof"))


def fault(refuted: Formula, steps: list[list[int]]) -> str:
    try:
        checkers.find("drat").open().check(refuted, flat(steps))
    except CertificateError as error:
        return str(error)
    return ""


def satisfiable(clauses: list[list[int]]) -> bool:
    every = max(abs(literal) for clause in clauses for literal in clause)
    return any(
        all(any(signs[abs(x) - 1] is (x > 0) for x in clause) for clause in clauses)
        for signs in product((False, True), repeat=every)
    )


def test_random_steps_never_refute_what_has_a_solution_and_ours_agree() -> None:
    """Backward accepts what forward does, and more: it leaves out what is not needed."""
    rng = Random(11)
    found = {True: 0, False: 0}
    rats = 0
    for _ in range(tries(300, 1000)):
        variables = rng.randint(3, 4)
        literals = [sign * variable for variable in range(1, variables + 1) for sign in (1, -1)]
        more = [*literals, variables + 1, -variables - 1]
        clauses = [rng.sample(literals, k=rng.choice((2, 3, 3))) for _ in range(rng.randint(4, 40))]
        new, one, other = variables + 1, *rng.sample(literals, 2)
        kept = [[-new, one, other], [new, -one], [new, -other]] * rng.randint(0, 1)  # new is one or other
        for _ in range(rng.randint(1, 14)):
            step = rng.sample(more, k=rng.choice((1, 1, 2, 3)))
            if rng.random() < 0.2:
                step = [DELETE, *rng.choice(clauses)]
            # Steps that are not RAT are dropped, else nearly all proofs would end at the first.
            if step[0] == DELETE or "not follow" not in fault(simple(*clauses), [*kept, step]) or rng.random() < 0.02:
                kept.append(step)
        proof, refuted = flat([*kept, []]), simple(*clauses)
        ours = holds("drat", refuted, proof)
        assert not (ours and satisfiable(clauses)), (clauses, kept)
        backward = holds("backward", refuted, proof)
        assert backward is holds("lrat", refuted, proof)
        assert backward or not ours, (clauses, kept)
        assert not (backward and satisfiable(clauses)), (clauses, kept)
        rats += ours and not holds("rup", refuted, proof)
        found[ours] += 1
    assert min(found.values()) > tries(30, 100)
    assert rats > tries(1, 5)


@pytest.mark.parametrize("prover", [name for name in provers() if name != "lingeling"])
def test_proofs_of_each_prover_hold_for_each_checker(prover: str) -> None:
    certificate = certified(read(HARD), prover)
    assert certificate.proof is not None
    for checker in OURS + OTHERS:
        checkers.find(checker).open().check(certificate.formula, certificate.proof)


def trimmed(number: int) -> tuple[Formula, list[lrat.LratStep]]:
    certificate = certified(hard(number), "glucose4" if number % 2 else "native")
    assert certificate.proof is not None
    return certificate.formula, list(lrat.trimmed(certificate.formula, certificate.proof))


def test_what_is_trimmed_is_no_more_than_the_proof_and_drops_hints_for_nothing() -> None:
    for number in range(4):
        refuted, steps = trimmed(number)
        proof = certified(hard(number), "glucose4" if number % 2 else "native").proof
        assert sum(step[1] is not None for step in steps) <= len(steps_of(proof)) + 1
        lrat.check(refuted, iter(steps))
        for at, (name, clause, hints) in enumerate(steps):
            if clause is not None and len(hints) > 1:
                broken = [*steps[:at], (name, clause, hints[:-1]), *steps[at + 1 :]]
                with pytest.raises(CertificateError, match=f"clause {name} of the LRAT proof is not shown"):
                    lrat.check(refuted, iter(broken))


@pytest.mark.parametrize("prover", ["native", "glucose4", "cadical153"])
def test_the_core_is_what_lrat_keeps_and_holds(prover: str) -> None:
    shorter = 0
    for puzzle in (read(HARD), hard(0), hard(3)):
        certificate = certified(puzzle, prover)
        proof, refuted = certificate.proof, certificate.formula
        assert proof is not None
        core = lrat.core(refuted, proof)
        kept = lrat.plain(refuted, lrat.trimmed(refuted, proof))
        assert list(map(sorted, steps_of(core))) == list(map(sorted, steps_of(kept)))
        assert all(holds(name, refuted, core) for name in OURS)
        shorter += len(core) < len(proof)
    assert shorter


def forged(rng: Random, steps: list[lrat.LratStep]) -> Iterator[list[lrat.LratStep]]:
    for at in rng.sample(range(len(steps)), min(len(steps), 5)):
        name, clause, hints = steps[at]
        yield [*steps[:at], *steps[at + 1 :]]
        yield [*steps[:at], (name, clause and [-clause[0], *clause[1:]], hints), *steps[at + 1 :]]
        yield [*steps[:at], (name, clause and clause[1:], hints), *steps[at + 1 :]]
        yield [*steps[:at], (name, clause, rng.sample(range(1, 300), 3)), *steps[at + 1 :]]
        yield [*steps[:at], (1, clause, hints), *steps[at + 1 :]]


def test_forged_lrat_never_refutes_what_has_a_solution() -> None:
    """The same steps, forged, for the formula without its last clause, which has the solution."""
    rng = Random(2)
    for number in range(6):
        refuted, steps = trimmed(number)
        weaker = simple(*list(refuted)[:-1]) if certified(hard(number), "native").grids else None
        for changed in forged(rng, steps):
            if weaker is not None:
                with pytest.raises(CertificateError):
                    lrat.check(weaker, iter(changed))
    with pytest.raises(CertificateError, match="cut"):
        lrat.check(refuted, iter(steps[:-1]))


def test_lrat_as_text() -> None:
    steps: list[lrat.LratStep] = [(5, [1], [1, 2]), (5, None, [1, 2]), (6, [], [5, 3, 4])]
    assert lrat.text(iter(steps)) == "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"
    lrat.check(SQUARE, iter([(5, [1], [1, 2]), (6, [], [5, 3, 4])]))


def test_lrat_is_read_as_it_is_written_and_its_steps_are_a_drat_proof() -> None:
    for number in range(4):
        refuted, steps = trimmed(number)
        assert list(lrat.read(f"c made by a test\n\n{lrat.text(iter(steps))}", "proof")) == steps
        assert holds("rup", refuted, lrat.plain(refuted, steps))


@pytest.mark.parametrize(
    "line", ["9 1 2 0 3 4", "9 1 2 0 3 4 0 5 0", "d 1 0", "x 1 0 2 0", "9 d 1", "9 1 99999999999 0 1 0", "9 1_0 0 1 0"]
)
def test_a_line_that_is_not_lrat_is_named(line: str) -> None:
    with pytest.raises(CertificateError, match="proof, line 2: expected a number, literals, 0, hints, 0"):
        list(lrat.read(f"9 1 2 0 3 4 0\n{line}\n", "proof"))


def test_mutated_lrat_is_refused_or_still_a_proof() -> None:
    """What the hints show holds for a checker that looks for the reasons itself."""
    rng = Random(5)
    refuted, steps = trimmed(0)
    words, accepted, refused = lrat.text(iter(steps)).split(" "), 0, 0
    for _ in range(400):
        mutated = words.copy()
        at = rng.randrange(len(words))
        mutated[at : at + 1] = rng.choice(([], [words[at], "1"], [f"-{words[at]}"], [rng.choice(words)]))
        try:
            changed = list(lrat.read(" ".join(mutated), "proof"))
            lrat.check(refuted, changed)
        except CertificateError:
            refused += 1
            continue
        accepted += 1
        assert holds("drat", refuted, lrat.plain(refuted, changed))
    assert refused > 100
    assert accepted > 0


@pytest.mark.parametrize("broken", [False, True])
def test_a_program_may_write_lrat(broken: bool, tmp_path: Path) -> None:
    """A program that copies a proof with its hints: with all of them, or without those of its last step."""
    puzzle = hard(1)
    _, steps = trimmed(1)
    number, clause, hints = steps[-1]
    written = lrat.text(iter([*steps[:-1], (number, clause, [] if broken else hints)]))
    tmp_path.joinpath("made.lrat").write_text(written)
    script = tmp_path / "solver.py"
    script.write_text("import shutil, sys\nshutil.copy(sys.argv[2], sys.argv[3])\nsys.exit(20)\n")
    prover = f"dimacs:{sys.executable} {script} {{cnf}} {tmp_path}/made.lrat {{lrat}}"
    if not broken:
        assert certified(puzzle, prover).checker == "drat"
        return
    with pytest.raises(BackendError, match="not shown by its hints"):
        certified(puzzle, prover)
