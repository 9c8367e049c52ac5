"""Regular expressions over values, as automata by Glushkov's construction (Russian Mathematical Surveys 16, 1961). Each
value that a pattern names is a position; a state is the set of positions that may have matched the last value."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

from satdoku.errors import PuzzleError
from satdoku.puzzle import members

# ("set", values), ("cat", patterns), ("alt", patterns) or ("repeat", pattern, least, most); most may be None
Pattern = tuple[Any, ...]
MAX_LENGTH = 500  # characters of an expression or a pattern
MAX_REPEATS = 256
MAX_POSITIONS = 300  # values that a pattern may name once its repetitions are written out
Fragment = tuple[bool, int, int]  # whether no value at all is a match, and the sets of first and of last positions
EMPTY_TEXT: Fragment = (True, 0, 0)


@dataclass
class Positions:
    """The automaton of a pattern: for each position its values, and the set of positions that may follow. Position 0
    stands before the first value."""

    values: list[frozenset[int]] = field(default_factory=lambda: [frozenset()])
    follow: list[int] = field(default_factory=lambda: [0])
    accepting: int = 0
    _after: dict[int, int] = field(default_factory=dict)
    _matching: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))

    @classmethod
    def of(cls, pattern: Pattern) -> Positions:
        positions = cls()
        empty, positions.follow[0], last = positions._fragment(pattern)
        positions.accepting = last | empty
        for position, values in enumerate(positions.values):
            for value in values:
                positions._matching[value] |= 1 << position
        return positions

    def step(self, state: int, value: int) -> int | None:
        """The positions that match the value after those of a state; None if there is none."""
        if state not in self._after:
            self._after[state] = reduce(or_, (self.follow[position] for position in members(state)))
        return self._after[state] & self._matching[value] or None

    def accepts(self, state: int) -> bool:
        return bool(state & self.accepting)

    def _fragment(self, pattern: Pattern) -> Fragment:
        match pattern:
            case "set", values:
                if len(self.values) > MAX_POSITIONS:
                    raise PuzzleError(f"a pattern of more than {MAX_POSITIONS} digits with its repetitions written out")
                self.values.append(values)
                self.follow.append(0)
                return False, 1 << len(self.values) - 1, 1 << len(self.values) - 1
            case "cat", patterns:
                fragment = EMPTY_TEXT
                for each in patterns:
                    fragment = self._joined(fragment, self._fragment(each))
                return fragment
            case "alt", patterns:
                parts = [self._fragment(each) for each in patterns]
                first = last = 0
                for part in parts:
                    first, last = first | part[1], last | part[2]
                return any(part[0] for part in parts), first, last
        _, repeated, least, most = pattern
        fragment = EMPTY_TEXT
        for _ in range(least):
            fragment = self._joined(fragment, self._fragment(repeated))
        for _ in range(1 if most is None else most - least):
            _, first, last = self._fragment(repeated)
            if most is None:
                self._follow(last, first)
            fragment = self._joined(fragment, (True, first, last))
        return fragment

    def _joined(self, one: Fragment, other: Fragment) -> Fragment:
        self._follow(one[2], other[1])
        first = one[1] | (other[1] if one[0] else 0)
        last = other[2] | (one[2] if other[0] else 0)
        return one[0] and other[0], first, last

    def _follow(self, last: int, first: int) -> None:
        for position in members(last):
            self.follow[position] |= first


class Parser:
    """Reads `( | ) * + ? {n,m} . [1-4] [^5]`, a character a value, `<12>` for values above 9."""

    def __init__(self, text: str, values: range) -> None:
        self.text, self.values, self.at = text, values, 0

    def parse(self) -> Pattern:
        if len(self.text) > MAX_LENGTH:
            raise PuzzleError(f"a pattern of {len(self.text)} characters: expected at most {MAX_LENGTH}")
        if not self.text:
            self._refuse("a pattern")
        try:
            pattern = self._either()
        except RecursionError:
            raise PuzzleError(f"pattern {self.text[:40]!r}: brackets nested too deep") from None
        return pattern if self.at == len(self.text) else self._refuse("a value, . [ ( or |")

    def value_set(self) -> frozenset[int]:
        values: set[int] = set()
        while self._next() not in ("", "]"):
            first = self._value()
            last = first
            if self._take("-"):
                last = self._value()
            values.update(range(first, last + 1))
        return frozenset(values)

    def _either(self) -> Pattern:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return "alt", parts

    def _sequence(self) -> Pattern:
        parts = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated())
        return "cat", parts

    def _repeated(self) -> Pattern:
        pattern = self._atom()
        while self._next() and self._next() in "*+?{":
            sign = self._read()
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign) or self._bounds()
            pattern = ("repeat", pattern, least, most)
        return pattern

    def _bounds(self) -> tuple[int, int | None]:
        end = self.text.find("}", self.at)
        least, comma, most = self.text[self.at : max(end, self.at)].partition(",")
        numbers = [int(part) if part.isdecimal() and len(part) < 4 else None for part in (least, most)]
        first, last = numbers if comma else (numbers[0], numbers[0])
        if first is None or (comma and most and last is None) or first > (MAX_REPEATS if last is None else last):
            self._refuse("{n}, {n,} or {n,m}")
        if last is not None and last > MAX_REPEATS:
            self._refuse(f"at most {MAX_REPEATS} times")
        self.at = end + 1
        assert first is not None
        return first, last

    def _atom(self) -> Pattern:
        if self._take("("):
            pattern = self._either()
            return pattern if self._take(")") else self._refuse(")")
        if self._take("."):
            return "set", frozenset(self.values)
        if self._take("["):
            outside = self._take("^")
            found_values = self.value_set()
            if not self._take("]"):
                self._refuse("]")
            return "set", frozenset(self.values) - found_values if outside else found_values
        return "set", frozenset({self._value()})

    def _value(self) -> int:
        start, word = self.at, self._read()
        if word == "<":
            end = self.text.find(">", self.at)
            word, self.at = self.text[self.at : max(end, self.at)], max(end, self.at) + 1
        if not (word.isascii() and word.isdecimal() and len(word) < 4) or int(word) not in self.values:
            self.at = start
            self._refuse(f"a value from {self.values[0]} to {self.values[-1]}, above 9 in <>")
        return int(word)

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _read(self) -> str:
        self.at += 1
        return self.text[self.at - 1 : self.at]

    def _take(self, sign: str) -> bool:
        taken = self._next() == sign
        self.at += taken
        return taken

    def _refuse(self, expected: str) -> Any:
        seen = repr(self._next()) if self._next() else "the end"
        raise PuzzleError(f"pattern {self.text[:40]!r}, character {self.at + 1}: {seen}, expected {expected}")
