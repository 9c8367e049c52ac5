"""Texts to puzzles and back. Each file in this folder offers `FORMATS`; detection is here alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cache

from satdoku.cache import forget_texts
from satdoku.discovery import NamedTable, offered
from satdoku.drawings import noted
from satdoku.errors import FormatError, InputError, PuzzleError, Refused
from satdoku.formats.capabilities import Capabilities as Capabilities
from satdoku.formats.capabilities import refuse_change, refuse_loss
from satdoku.formats.detection import Confidence as Confidence
from satdoku.formats.detection import Detection as Detection
from satdoku.formats.detection import View as View
from satdoku.formats.suspicions import suspicions
from satdoku.formats.tidy import known as known_text
from satdoku.formats.tidy import tells_rules, tidied, without_prose
from satdoku.limits import MAX_PLAIN
from satdoku.puzzle import MAX_VALUES, Board, Mark, Puzzle, Size
from satdoku.variants import REGIONS, kinds
from satdoku.variants.boxes import Box
from satdoku.words import joined

NO_BOXES = "none"
MAX_KEPT = 100_000  # characters of a text of which parts are kept, in case that it comes again
MAX_HEAD = 4096  # characters by which a text is taken to be nearly of a format
EVERY_SHAPE = frozenset({"size", "values", "box"})  # what texts may say of a board
METADATA = ("title", "author", "rules", "solution")  # what a puzzle states of itself, besides what is to be solved
RULES_TEXT = "the text of the rules"  # what of it is not enforced, where readers find a text


def shape_texts(size: object, values: object) -> tuple[str | None, str | None]:
    """A size and values as texts; raises TypeError for a wrong type, PuzzleError for a number that is not a size."""
    if isinstance(size, bool) or not isinstance(size, int | str | None):
        raise TypeError(f'size is {size!r}: expected a whole number, or a text such as "6x8"')
    if not isinstance(values, str | None):
        raise TypeError(f'values is {values!r}: expected a text such as "0-8"')
    if isinstance(size, int) and not 1 <= size <= MAX_VALUES:
        raise PuzzleError(f"size is {size}: expected 1 to {MAX_VALUES}")
    return (str(size) if isinstance(size, int) else size), values


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a reader is asked for, beside the text."""

    size: tuple[int, int] | None = None  # rows and columns; None takes what the text shows
    values: range | None = None  # the values of cells; None takes 1 to the longer side
    box: Box | None = None  # the box to use
    boxless: bool = False  # whether there are no boxes
    format: str | Format | None = None  # what to read it as
    alphabet: str | None = None  # the characters of the values 1..N, where a text has one character a cell above 9
    entered: bool = False  # whether digits and pencil marks that a solver entered count as givens
    empty: str | None = None  # the characters of empty cells; None finds them out
    rules: tuple[Mark, ...] = ()  # marks of rules of the whole board that are added to each puzzle
    board: Board | None = None  # a board whose marks are added to each puzzle, its regions in place of the puzzle's
    drawn: str | None = None  # "ignore" reads puzzles whose rules are drawn without them, where they would be refused
    strict: bool = False  # whether a puzzle is refused of which something is not enforced
    timeout: float | None = None  # seconds that the question about each puzzle may take, which reading counts in

    @property
    def shaped(self) -> bool:
        """Whether the shape of the board is named, beyond its boxes."""
        return self.size is not None or self.values is not None or self.boxless

    def of(self, rows: int, columns: int, values: range | None = None) -> Size:
        """The size of a text that shows so many rows and columns, and perhaps values, unless others were named; raises
        FormatError if another size was."""
        if self.size not in (None, (rows, columns)):
            raise FormatError(f"the grid is {rows}x{columns}, but the reader was asked for another")
        return Size.of(rows, columns, self.values or values)

    def with_shape(self, size: int | str | None = None, values: str | None = None, box: str | None = None) -> Options:
        """The same with what people write: "6x8" or 9, "0-8", "2x3" or "none"; raises InputError for what cannot
        be."""
        sides, alphabet = Size.parse(*shape_texts(size, values))
        boxless = box == NO_BOXES
        shape = None if box is None or boxless else Box.parse(box)
        return replace(self, size=sides, values=alphabet, box=shape, boxless=boxless)

    def with_board(self, board: Board) -> Options:
        """The same with the marks of a board; one that is not N x N with the values 1..N says the shape of puzzles."""
        if board.size.square:
            return replace(self, board=board)
        size = (board.size.rows, board.size.columns)
        return replace(self, board=board, size=size, values=board.size.digits, boxless=self.box is None)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader gives back.

    Parameters:
        puzzle: what was read.
        format: the name of the format, where a reader reads several; empty is that of the reader.
        notes: what was left out, a sentence each, for people.

    Example:
        >>> from satdoku import read
        >>> Reading(read("." * 16)).noted("not read: 2 colors", "").notes
        ('not read: 2 colors',)
    """

    puzzle: Puzzle
    format: str = ""
    notes: tuple[str, ...] = ()

    def noted(self, *more: str) -> Reading:
        """The same with more notes.

        Parameters:
            more: sentences; empty ones are left out.
        """
        notes = tuple(filter(None, more))
        return replace(self, notes=self.notes + notes) if notes else self


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write puzzles. `satdoku.testing.check_format` tests one.

    `read` is given the text, or what `sign.view` leaves of it, and what the user asked of the reader; it raises
    FormatError, with line and column where they are known. `text_of` is given only puzzles that `holds` covers, and
    raises Refused for what `holds` does not tell.

    Example:
        >>> import satdoku
        >>> from satdoku.formats import find
        >>> find("line").write(satdoku.read("13....3131...213"))
        '13....3131...213'
    """

    name: str
    summary: str  # in a few words, for lists
    read: Callable[[str, Options], Reading]  # text -> puzzle; raises FormatError
    text_of: Callable[[Puzzle], str] | None = None  # puzzle -> text without a final newline; None: it is only read
    holds: Capabilities = field(default_factory=Capabilities)  # what its texts can hold
    sign: Detection = field(default_factory=Detection)
    _: KW_ONLY
    one_line: bool = False  # a puzzle is one line, and a file may hold many
    explicit_only: bool = False  # read only when named, because its texts can be read otherwise too

    @property
    def permissive(self) -> bool:
        """Whether it takes nearly any text, so that its errors say less than those of a format that fits besides."""
        return self.sign.confidence is Confidence.POSSIBLE

    def seen(self, text: str) -> tuple[str, tuple[str, ...]]:
        """What of a text it reads, and what is left out, for people."""
        if self.sign.view is View.ALL:
            return text, ()
        return without_prose(tidied(text)) if self.sign.view is View.CELLS else (tidied(text), ())

    def recognized(self, text: str) -> bool:
        """Whether a text looks as one of this format; never raises, and may be wrong."""
        return self.sign.fits(self.seen(text)[0])

    def reading(self, text: str, options: Options) -> Reading:
        """What a text as it comes says; raises FormatError."""
        seen, left_out = (text, ()) if options.alphabet and self.sign.view is View.CELLS else self.seen(text)
        reading = self.read(seen, options)
        puzzle = reading.puzzle
        if self.sign.view is View.CELLS and seen is not text and tells_rules(text):
            puzzle = replace(puzzle, not_enforced=("the text around the grid",))
        return Reading(puzzle, reading.format or self.name, left_out + reading.notes)

    def write(self, puzzle: Puzzle, metadata: bool = True) -> str:
        """`puzzle` as text; raises Refused, naming what would be lost, if the format cannot hold all of it.

        metadata: whether that is so of its title, author, rules and solution too; else what cannot be held is left out
        """
        lost = self.lost(puzzle)
        if lost and metadata:
            raise Refused(f"the {self.name} format cannot hold the {' and the '.join(lost)}")
        if self.text_of is None:
            raise Refused(f"the {self.name} format is only read: choose another one, see `satdoku formats`")
        refuse_loss(puzzle, self.name, self.holds)
        text = self.text_of(puzzle)
        marked = any(mark.kind != "boxes" for mark in puzzle.board.marks)
        if not puzzle.board.size.square or (self.holds.marks is None and marked):
            try:
                stated = {"size": puzzle.board.size.shape, **self.unstated(puzzle.board)}
                again = self.read(text, Options(drawn="ignore").with_shape(**stated)).puzzle
            except InputError as error:
                raise Refused(f"the {self.name} format cannot hold it: {error}") from None
            # A mark may mean less to those who read it, and so may a board that is not N x N with the values 1..N. The
            # order of marks says nothing, but auxiliary cells are numbered in it.
            ours, theirs = ((each.size, Counter(each.marks)) for each in (puzzle.board, again.board))
            if ours != theirs:
                refuse_change(puzzle.board, again.board, self.name)
            if again.candidates != puzzle.candidates:
                raise Refused(f"the {self.name} format cannot hold it: its cells would be read as others")
        return text

    def lost(self, puzzle: Puzzle) -> list[str]:
        """What the format cannot hold of the puzzle's title, author, rules, solution, and of what is not enforced."""
        held = self.holds.metadata
        names = [name for name in METADATA if getattr(puzzle, name) and name not in held]
        again = {RULES_TEXT} if "rules" in held and puzzle.rules else set()  # as it is read once more
        if self.holds.drawings is not None:
            again |= set(noted(puzzle.drawings))
        unsaid = [what for what in puzzle.not_enforced if what not in again]
        kept = set(self.holds.held(puzzle))
        unsaid += noted(drawing for drawing in puzzle.drawings if self.holds.drawings and drawing not in kept)
        unsaid = [] if "not_enforced" in held else unsaid
        return [*names, f"note of what is not enforced ({joined(unsaid)})"] if unsaid else names

    def unstated(self, board: Board) -> dict[str, str]:
        """What readers of a text of the board need as options, as `Options.with_shape` takes them."""
        if board.places:  # what holds several boards says the shape of each
            return {}
        size, marks = board.size, {mark.kind for mark in board.marks}
        texts = {
            "size": size.shape if size.rows != size.columns else "",
            "values": size.range_text if size.digits != Size.of(size.rows, size.columns).digits else "",
            "box": NO_BOXES if REGIONS.isdisjoint(marks) else "",
        }
        own = self.holds.shapes or frozenset()
        if not own >= EVERY_SHAPE and size.rows % size.columns == 0:
            own -= {"size"}  # rows of several boards look alike
        return {name: text for name, text in texts.items() if text and name not in own}


