"""At most one of m literals is true, over many groups of m at once."""

from __future__ import annotations

import numpy as np

from satdoku.encoders.clauses import Clauses, Literals


def pairwise(clauses: Clauses, groups: Literals) -> None:
    """No two together: m(m-1)/2 clauses for each row of `groups`, shape (groups, m); no new variable."""
    first, second = np.triu_indices(groups.shape[1], k=1)
    pairs = np.stack([groups[:, first], groups[:, second]], axis=2)
    clauses.extend(-pairs.reshape(-1, 2))
