"""What a run asks about: single items, and chunks of them that go to workers together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

from satdoku.formats import Options
from satdoku.inputs.item import STANDARD_INPUT, Item

__all__ = ["STANDARD_INPUT", "Batch", "Block", "Chunk", "Item", "Lines", "alone", "items_of", "spanned"]


class Lines(Sequence[bytes]):
    """Lines of a text that are split only where they are looked at, which is in the workers."""

    def __init__(self, text: bytes, count: int) -> None:
        """text: the lines, with a line feed between each two; count: how many these are."""
        self.text = text
        self._count = count
        self._split: list[bytes] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        return self._all()[index]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._all())

    def __reduce__(self) -> tuple[type[Lines], tuple[bytes, int]]:
        return Lines, (self.text, self._count)

    def _all(self) -> list[bytes]:
        if self._split is None:
            self._split = self.text.split(b"\n")
        return self._split


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that hold a puzzle each, blanks and comments among them, not yet read.

    name:     the file, as named
    numbers:  of each line
    lines:    as bytes, without their ends
    expected: the solution that stands beside each, where one was asked for
    share:    how much of all input lies behind its end, 0 to 1; None if unknown
    table:    whether these are rows of a table, where a blank is an error
    rows:     the columns of each row, where these are kept
    """

    name: str
    numbers: Sequence[int]
    lines: Sequence[bytes]
    expected: Sequence[str | None] | None = None
    share: float | None = None
    table: bool = False
    rows: Sequence[Mapping[str, str]] | None = None

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns that are kept."""
        return tuple(self.rows[0]) if self.rows else ()

    def __len__(self) -> int:
        return len(self.lines)

    def part(self, start: int, end: int) -> Block:
        """Some of its lines, as a block."""
        if start == 0 and end >= len(self):
            return self
        expected = None if self.expected is None else self.expected[start:end]
        rows = None if self.rows is None else self.rows[start:end]
        lines = self.lines[start:end]
        return replace(self, numbers=self.numbers[start:end], lines=lines, expected=expected, rows=rows)

    def digest(self) -> bytes:
        """What its answers depend on: the lines, with a line feed between each two."""
        return self.lines.text if isinstance(self.lines, Lines) else b"\n".join(self.lines)

    def names(self, index: Sequence[int]) -> list[str]:
        """`FILE:LINE` of some of its lines."""
        numbers = self.numbers if len(index) == len(self) else [self.numbers[line] for line in index]
        return [f"{self.name}:{number}" for number in numbers]

    def item(self, index: int, options: Options) -> Item | None:
        """What one line holds; None for a blank or a comment, which in a table is an error."""
        from satdoku.inputs.texts import line_item  # reading a line needs the formats, handing it on does not

        number = self.numbers[index]
        found = line_item(self.lines[index], self.name, number, options, self.table)
        if found is None or (self.expected is None and self.rows is None):
            return found
        row = None if self.rows is None else self.rows[index]
        return replace(found, expected=self.expected[index] if self.expected else None, row=row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Items that are answered together. `share` is as in `Block`."""

    items: tuple[Item, ...]
    share: float | None = None

    def __len__(self) -> int:
        return len(self.items)

    def part(self, start: int, end: int) -> Batch:
        """Some of its items, as a batch."""
        return self if start == 0 and end >= len(self) else replace(self, items=self.items[start:end])

    def digest(self) -> bytes:
        """What its answers depend on."""
        return "\n".join(item.text or item.name for item in self.items).encode("utf-8", "replace")


Chunk = Block | Batch
"""What is handed to a worker at once."""


def alone(item: Item) -> Batch:
    """A batch of one."""
    return Batch(items=(item,))


def items_of(chunks: Iterator[Chunk], options: Options) -> Iterator[Item]:
    """The items of chunks, one after the other."""
    for chunk in chunks:
        if isinstance(chunk, Batch):
            yield from chunk.items
        else:
            yield from filter(None, (chunk.item(index, options) for index in range(len(chunk))))


def spanned(chunks: Iterator[Chunk], skip: int, most: int | None) -> Iterator[Chunk]:
    """The chunks without the first `skip` puzzles, and `most` of them; blanks and comments do not count."""
    if not skip and most is None:
        yield from chunks
        return
    for chunk in chunks:
        table = isinstance(chunk, Block) and chunk.table
        lines = range(len(chunk)) if not isinstance(chunk, Block) or table else _content(chunk)
        if skip >= len(lines):
            skip -= len(lines)
            continue
        kept = lines[skip:] if most is None else lines[skip : skip + most]
        skip = 0
        yield chunk.part(kept[0], kept[-1] + 1)
        if most is not None:
            most -= len(kept)
            if not most:
                return


def _content(block: Block) -> list[int]:
    """The lines that are neither blank nor a comment."""
    lines = (line.lstrip(b" \t\xef\xbb\xbf") for line in block.lines)
    return [index for index, line in enumerate(lines) if line.strip() and not line.startswith(b"#")]
