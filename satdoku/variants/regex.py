"""Regular expressions over values, read by Brzozowski's derivatives (Journal of the ACM 11, 1964).

The derivative of a language by a value is what may follow that value; with alternatives kept as sets there are
finitely many of them, and they are the states of an automaton.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from satdoku.errors import PuzzleError
from satdoku.variants.expressions import MAX_LENGTH

Pattern = tuple[Any, ...]
"""("set", values), ("cat", first, second), ("alt", patterns) or ("repeat", pattern, least, most); most may be None."""

EMPTY: Pattern = ("repeat", ("set", frozenset()), 0, 0)
"""Matches no value at all, the empty sequence alone."""

NOTHING: Pattern = ("alt", frozenset())

MAX_REPEATS = 256


def cat(first: Pattern, second: Pattern) -> Pattern:
    if NOTHING in (first, second):
        return NOTHING
    if first == EMPTY:
        return second
    return first if second == EMPTY else ("cat", first, second)


def alt(*patterns: Pattern) -> Pattern:
    found: set[Pattern] = set()
    for pattern in patterns:
        found |= pattern[1] if pattern[0] == "alt" else {pattern}
    return next(iter(found)) if len(found) == 1 else ("alt", frozenset(found))


def repeat(pattern: Pattern, least: int, most: int | None) -> Pattern:
    if most == 0:
        return EMPTY
    return pattern if (least, most) == (1, 1) else ("repeat", pattern, least, most)


@lru_cache(maxsize=1 << 16)
def matches_empty(pattern: Pattern) -> bool:
    """Whether no value at all is a match."""
    match pattern:
        case "cat", first, second:
            return matches_empty(first) and matches_empty(second)
        case "alt", patterns:
            return any(map(matches_empty, patterns))
        case "repeat", repeated, least, _:
            return least == 0 or matches_empty(repeated)
    return False


@lru_cache(maxsize=1 << 16)
def derivative(pattern: Pattern, value: int) -> Pattern:
    """What may follow `value`."""
    match pattern:
        case "set", values:
            return EMPTY if value in values else NOTHING
        case "cat", first, second:
            after = cat(derivative(first, value), second)
            return alt(after, derivative(second, value)) if matches_empty(first) else after
        case "alt", patterns:
            return alt(*(derivative(each, value) for each in patterns))
    _, repeated, least, most = pattern
    rest = repeat(repeated, max(least - 1, 0), None if most is None else most - 1)
    return NOTHING if most == 0 else cat(derivative(repeated, value), rest)


class Parser:
    """Reads `( | ) * + ? {n,m} . [1-4] [^5]`, a character a value, `<12>` for values above 9."""

    def __init__(self, text: str, values: range) -> None:
        self.text, self.values, self.at = text, values, 0

    def parse(self) -> Pattern:
        """The whole text; raises PuzzleError with the place of what is not understood."""
        if len(self.text) > MAX_LENGTH:
            raise PuzzleError(f"a pattern of {len(self.text)} characters: expected at most {MAX_LENGTH}")
        if not self.text:
            self._refuse("a pattern")
        try:
            found = self._either()
        except RecursionError:
            raise PuzzleError(f"pattern {self.text[:40]!r}: brackets nested too deep") from None
        return found if self.at == len(self.text) else self._refuse("a value, . [ ( or |")

    def value_set(self) -> frozenset[int]:
        """Values and ranges, `13-5<12>`, to the end of the text or to `]`."""
        found: set[int] = set()
        while self._next() not in ("", "]"):
            first = self._value()
            last = first
            if self._take("-"):
                last = self._value()
            found.update(range(first, last + 1))
        return frozenset(found)

    def _either(self) -> Pattern:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return alt(*parts)

    def _sequence(self) -> Pattern:
        parts = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated())
        found = EMPTY
        for part in reversed(parts):
            found = cat(part, found)
        return found

    def _repeated(self) -> Pattern:
        found = self._atom()
        while self._next() and self._next() in "*+?{":
            sign = self._read()
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign) or self._bounds()
            found = repeat(found, least, most)
        return found

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
            found = self._either()
            return found if self._take(")") else self._refuse(")")
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
