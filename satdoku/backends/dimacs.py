"""Any executable that reads DIMACS CNF: `dimacs:cadical`, `dimacs:minisat {cnf} {out}`."""

from __future__ import annotations

import shlex
import shutil
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from satdoku.backends import Ending, Engine
from satdoku.backends.sat import Sat
from satdoku.encoders import dimacs
from satdoku.encoders.clauses import Clauses
from satdoku.errors import BackendError, InputError, Refused, reason_of
from satdoku.exports import answers
from satdoku.exports.answers import SolverAnswer, Status
from satdoku.limits import MAX_ANSWER, MAX_PROOF, TimeIsUp, bounded_time
from satdoku.system import process
from satdoku.system.clock import Deadline
from satdoku.system.scratch import Scratch

if TYPE_CHECKING:
    from satdoku.constraints import Grid
    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula

CNF = "{cnf}"
OUT = "{out}"
PROOF = "{proof}"
LRAT = "{lrat}"

PROVERS = {"cadical": "-q --no-binary {cnf} {proof}", "kissat": "-q --no-binary {cnf} {proof}"}
"""Executables whose options to write a proof as text are known."""

KNOWN = {
    "cadical": "-q {cnf}",
    "kissat": "-q {cnf}",
    "minisat": "-verb=0 {cnf} {out}",
    "cryptominisat5": "--verb 0 {cnf}",
    "picosat": "{cnf}",
    "glucose": "-model {cnf}",
    "glucose-syrup": "-model {cnf}",
    "lingeling": "-q {cnf}",
    "plingeling": "{cnf}",
}

UNSATISFIABLE = 20
EXPECTED = {10: Status.SATISFIABLE, UNSATISFIABLE: Status.UNSATISFIABLE}  # exit statuses of the SAT competition
HEADER_BYTES = 64  # bytes kept at the head of a file for its `p` line, which is written anew for each solve


class SolverProgram:
    """An executable and a folder of its own: the CNF that it reads, and what it writes."""

    def __init__(self, command: list[str]) -> None:
        self.name = command[0]
        self._command = command
        self._folder = Scratch()
        folder = self._folder.path
        self.cnf, self.proof, self._out = folder / "puzzle.cnf", folder / "proof", folder / "answer"
        self._printed, self._errors = folder / "printed", folder / "errors"

    def run(self, deadline: Deadline) -> int | None:
        """Its exit status; None if the deadline ended it. Raises BackendError if it cannot run or writes too much."""
        self._out.unlink(missing_ok=True)
        paths = {CNF: str(self.cnf), OUT: str(self._out), PROOF: str(self.proof), LRAT: str(self.proof)}
        command = [_filled(word, paths) for word in self._command]
        most = dict.fromkeys((self._out, self._printed, self._errors), MAX_ANSWER) | {self.proof: MAX_PROOF}
        try:
            return process.run(command, self.cnf.parent, self._printed, self._errors, deadline, most)
        except OSError as error:
            raise BackendError(f"{self.name} cannot be run: {reason_of(error)}") from None

    def answer(self) -> Path:
        return self._out if any(OUT in word for word in self._command) else self._printed

    def last_message(self) -> str:
        return process.last_message(self._errors, self._printed)

    def close(self) -> None:
        self._folder.close()


class ExecutableOracle:
    """An oracle that runs a program for each solve, which writes only its `p` line and assumptions to the file."""

    def __init__(self, command: list[str], clauses: Clauses) -> None:
        self._program = SolverProgram(command)
        self._variables = clauses.variables
        self._count = len(clauses)
        try:
            with self._program.cnf.open("wb") as stream:
                stream.write(_head(self._variables, self._count))
                stream.writelines(piece.encode() for piece in dimacs.pieces(clauses))
                self._end = stream.tell()
        except BaseException:
            self.close()
            raise

    def add_clause(self, clause: list[int]) -> None:
        self._append([clause])
        self._count += 1
        self._end = self._program.cnf.stat().st_size
        self._variables = max(self._variables, *map(abs, clause))

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        """Raises BackendError for an exit status other than 10, 20, and 0 where the answer is unknown, or unless the
        answer says the same.

        A status alone may be that of a wrapper, a shell or a missing library, and unsatisfiable has no grid to check.
        """
        self._append([[literal] for literal in assumptions])
        with self._program.cnf.open("r+b") as stream:
            stream.write(_head(self._variables, self._count + len(assumptions)))
        status = self._program.run(deadline)
        if status is None:
            return Ending.TIMEOUT
        if status == 0 and self._gave_up():
            return Ending.TIMEOUT  # a limit of its own
        if status not in EXPECTED:
            ended = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
            raise BackendError(f"{self._program.name} {ended}, expected 10 or 20{self._program.last_message()}")
        return self._answer(status)

    def close(self) -> None:
        self._program.close()

    def _append(self, clauses: list[list[int]]) -> None:
        with self._program.cnf.open("r+b") as stream:
            stream.seek(self._end)
            stream.write(dimacs.lines(clauses).encode())
            stream.truncate()

    def _gave_up(self) -> bool:
        with suppress(BackendError):
            return self._read().status is Status.UNKNOWN
        return False

    def _answer(self, status: int) -> list[int] | Ending:
        answer = self._read()
        if answer.status is not EXPECTED[status]:
            raise BackendError(f"{self._program.name} ended with status {status} and printed {answer.status.value}")
        return Ending.EXHAUSTED if status == UNSATISFIABLE else list(answer.literals)

    def _read(self) -> SolverAnswer:
        name, source = self._program.name, self._program.answer()
        try:
            with source.open(encoding="utf-8", errors="replace") as lines:
                return answers.read(lines, lambda literal: f"literal {literal}", self._variables)
        except FileNotFoundError:
            raise BackendError(f"{name} wrote no answer to {OUT}{self._program.last_message()}") from None
        except InputError as error:
            hint = "" if source.name == "answer" else f"; if it writes its answer to a file, name that {OUT}"
            raise BackendError(f"the answer of {name}: {error}{hint}") from None