@cache
def formats() -> NamedTable[Format]:
    """Every format by its name; those of installed packages once they are looked up."""
    own = offered("satdoku.formats", "FORMATS", Format)
    also = {
        "json": "f-puzzles-json",
        "txt": "grid",
        "text": "grid",
        "ctc": "sudokupad",
        "python": "lists",
        "csv": "line",
    }
    return NamedTable("format", Format, own, "satdoku.formats", "satdoku formats", also)


def find(name: str | Format) -> Format:
    """The format of that name, or the one given; raises InputError with the near names."""
    return formats().find(name)


def detect(text: str, options: Options, one_line: bool = False, noted: bool = True) -> Reading:
    """Read `text` by the named format, else by the one that fits; marks that look like slips are named in notes. Raises
    FormatError if none fits, or if two fit and read different puzzles.

    one_line: whether the text is one of several lines, so that only formats of one line are tried
    noted:    whether notes are wanted, which take as long as the board itself where marks are few
    """
    text = text.removeprefix("\ufeff")
    try:
        reading = _read(text, options, one_line)
    except FormatError:
        before = len(kinds()) + len(formats())
        if len(kinds().all()) + len(formats().all()) == before:
            raise
        reading = _read(text, options, one_line)  # with what installed packages offer
    finally:
        if len(text) > MAX_KEPT:
            forget_texts()
    puzzle = reading.puzzle
    if options.strict and puzzle.not_enforced:
        raise Refused(f"not enforced: {joined(puzzle.not_enforced)}; strict reading refuses such puzzles")
    if not noted:
        return reading
    notes = tuple(f"not enforced: {what}" for what in puzzle.not_enforced)
    notes += suspicions(puzzle.board) if len(puzzle.board.marks) > 1 else ()
    return reading.noted(*notes, *stated_faults(puzzle))


