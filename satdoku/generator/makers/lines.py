"""Makers of lines that compare digits."""

from __future__ import annotations

from random import Random

from satdoku.generator.drawing import MarkedSquare, Values, walk
from satdoku.generator.makers.clues import skyscraper
from satdoku.generator.makers.registry import made_of_a_line, maker
from satdoku.puzzle import Mark

for _kind in ("thermometer", "nabner", "renban"):
    maker(_kind)(lambda kind, rng, drawing, at: Mark(kind, lines=(tuple(walk(rng, drawing, 2, min(5, drawing.size))),)))

for _kind in ("slow-thermometer", "palindrome", "modular", "entropic", "between"):
    made_of_a_line(_kind, 2, 5)

made_of_a_line("lockout", 2, 4, 1, 2, 2, None)

made_of_a_line("same-difference", 3, 4, None, "ZERO")

made_of_a_line("arithmetic", 3, 4)

made_of_a_line("parity-line", 2, 6)

made_of_a_line("high-low-line", 2, 5)

made_of_a_line("modular-by", 2, 5, 2, 3, 4)

made_of_a_line("unimodular", 2, 4, None, 2)

made_of_a_line("index-line", 2, 4)

made_of_a_line("value-index", 3, 6)

made_of_a_line("successor-arrow", 2, 5)

made_of_a_line("odd-even-thermometer", 2, 3)

made_of_a_line("not-renban", 2, 4)

made_of_a_line("max-difference", 2, 5, 1, 2, 3)


@maker("skyscraper-line")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    line = tuple(walk(rng, drawing, 3, 6))
    seen = rng.randint(1, 4) if at is None else skyscraper([at[cell] for cell in line], drawing.digits)
    return Mark(kind, lines=(line,), value=seen)


@maker("whispers")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    usual = (None,) if drawing.size > 5 else (1, 2, 2, 2, 3, None)
    return Mark(kind, lines=(tuple(walk(rng, drawing, 2, 5)),), value=rng.choice(usual))
