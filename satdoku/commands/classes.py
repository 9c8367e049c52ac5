"""The class of each puzzle: all that a symmetry of its board makes equal to it, by a digest of their canonical form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os.path import exists, isfile
from typing import Any

from satdoku.batch.layouts import Layout
from satdoku.batch.questions import Answer, Answers, Emit, Question
from satdoku.commands.searches import item_puzzle, table
from satdoku.errors import InputError
from satdoku.formats import Options
from satdoku.formats.line import flat
from satdoku.inputs.items import Block, Item
from satdoku.inputs.streams import expanded
from satdoku.puzzle import Puzzle
from satdoku.symmetries import Shuffle, canonical, digest, freedom, marked_digest, smallest
from satdoku.variants.boxes import box_of

COMPARED = "compared"
Row = tuple[bytes | None, dict[str, Any]]  # the digest of a class, None for an invalid puzzle; the record


@dataclass(frozen=True, slots=True, kw_only=True)
class Classes(Question):
    """The canonical form of each puzzle. What classes there are is known where all of them come by."""

    options: Options = field(default_factory=Options, compare=False)
    columns = table("puzzle canonical verdict error")
    grids = "puzzle"
    outcomes, summarized = (COMPARED,), False

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        puzzle = item_puzzle(item)
        line = canonical(puzzle)
        record = {**item.place, "puzzle": item.text, "canonical": flat(puzzle.board, line), **self.more(item, puzzle)}
        return Answer(status=0, outcome=COMPARED, record=record, view=digest_of(puzzle, line))

    def more(self, item: Item, puzzle: Puzzle) -> dict[str, object]:
        """What else a record says of a puzzle."""
        return {}

    def answer_many(self, block: Block) -> Iterator[Answers]:
        """The plain puzzles of a block, but for those whose givens clash."""
        import numpy as np

        from satdoku.batch.rows import clashes, plain

        for rows in plain(block, self.options):
            box, chosen = box_of(rows.board), np.flatnonzero(clashes(rows.board, rows.givens) < 0)
            if box is None or freedom(rows.board) is not Shuffle.ALL or not len(chosen):
                continue
            lines = smallest(box, rows.givens[chosen].astype(np.uint8))
            yield Answers(
                index=rows.index[chosen],
                outcomes=np.zeros(len(chosen), np.uint8),
                words=(COMPARED,),
                statuses=(0,),
                engine="canonical",
                board=rows.board,
                view=lines.astype(np.uint16),
            )


@dataclass(frozen=True, slots=True)
class Keys(Layout):
    """Answers as rows for a sink that compares them."""

    def one(self, item: Item, answer: Answer) -> Row:
        return answer.view if isinstance(answer.view, bytes) else None, dict(answer.record)

    def many(self, block: Block, answers: Answers) -> Sequence[Row]:
        index, board, lines = answers.index.tolist(), answers.board, answers.view
        texts = (block.lines[place].decode().strip() for place in index)
        return [
            (digest(board, line.tobytes()), {**place, "puzzle": text, "canonical": flat(board, line.tolist())})
            for place, text, line in zip(block.places(index), texts, lines, strict=True)
        ]


def digest_of(puzzle: Puzzle, line: Sequence[int]) -> bytes:
    """The digest of the class of a puzzle; a plain one's is that of its canonical form."""
    if freedom(puzzle.board) is not Shuffle.ALL:
        return marked_digest(puzzle)
    import numpy as np

    return digest(puzzle.board, np.array(line, np.uint16).tobytes())


def files(option: str, names: Sequence[str]) -> list[str]:
    """The files that an option names; raises InputError for one that is not there."""
    every = [file for name in names for file in expanded(name)]
    for file in every:
        if not isfile(file):
            what = "not a regular file" if exists(file) else "no such file"
            raise InputError(f"{option} {file[:200] or repr(file)}: {what}")
    return every
