"""The Interactive Sudoku Solver: its CPU time, from a checkout of it and node."""

from __future__ import annotations

import json
import select
import subprocess
from dataclasses import dataclass
from pathlib import Path

SCRIPT = """
const root = process.argv[1];
const { ensureGlobalEnvironment } = await import(root + '/tests/helpers/test_env.js');
ensureGlobalEnvironment();
const { SudokuParser } = await import(root + '/js/sudoku_parser.js' + self.VERSION_PARAM);
const { SudokuBuilder } = await import(root + '/js/solver/sudoku_builder.js' + self.VERSION_PARAM);
const { createInterface } = await import('node:readline');
const used = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000; };
for await (const line of createInterface({ input: process.stdin })) {
  const constraint = SudokuBuilder.resolveConstraint(SudokuParser.parseText(JSON.parse(line)));
  const began = process.cpuUsage();
  const internal = SudokuBuilder.build(constraint)._internalSolver;
  let count = 0;
  internal.run({ maxSolutions: 2, maxBacktracks: 0 }, () => { count++; });
  console.log(JSON.stringify({ milliseconds: used(began), count, guesses: internal.counters.guesses }));
}
"""


@dataclass(frozen=True, slots=True)
class Answered:
    """What the solver came to. milliseconds: CPU time of building and of search; count: solutions, at most two"""

    milliseconds: float
    count: int
    guesses: int


class InteractiveSolver:
    """A process of node that answers one text after another; a new one where it is stopped or ends by itself."""

    def __init__(self, checkout: Path, node: str = "node") -> None:
        self._command = [node, "--input-type=module", "-e", SCRIPT, str(checkout.resolve())]
        self._process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, text: str, seconds: float) -> Answered | None:
        """The answer to a puzzle in the solver's own format; None if it gives none in so many seconds."""
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(text) + "\n")
        process.stdin.flush()
        line = process.stdout.readline() if select.select([process.stdout], [], [], seconds)[0] else ""
        if line:
            return Answered(**json.loads(line))
        self.begin_anew()
        return None

    def begin_anew(self) -> None:
        """Go on in a new process, which has compiled nothing."""
        self.close()
        self._process = self._started()

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