class ExecutableProver:
    def __init__(self, argument: str | None) -> None:
        words = parsed(argument)
        program = Path(words[0]).name
        self._hints = any(LRAT in word for word in words)
        if not self._hints and not any(PROOF in word for word in words):
            if len(shlex.split(argument or "")) > 1 or program not in PROVERS:
                raise Refused(
                    f"backend dimacs:{argument} names no file for a proof: put {PROOF} into the command, or {LRAT}"
                )
            words = [words[0], *shlex.split(PROVERS[program])]
        self.name = f"dimacs:{program}"
        self._command = words

    def refute(
        self, formula: Formula, grid: Grid | None, deadline: Deadline, work: int | None = None
    ) -> Numbers | None:
        from satdoku.proofs import drup, lrat

        with closing(SolverProgram(self._command)) as program:
            program.cnf.write_text(formula.text(), "ascii")
            status = program.run(deadline)
            if status is None:
                return None
            if status != UNSATISFIABLE or not program.proof.exists():
                ended = f"ended with status {status}" if status != UNSATISFIABLE else "wrote no proof to its file"
                raise BackendError(f"{self.name} {ended}{program.last_message()}")
            text, name = program.proof.read_text("ascii", "replace"), f"proof of {self.name}"
        if not self._hints:
            return drup.read(text, name)
        steps = list(lrat.read(text, name))
        with suppress(TimeIsUp), bounded_time(deadline.left()):
            lrat.check(formula, steps)
            return lrat.plain(formula, steps)
        return None


def on_path() -> tuple[str, ...]:
    return tuple(f"dimacs:{name}" for name in KNOWN if shutil.which(name))


def parsed(argument: str | None) -> list[str]:
    """The command of `dimacs:ARGUMENT`, with `{cnf}` in it; raises InputError if there is none or no such program."""
    here = f"found here: {', '.join(on_path()) or 'none'}"
    try:
        words = shlex.split(argument or "")
    except ValueError as error:
        raise InputError(f"backend dimacs:{argument}: {error}") from None
    if not words:
        raise InputError(f"backend dimacs needs a command, such as 'dimacs:minisat {CNF} {OUT}'; {here}")
    if shutil.which(words[0]) is None:
        raise InputError(f"backend dimacs: no program {words[0]!r} on PATH; {here}")
    if len(words) == 1:
        words += shlex.split(KNOWN.get(Path(words[0]).name, CNF))
    return words if any(CNF in word for word in words) else [*words, CNF]


def _open(argument: str | None, encoding: str | None) -> Sat:
    return Sat(partial(ExecutableOracle, parsed(argument)), encoding)


def _head(variables: int, clauses: int) -> bytes:
    """HEADER_BYTES bytes, filled up by a comment: no reader objects to one, and some do to further spaces."""
    line = dimacs.problem(variables, clauses)
    return f"c {'.' * (HEADER_BYTES - len(line) - 3)}\n{line}".encode()


def _filled(word: str, paths: dict[str, str]) -> str:
    for placeholder, path in paths.items():
        word = word.replace(placeholder, path)
    return word


ENGINES = (
    Engine(
        name="dimacs",
        summary="any executable that reads DIMACS CNF",
        open=_open,
        encodes=True,
        argument=f"the command, such as cadical, or minisat {CNF} {OUT}",
        abilities=("killed at the timeout",),
        forms=on_path,
        prover=ExecutableProver,
    ),
)
