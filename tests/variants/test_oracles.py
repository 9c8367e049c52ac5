"""Every kind of mark has an oracle and a maker, and its oracle stands where its constraints do."""

from __future__ import annotations

import pytest
from support.oracles import BEYOND_THE_GRID, LAYERS, MAKERS, ORACLES

from satdoku.variants import kinds


def test_every_kind_has_an_oracle() -> None:
    assert sorted(ORACLES) == sorted(kinds())


def test_every_kind_that_speaks_of_the_grid_alone_has_a_maker() -> None:
    assert sorted(MAKERS) == sorted(ORACLES.keys() - BEYOND_THE_GRID)


@pytest.mark.parametrize("kind", sorted(ORACLES))
def test_the_oracle_is_in_the_module_of_the_family(kind: str) -> None:
    family = kinds()[kind].lower.__module__.removeprefix("satdoku.variants.")
    assert ORACLES[kind].__module__ == f"support.oracles.{family}"


def test_every_layer_has_a_kind_that_makes_it_and_is_read_by_it() -> None:
    made = {name: kind.layer for name, kind in kinds().items() if kind.layer}
    assert made.items() <= LAYERS.items()
    assert set(made.values()) == set(LAYERS.values())
