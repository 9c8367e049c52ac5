"""`satdoku generate`: new puzzles, each with exactly one solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from satdoku.batch.layouts import Layout
from satdoku.batch.outputs import RECORDS
from satdoku.batch.questions import UNDECIDED, Answer, Evaluator, Question, Style, key_of
from satdoku.batch.sinks import Sink
from satdoku.batch.totals import RunTotal
from satdoku.clue_symmetry import Symmetry
from satdoku.commands import options
from satdoku.commands.asking import run
from satdoku.commands.marked import Digests, Firsts, further, marks_record, refuse_others
from satdoku.commands.options import ENGINE, INPUT, MANY, OUTPUT, argument, composed, option
from satdoku.commands.puzzles import Opened, format_for, named_format, note, one_puzzle, places, single, suffixes
from satdoku.commands.searches import columns
from satdoku.errors import InputError, NotMade, Refused
from satdoku.formats import Format, Options, find
from satdoku.formats.line import flat as line
from satdoku.generator.invent import EXHAUSTED, MarksRecipe, last_number
from satdoku.generator.recipe import VERSION, Recipe, parse_range, parse_rating
from satdoku.generator.recipe import seed as random_seed
from satdoku.inputs.items import Batch, Item, board_of, board_with
from satdoku.limits import MAX_COUNT
from satdoku.pictures import Picture
from satdoku.puzzle import Board, Puzzle
from satdoku.terminal.explanations import step_record
from satdoku.terminal.texts import grid_drawing
from satdoku.variants.boxes import box_of, classic
from satdoku.variants.summaries import shape
from satdoku.words import joined, plural

if TYPE_CHECKING:
    from satdoku.generator.work import Made

TOGETHER = 4_096  # numbers of puzzles in a batch of the input; the runner cuts it to size
MADE, LACKING = "made", "lacking"
IN_ONE_LINE = "sudokupad"  # the format of several puzzles with marks drawn at random


@dataclass(frozen=True, slots=True, kw_only=True)
class Generate(Question):
    """recipe: what every puzzle has in common; to: the format, which was `named` or fits; several: more than one."""

    recipe: Recipe | MarksRecipe
    to: str
    several: bool
    named: bool
    stop: int | None = field(default=None, compare=False)  # the first of the numbers that take the place of others
    last: int | None = field(default=None, compare=False)  # that which has no puzzle, as all others were equal
    grids = "puzzle"
    outcomes, pictures = (MADE, UNDECIDED), True
    columns = columns(
        "puzzle number:int seed:int givens:int solution minimal:bool cut:bool"
        " marks necessary rules link start step tries:int difficulty undecided"
    )

    @property
    def between(self) -> str:
        return "" if self._format.one_line else "\n"

    @property
    def _format(self) -> Format:
        return find(self.to)

    def key(self) -> Mapping[str, str]:
        recipe = self.recipe
        key = {"board": shape(recipe.board), "--to": self.to}
        for name in ("givens", "minimal", "symmetry", "pattern", "seed", "timeout"):
            key[f"--{name}"] = str(getattr(recipe, name, None))
        required = recipe.requirement
        key |= {"--difficulty": str(required.levels), "--technique": str(required.technique)}
        key |= {"--until": str(required.until), "--score": str(required.score)}
        key |= {"--rating": str(required.rating)}
        return key | ({"--marks": ",".join(recipe.kinds)} if isinstance(recipe, MarksRecipe) else {})

    def open(self) -> Generating:
        return Generating(self)

    def cut(self, item: Item, reason: str) -> Answer:
        return self.answered(NotMade(item.number, 0, reason))

    def answered(self, made: Made | NotMade) -> Answer:
        recipe, number = self.recipe, made.number + 1
        tries = {"tries": made.tries} if recipe.requirement else {}
        figures = {name: str(value) for name, value in tries.items()}
        if isinstance(made, NotMade):
            reason = f"undecided: no such puzzle in {recipe.timeout:g} s: {made.reason}"
            if made.number == self.last:
                reason, figures = f"undecided: {made.reason}", {LACKING: "some"}
            record: dict[str, object] = {"number": number, "seed": recipe.seed, **tries, "undecided": reason}
            return Answer(status=3, outcome=UNDECIDED, record=record, view=made, notes=(reason,), figures=figures)
        givens = made.puzzle.given_count
        record = {"puzzle": self._format.write(_printed(made)), "number": number, "seed": recipe.seed}
        record |= {"recipe": VERSION, "givens": givens}
        record |= {"solution": line(recipe.board, made.solution), "minimal": made.minimal, "cut": made.cut}
        figures["givens"] = str(givens)
        if made.necessary is not None:
            record |= marks_record(made)
        if made.position is not None:
            record["start"] = line(recipe.board, made.puzzle.givens)
            record["step"] = step_record(recipe.board, made.position.step)
        record |= tries
        if made.difficulty is not None:
            record["difficulty"] = made.difficulty.record()
            figures["difficulty"] = made.difficulty.level.name.lower()
        return Answer(
            status=0,
            outcome=MADE,
            record=record,
            view=made,
            notes=tuple(self._notes(made, givens)),
            pictures=lambda: [_picture(made, f"{number}" if self.several else "")],
            figures={} if self.stop is not None and number > self.stop else figures,
        )

    def _notes(self, made: Made, givens: int) -> Iterator[str]:
        if made.cut:
            untested = self.recipe.board.cells - made.tried
            yield f"{plural(givens, 'given')}; whether {untested} of them are needed takes too long to find out"
        if made.number == 0:
            if self.several and not givens and not isinstance(self.recipe, MarksRecipe):
                yield "the marks of the board alone have one solution, so all puzzles are the same"
            yield from note(self._format, self.recipe.board)

    def view_text(self, item: Item, made: Made | NotMade, style: Style) -> str | None:
        if isinstance(made, NotMade):
            return None
        puzzle = _printed(made)
        boxed = style.boxed and not self.named and self.to == "grid"
        text = grid_drawing(puzzle.board, puzzle.givens, True) if boxed else self._format.write(puzzle)
        known = [] if made.difficulty is None else [f"{made.difficulty}{made.difficulty.ratings_text}"]
        known += [] if made.position is None else [f"next: {made.position.step.technique}"]
        if not known:
            return text
        comment = f"# {'; '.join(known)}"
        return f"{text} {comment}" if self._format.one_line else f"{comment}\n{text}"

    def summary(self, total: RunTotal, style: Style) -> str:
        givens = total.of("givens")
        undecided = total.of("outcome")[UNDECIDED]
        asked = givens.total() + undecided
        number = f"{givens.total()} of {asked} made" if undecided else plural(givens.total(), "puzzle")
        number = "not all made" if total.of(LACKING) else number
        words = [f"{number}, {shape(self.recipe.board)}"]
        words += [_span(givens)] if givens else []
        words.append(f"seed {self.recipe.seed}")
        tries = sum(int(number) * many for number, many in total.of("tries").items())
        if tries:
            words.append(f"yield {givens.total()} of {plural(tries, 'grid')} tried")
        if total.of("difficulty"):
            words.append(f"difficulty: {_kinds(total.of('difficulty'))}")
        return ", ".join(words)


class Generating(Evaluator):
    def __init__(self, question: Generate) -> None:
        from satdoku.generator.invent import Inventor
        from satdoku.generator.work import Workshop

        self._question = question
        recipe = question.recipe
        self._workshop = Inventor(recipe) if isinstance(recipe, MarksRecipe) else Workshop(recipe)

    def answer_together(self, items: Sequence[Item]) -> list[Answer]:
        from satdoku.generator.work import AT_ONCE, MAX_SMALL

        numbers = [item.number for item in items]
        width = AT_ONCE if self._question.recipe.board.cells <= MAX_SMALL else 1
        groups = [numbers[start : start + width] for start in range(0, len(numbers), width)]
        return [self._question.answered(made) for group in groups for made in self._work(group)]

    def _work(self, numbers: list[int]) -> Sequence[Made | NotMade]:
        return (
            [NotMade(numbers[0], 0, EXHAUSTED)] if numbers[0] == self._question.last else self._workshop.work(numbers)
        )

    def close(self) -> None:
        self._workshop.close()


def _printed(made: Made) -> Puzzle:
    """What is printed of it, without the solution, which stands in a column of its own."""
    return replace(made.puzzle, solution=None) if made.position is None else made.position.puzzle


def _picture(made: Made, title: str) -> Picture:
    if made.position is None:
        return Picture(made.puzzle, title=title)
    known = made.position.puzzle
    return Picture(made.puzzle, grid=known.givens, candidates=known.candidates, title=title)


def _kinds(counts: Counter[str]) -> str:
    """`3 singles and 1 fish`, the most frequent first."""
    return joined([f"{count} {label}" if counts.total() > 1 else label for label, count in counts.most_common()])


def _span(givens: Mapping[str, int]) -> str:
    low, high = min(map(int, givens)), max(map(int, givens))
    return plural(high, "given") if low == high else f"{low} to {plural(high, 'given')}"


def _chunks(numbers: range) -> Iterator[Batch]:
    for start in range(0, len(numbers), TOGETHER):
        some = numbers[start : start + TOGETHER]
        items = tuple(Item(number=number, name=f"puzzle {number + 1}") for number in some)
        yield Batch(items=items, share=(some[-1] + 1 - numbers.start) / len(numbers))


def _board(puzzle: str | None, reads: Options) -> Board:
    """The board of the one puzzle that an argument names, else the one that the options name."""
    if puzzle is not None:
        return single(puzzle, reads).board
    if reads.board is not None and reads.box is None:
        return board_with(reads.board, reads)
    return board_of(reads)


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateOptions:
    puzzle: str | None = argument(
        "A puzzle whose board is used, without its givens; plain 9x9 if omitted.", metavar="[PUZZLE]"
    )
    count: int = option(OUTPUT, "How many puzzles.", "-n", default=1, least=1, most=MAX_COUNT)
    givens: str | None = option(OUTPUT, "How many givens: LOW:HIGH or a number; as few as possible if omitted.")
    symmetry: Symmetry = option(OUTPUT, "Symmetry of the clue pattern.", default=Symmetry.NONE)
    minimal: bool = option(OUTPUT, "Make puzzles in which every given is needed.", default=False)
    pattern: str | None = option(INPUT, "A file that says which cells are given; or -.", metavar="FILE")
    seed: int | None = option(OUTPUT, "Random seed (random if omitted).")
    first: int = option(MANY, "Begin with this number of the puzzles that the seed gives.", default=1, least=1)
    difficulty: str | None = option(
        OUTPUT,
        "Level or LOW:HIGH: singles, locked, subsets, fish, wings, chains, forcing, beyond, or 1 to 8.",
        metavar="LEVEL",
    )
    technique: str | None = option(
        OUTPUT,
        "A technique that is needed, and none harder; such as X-wing.",
        autocompletion=options.complete_technique,
    )
    until: str | None = option(
        OUTPUT,
        "The position before the first step by this technique.",
        metavar="TECHNIQUE",
        autocompletion=options.complete_technique,
    )
    score: str | None = option(OUTPUT, "HoDoKu's score: LOW:HIGH or a number.", metavar="LOW:HIGH")
    rating: str | None = option(OUTPUT, "Sudoku Explainer's rating: LOW:HIGH, 1.0 to 11.9.", metavar="LOW:HIGH")
    timeout: float = option(ENGINE, "Seconds for each puzzle.", parser=options.seconds, metavar="SECONDS", default=60.0)
    to: options.FormatTo = None
    marks: str | None = option(
        OUTPUT,
        "Draw marks of these kinds at random, too, such as cage,thermometer; see `satdoku variants`.",
        metavar="KIND,...",
        joined=True,
    )


@composed
def generate(reading: options.FormatOptions, many: options.Many, output: options.Output, own: GenerateOptions) -> None:
    """New puzzles, each with exactly one solution.

    Exit status: 0 all made, 2 invalid or impossible input, 3 some not found in the time, or not
    shown to be minimal.
    """
    reads = reading.options()
    to = named_format(own.to, output.output)
    one_puzzle(output.output, own.count == 1)
    several = own.count > 1
    recipe = _recipe(own, reads, many.verbose)
    in_column = _in_column(output)
    if isinstance(recipe, MarksRecipe):
        name = to or (IN_ONE_LINE if (several or in_column) and not output.as_json else "toml")
        if own.until is not None and not find(name).holds.candidates:
            raise Refused(f"--until: the {name} format holds no candidates: take --json, or name another with --to")
    else:
        name = format_for(recipe.board, to, in_column, several, own.until is not None).name
    question = Generate(recipe=recipe, to=name, several=several, named=to is not None)
    numbers = range(own.first - 1, own.first - 1 + own.count)
    key = {**key_of(reading), "PUZZLE": str(own.puzzle), "--first": str(own.first), "--seed": str(own.seed)}
    read = [name for name in (own.puzzle, own.pattern, reading.board) if name is not None]
    work, only = Opened(_chunks(numbers), Options(), alone=False), output.outcomes(question.outcomes)
    if not isinstance(recipe, MarksRecipe):
        run(question, work, many, output, only=only, key=key, inputs=read, texts=suffixes())
    if output.resume:
        raise InputError("--resume: puzzles with marks are compared with all before, so it cannot go on; leave it out")
    last, sinks = last_number(numbers), list[Firsts]()
    question = replace(question, stop=numbers.stop, last=last)

    def collect(layout: Layout, sink: Sink) -> tuple[Layout, Sink]:
        sinks.append(Firsts(layout, sink, own.count))
        return Digests(layout), sinks[-1]

    work = replace(work, chunks=chain(work.chunks, further(range(numbers.stop, last + 1), sinks)))
    run(question, work, many, output, only=only, key=key, inputs=read, texts=suffixes(), collect=collect)


def _in_column(output: options.Output) -> bool:
    """Whether puzzles stand in a column of records, where each is one line."""
    tables = {*RECORDS} - {".txt"}
    return output.as_json or output.as_csv or any(tables.intersection(path.suffixes) for path in output.output or ())


def _recipe(own: GenerateOptions, reads: Options, verbose: bool) -> Recipe | MarksRecipe:
    from satdoku.setter.difficulty import parse_levels
    from satdoku.setter.requirement import Requirement

    asked: dict[str, Any] = {
        "givens": None if own.givens is None else parse_range(own.givens, "givens", "24:28"),
        "minimal": own.minimal,
        "seed": random_seed(own.seed),
        "timeout": own.timeout,
        "requirement": Requirement(
            levels=None if own.difficulty is None else parse_levels(own.difficulty),
            technique=own.technique,
            until=own.until,
            score=None if own.score is None else parse_range(own.score, "score", "500:900"),
            rating=None if own.rating is None else parse_rating(own.rating),
        ),
        "rate": verbose,
    }
    if own.marks is None:
        board = _board(own.puzzle, reads)
        pattern = None if own.pattern is None else places(own.pattern, board)
        return Recipe(board, symmetry=own.symmetry, pattern=pattern, **asked)
    from satdoku.generator.layouts import chosen_kinds

    refuse_others(
        [
            ("PUZZLE", own.puzzle is not None),
            ("--board", reads.board is not None),
            ("--rule", bool(reads.rules)),
            ("--pattern", own.pattern is not None),
            ("--symmetry", own.symmetry is not Symmetry.NONE),
        ]
    )
    board = board_of(reads)
    box = box_of(board)
    if box is None or board != classic(box.rows, box.columns):
        raise InputError("--marks: marks are drawn on square boards with boxes and the values from 1: --box RxC alone")
    return MarksRecipe(chosen_kinds([word for word in own.marks.split(",") if word]), box=box, **asked)
