"""What a setter asks beyond the verdict: what can still go where, why, and which givens are needed.

Each question asks one incremental SAT solver under assumptions, and reads its models and cores, which `reasons` names.
"""

from satdoku.setter.candidates import Candidates
from satdoku.setter.cores import CoreStep
from satdoku.setter.difficulty import Difficulty, rate
from satdoku.setter.explain import Completion, Explanation
from satdoku.setter.minimize import Minimal
from satdoku.setter.reasons import Fact, Guarantee, Reason
from satdoku.techniques.step import Level, Step

__all__ = [
    "Candidates", "Completion", "CoreStep", "Difficulty", "Explanation", "Fact", "Guarantee", "Level", "Minimal",
    "Reason", "Step", "rate",
]  # fmt: skip
