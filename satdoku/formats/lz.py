"""LZ-string over base64, as links hold it: decompressed in time linear in the text, and no further than a bound. The
format is that of https://github.com/pieroxy/lz-string. Each phrase is the one before it and one more character, so it
stands in the text already, and where it stands is all that has to be kept of it."""

from string import ascii_lowercase, ascii_uppercase, digits

from satdoku.errors import FormatError
from satdoku.limits import MAX_PUZZLE

ALPHABET = ascii_uppercase + ascii_lowercase + digits + "+/"
BITS = str.maketrans({character: f"{index:06b}" for index, character in enumerate(ALPHABET)})

NEW = {0: 8, 1: 16}
"""Codes of a new character, and how many bits it has. Code 2 is the end; phrases are numbered from 3."""
END = 2

NO_DATA = "the link holds no LZ-string data: it may have been cut"


class _Bits:
    """The bits of a text; numbers are written with their lowest bit first."""

    def __init__(self, packed: str) -> None:
        self._bits = packed.translate(BITS)
        self._at = 0

    def take(self, count: int) -> int:
        end = self._at + count
        if end > len(self._bits):
            raise FormatError("the link ends early: it may have been cut")
        number = int(self._bits[self._at : end][::-1], 2)
        self._at = end
        return number

    @property
    def rest(self) -> str:
        return self._bits[self._at :]


def decompress(packed: str) -> str:
    """The text of a link; raises FormatError for what is not LZ-string data, was cut, or is longer than 4 MB.

    >>> decompress("BIUwNmD2Q===")
    'Hello'
    """
    packed = packed.rstrip("=\\")  # the site pads by either
    if not set(ALPHABET).issuperset(packed):
        raise FormatError(NO_DATA)
    bits = _Bits(packed)
    units: list[int] = []  # of UTF-16
    phrases = [(0, 0)] * 3  # where each stands in the text, and its length
    last = (0, 0)
    width, room = 2, 1  # the bits of a code, and how many phrases may come before codes have one more
    while (code := bits.take(width)) != END:
        count = len(phrases)
        if code in NEW:
            phrases.append((len(units), 1))
            units.append(bits.take(NEW[code]))
        elif code < count or (code == count and last[1]):
            # Number `count` is the phrase that this code completes: the last one and its own first character.
            start, length = phrases[code] if code < count else last
            units += units[start : start + length]
            if code == count:
                units.append(units[start])
        else:
            raise FormatError(NO_DATA)
        if len(units) > MAX_PUZZLE:
            raise FormatError(f"the link holds more than {MAX_PUZZLE} characters: no puzzle has so many")
        if last[1]:
            phrases.append((last[0], last[1] + 1))
        last = (last[0] + last[1], len(units) - last[0] - last[1])
        room -= len(phrases) - count
        if room <= 0:
            room, width = room + (1 << width), width + 1
    if not units or "1" in bits.rest:
        raise FormatError(NO_DATA)
    return b"".join(unit.to_bytes(2, "little") for unit in units).decode("utf-16-le", "replace")