def stated_faults(puzzle: Puzzle) -> tuple[str, ...]:
    """What is wrong with the solution that a puzzle states, as a note; none if nothing is, or none is stated."""
    if puzzle.solution is None:
        return ()
    from satdoku.referee import violations

    wrong = next(violations(puzzle, puzzle.solution), None)
    return (f"the solution stated is not one: {wrong}",) * (wrong is not None)


def _read(text: str, options: Options, one_line: bool) -> Reading:
    named = None if options.format is None else find(options.format)
    known = [named] if named is not None else [one for one in formats().values() if one.one_line or not one_line]
    if len(text) > MAX_PLAIN:
        known = [candidate for candidate in known if candidate.holds.marks is None]
        if not (known if named else any(candidate.recognized(text) for candidate in known)):
            raise FormatError(f"over {MAX_PLAIN} characters, and no link, JSON or TOML: expected a puzzle")
    open_to_all = [candidate for candidate in known if not candidate.explicit_only]
    return _detected(text, options, open_to_all) if named is None else named.reading(text, options)


def _detected(text: str, options: Options, known: Sequence[Format]) -> Reading:
    certain = [one for one in known if one.sign.confidence is Confidence.CERTAIN and one.recognized(text)]
    fitting = certain or [one for one in known if one.recognized(text)]
    candidates = certain or _candidates(text, known, fitting)
    readings: list[Reading] = []
    errors: list[FormatError] = []
    for candidate in candidates:
        if errors and candidate.permissive and candidate.seen(text)[1]:
            break  # what a surer format cannot read would be left out
        try:
            readings.append(candidate.reading(text, options))
        except FormatError as error:
            errors.append(error)
    if not readings:
        what = known_text(text) if all(candidate.permissive for candidate in candidates) else None
        if what is not None:
            raise FormatError(what)
        guess = candidates[0]
        plain = guess in fitting or guess.permissive
        raise errors[0] if plain else errors[0].with_hint(f"the nearest format is {guess.name}")
    first = readings[0]
    for other in readings[1:]:
        if other.puzzle != first.puzzle:
            raise FormatError(
                f"this can be read as {first.format} and as {other.format}, with different meanings:"
                f" name the format, {first.format} or {other.format}"
            )
    return first


