"""What a constraint leaves to its cells is what trying one value after the other shows."""

from collections.abc import Callable
from random import Random

import pytest

from satdoku import testing as kit
from satdoku.constraints import Constraint
from satdoku.techniques.support import _one_by_one, support


@pytest.mark.parametrize("maker", [kit.linear, kit.table, kit.automaton])
def test_it_leaves_what_values_tried_one_by_one_show(maker: Callable[..., Constraint]) -> None:
    rng = Random(7)
    less = 0
    for _ in range(300):
        values = rng.randint(2, 6)
        rule = maker(rng, 5, values, None, "rule")
        allowed = [rng.randrange(1, 1 << values) << 1 for _ in range(5)]
        found = support(rule)(allowed)
        assert found == _one_by_one(rule, allowed)
        less += found != [allowed[cell] for cell in dict.fromkeys(rule.cells)]
    assert less > 50
