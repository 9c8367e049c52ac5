"""What the value of a mark may be, and other names of kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What a mark's value may be: a whole number, unless it says otherwise."""

    required: bool = False  # whether a mark without one is an error; else `default` stands for it
    default: int | None = None  # None means that the mark holds without a value
    words: tuple[str, ...] = ()  # the texts allowed
    several: bool = False  # whether it is a list of numbers, kept as text with blanks between
    text: bool = False  # whether it is any text, which the kind itself reads
    preset: int | str | None = None  # what an alias of the kind stands for, where it stands for one value
    meaning: str = ""  # what it says, for people: `the total`

    @property
    def described(self) -> str:
        usual = f", {self.default} by default" if self.default is not None else ", may be left out"
        return self.meaning if self.required else self.meaning + usual


def needs(meaning: str, **more: Any) -> Value:
    return Value(required=True, meaning=meaning, **more)


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a kind; with a `value`, of the kind with that value."""

    name: str
    value: int | str | None = None


ANY_NUMBERS = frozenset({"cage", "sum", "multisum-cage", "edge-sum", "edge-product", "difference", "ratio", "xv"})
ANY_NUMBERS |= {"arrow", "greater-than", "thermometer", "slow-thermometer", "whispers", "renban", "nabner", "even"}
ANY_NUMBERS |= {"palindrome", "between", "lockout", "zipper", "double-arrow", "average-arrow", "equal-sum", "clone"}
ANY_NUMBERS |= {"different-sum", "pair", "pair-all", "regex", "automaton", "count", "any", "all", "none", "exactly"}
ANY_NUMBERS |= {
    "extra-region",
    "same-values",
    "count-distinct",
    "digital-root",
    "parity-line",
    "same-difference",
    "max-difference",
    "not-renban",
    "odd",
}
"""Kinds that say the same of any numbers, so that variables on them may have values that no cell of the grid has."""