def _candidates(text: str, known: Sequence[Format], fitting: Sequence[Format]) -> list[Format]:
    """The formats to try of a text that is certainly of none, the surest first: those that it fits, else the one whose
    beginning it has."""
    near = []
    if all(candidate.permissive for candidate in fitting):
        head = text[:MAX_HEAD].lstrip()
        near = [one for one in known if one.sign.near and re.match(one.sign.near, head, re.IGNORECASE)][:1]
    candidates = near + sorted(fitting, key=lambda candidate: -candidate.sign.confidence)
    if candidates:
        return candidates
    lines = sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in text.splitlines())
    return [find("grid" if lines > 1 else "line")]  # the plainest formats say best what is wrong


def write(puzzle: Puzzle, format: str | Format = "line", *, metadata: bool = True, shape: bool = True) -> str:
    """`puzzle` as text, without a final newline.

    metadata: False leaves out the title, the author, the rules, the solution and what is not enforced where the format
              cannot hold them
    shape:    False leaves out the size, the values and that there are no boxes, where the format does not say them
    Raises Refused, naming what would be lost, if the format cannot hold the puzzle.
    """
    chosen = find(format)
    text = chosen.write(puzzle, metadata)
    unstated = chosen.unstated(puzzle.board) if shape else {}
    if unstated:
        missing = ", ".join(f'{name}="{value}"' for name, value in unstated.items())
        raise Refused(
            f"the {chosen.name} format does not say {missing}: choose another one, such as toml, or write it with"
            f" shape=False and read it with {missing}"
        )
    return text
