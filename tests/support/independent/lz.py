"""LZ-string data in base 64, as links hold it, decoded from the description of the method: Lempel-Ziv 78 whose codes
grow by a bit whenever their number is used up; code 0 is followed by 8 bits of a new character, 1 by 16, 2 is the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase, digits

ALPHABET = ascii_uppercase + ascii_lowercase + digits + "+/"


def decode(packed: str) -> str:
    """The text; raises ValueError for what is not such data."""
    bits = _bits(packed)
    literal = {0: 8, 1: 16}
    entries: dict[int, str] = {}
    known, width, left = 3, 3, 4  # codes in use; bits of a code; how many codes until it takes one more
    first = _number(bits, 2)
    if first == 2:
        return ""
    before = entries[known] = chr(_number(bits, literal[first]))
    known, text = known + 1, [before]
    while (code := _number(bits, width)) != 2:
        if code in literal:
            entries[known] = chr(_number(bits, literal[code]))
            code, known, left = known, known + 1, left - 1
            if left == 0:
                left, width = 1 << width, width + 1
        if code not in entries and code != known:
            raise ValueError(f"code {code} of {known}")
        entry = entries[code] if code in entries else before + before[0]
        text.append(entry)
        entries[known] = before + entry[0]
        before, known, left = entry, known + 1, left - 1
        if left == 0:
            left, width = 1 << width, width + 1
    return "".join(text)


def _bits(packed: str) -> Iterator[int]:
    for character in packed.rstrip("=$\\"):
        number = ALPHABET.index(character)
        yield from (number >> place & 1 for place in reversed(range(6)))


def _number(bits: Iterator[int], width: int) -> int:
    """The next bits, the lowest first."""
    try:
        return sum(next(bits) << place for place in range(width))
    except RuntimeError:
        raise ValueError("the data ends too soon") from None
