"""Answers as rows of an output: lines of text, JSON, CSV, columns of Parquet, pictures. Workers make them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from satdoku.batch.questions import Answer, Answers, Question, Style
from satdoku.constraints import Grid
from satdoku.inputs.columns import field_text, record_text
from satdoku.inputs.items import Block, Item

COLORS = {"unique": "green", "solved": "green", "multiple": "yellow", "undecided": "magenta"}
COLORS |= dict.fromkeys(("unsolvable", "invalid"), "red")
VERDICT = re.compile(rf"^([^\n]*?)\b({'|'.join(COLORS)})\b")
QUOTE = '"'
FIELDS: Mapping[type, Callable[[Any], str]] = {int: str, float: str, type(None): {None: ""}.__getitem__}
"""What is written in tables of values that need no quotes, by their type."""
WIDTHS = (24, 10)  # of the columns of a terminal: the name of a puzzle, its verdict


@dataclass(frozen=True, slots=True)
class Framing:
    """What stands before all rows, between two, after each and after all; of the first row `between` is cut off."""

    head: str = ""
    between: str = ""
    end: str = "\n"
    tail: str = ""

    def join(self, rows: Iterable[str]) -> str:
        return f"{self.between}{f'{self.end}{self.between}'.join(rows)}{self.end}"


class Layout:
    """One form of output. It goes to workers; what it makes of a chunk comes back as one list of rows."""

    streams: ClassVar[bool] = False  # whether solutions are rows of their own, as they come
    one_by_one: ClassVar[bool] = False  # whether it needs an `Answer` for each line, and no `Answers` in columns

    def grid(self, item: Item, grid: Grid) -> Any:
        """A solution as a row; only if the layout streams."""
        raise NotImplementedError("records hold all solutions")

    def one(self, item: Item, answer: Answer) -> Any:
        """An answer as a row; None for none."""
        raise NotImplementedError

    def many(self, block: Block, answers: Answers) -> Sequence[Any]:
        """Answers in columns as rows."""
        raise NotImplementedError("drawn one by one")

    def pack(self, rows: list[Any]) -> Any:
        """Rows of a chunk in the form in which they are sent back and written."""
        return rows


@dataclass(frozen=True, slots=True)
class TextLayout(Layout):
    question: Question
    style: Style
    streams: ClassVar[bool] = True

    @property
    def framing(self) -> Framing:
        return Framing(between=self.question.between)

    def grid(self, item: Item, grid: Grid) -> str:
        return self.question.grid_text(item, grid, self.style)

    def one(self, item: Item, answer: Answer) -> str | None:
        return self.question.text(item, answer, self.style)

    def many(self, block: Block, answers: Answers) -> Sequence[str]:
        return self.question.texts(block, answers)

    def pack(self, rows: list[str]) -> str:
        if self.style.terminal and not self.style.alone:
            rows = list(map(_aligned, rows))
        if self.style.color:
            rows = [VERDICT.sub(_colored, row, count=1) for row in rows]
        return self.framing.join(rows)


@dataclass(frozen=True, slots=True)
class RecordLayout(Layout):
    question: Question

    def one(self, item: Item, answer: Answer) -> Any:
        return self.row(answer.record)

    def many(self, block: Block, answers: Answers) -> Sequence[Any]:
        return self.rows(self.question.records(block, answers))

    def row(self, record: Mapping[str, object]) -> Any:
        raise NotImplementedError

    def rows(self, records: Iterable[Mapping[str, object]]) -> Sequence[Any]:
        return list(map(self.row, records))


@dataclass(frozen=True, slots=True)
class JsonLayout(RecordLayout):
    array: bool = False

    def row(self, record: Mapping[str, object]) -> str:
        return record_text(record)

    @property
    def framing(self) -> Framing:
        return Framing("[\n", ",\n", "", "\n]\n") if self.array else Framing()

    def pack(self, rows: list[str]) -> str:
        return self.framing.join(rows)


@dataclass(frozen=True, slots=True)
class TableLayout(RecordLayout):
    columns: Sequence[str]
    delimiter: str = ","

    @property
    def framing(self) -> Framing:
        return Framing(head=self.pack([self.delimiter.join(map(self._field, self.columns))]))

    def row(self, record: Mapping[str, object]) -> str:
        return self.delimiter.join(map(self._field, map(self.question.row(record).get, self.columns)))

    def rows(self, records: Iterable[Mapping[str, object]]) -> Sequence[str]:
        columns = map(self._fields, _turned(map(self.question.row, records), self.columns))
        return list(map(self.delimiter.join, zip(*columns, strict=True)))

    def pack(self, rows: list[str]) -> str:
        return Framing().join(rows)

    def _field(self, value: object) -> str:
        """A value that may have to be quoted, as the module csv does it, which takes five times as long."""
        text = value if isinstance(value, str) else field_text(value)
        if QUOTE in text:
            return f'"{text.replace(QUOTE, QUOTE * 2)}"'
        return f'"{text}"' if self.delimiter in text or "\n" in text or "\r" in text else text

    def _fields(self, values: Sequence[Any]) -> Iterable[str]:
        """The same of a column, where most values are of one type, and most texts need no quotes."""
        kinds = set(map(type, values))
        if kinds == {str} and self._field(every := "".join(values)) is every:
            return values
        return map(FIELDS.get(kinds.pop(), self._field) if len(kinds) == 1 else self._field, values)


@dataclass(frozen=True, slots=True)
class ColumnLayout(RecordLayout):
    columns: Mapping[str, type]

    def row(self, record: Mapping[str, object]) -> tuple[object, ...]:
        return self.rows([record])[0]

    def rows(self, records: Iterable[Mapping[str, object]]) -> Sequence[tuple[object, ...]]:
        columns = zip(_turned(map(self.question.row, records), self.columns), self.columns.values(), strict=False)
        return list(zip(*(_of_kind(values, kind) for values, kind in columns), strict=True))

    def pack(self, rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
        """The values of each column."""
        return list(zip(*rows, strict=True))


def _turned(records: Iterable[Mapping[str, object]], names: Iterable[str]) -> Iterable[tuple[object, ...]]:
    """The values of each column of records."""
    return zip(*(map(record.get, names) for record in records), strict=True)


def _of_kind(values: Sequence[object], kind: type) -> Sequence[object]:
    """The values of a column that Arrow takes as this type: others become texts."""
    if set(map(type, values)) <= {kind, type(None)}:
        return values
    return [value if value is None or isinstance(value, kind) else field_text(value) for value in values]


@dataclass(frozen=True, slots=True)
class PictureLayout(Layout):
    one_by_one: ClassVar[bool] = True

    def one(self, item: Item, answer: Answer) -> Any:
        return answer.pictures() or None

    def pack(self, rows: list[Any]) -> list[Any]:
        return [picture for pictures in rows for picture in pictures]


def _aligned(row: str) -> str:
    """Fields in columns; the last one, and what is wider than its column, as it is."""
    fields = row.split("\t")
    return "  ".join([*(field.ljust(width) for field, width in zip(fields[:-1], WIDTHS, strict=False)), *fields[-1:]])


def _colored(match: re.Match[str]) -> str:
    from rich.style import Style

    return match[1] + Style.parse(COLORS[match[2]]).render(match[2])
