"""What a setter asks beyond the verdict: what can still go where, why, and which givens are needed.

Each question keeps one SAT solver warm, asks it under assumptions, and reads its models and cores. `warm` is
that solver, `candidates`, `explain` and `minimize` are the questions, `asked` and `shown` what a command makes
of them.
"""

from satdoku.setter.candidates import Candidates, candidates
from satdoku.setter.minimize import Minimal, minimize

__all__ = ["Candidates", "Minimal", "candidates", "minimize"]
