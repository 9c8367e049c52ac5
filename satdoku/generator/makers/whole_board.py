"""Makers of other rules of the whole board."""

from __future__ import annotations

from satdoku.generator.makers.registry import made_of_nothing

made_of_nothing("global-entropy", "12 34", None, "1 23")

made_of_nothing("roping", None, "ROWS", "COLUMNS")

made_of_nothing("global-mod", 2, None)

made_of_nothing("flatmates", None, "2 1 4", "1 3 4")
