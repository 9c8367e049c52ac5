"""What a setter asks beyond the verdict: what can still go where, why, and which givens are needed.

Each question asks one incremental SAT solver under assumptions, and reads its models and cores, which `reasons` names.
"""

from satdoku.setter.candidates import Candidates as Candidates
from satdoku.setter.cores import CoreStep as CoreStep
from satdoku.setter.difficulty import Difficulty as Difficulty
from satdoku.setter.difficulty import rate as rate
from satdoku.setter.explain import Completion as Completion
from satdoku.setter.explain import Explanation as Explanation
from satdoku.setter.minimize import Minimal as Minimal
from satdoku.setter.reasons import Fact as Fact
from satdoku.setter.reasons import Guarantee as Guarantee
from satdoku.setter.reasons import Reason as Reason
from satdoku.techniques.step import Level as Level
from satdoku.techniques.step import Step as Step
