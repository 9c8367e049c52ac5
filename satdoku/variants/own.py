"""Rules that setters state themselves: relations, patterns, automata, counts, and choices among other marks."""

import ast
import operator
import re
from collections.abc import Callable
from itertools import combinations, pairwise
from math import inf
from warnings import catch_warnings

from satdoku.constraints import Constraint, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Constraints, Frame, Kinds, Shape, Value, fit, kinds, label, needs
from satdoku.variants.choices import chosen
from satdoku.variants.making import collected, kept
from satdoku.variants.regex import MAX_LENGTH, Parser, Positions
from satdoku.variants.relations import CellList, number
from satdoku.variants.sums import compared

MAX_NUMBER = 10**6
Term = Callable[[int, int, int], int]  # the number that a, b and n give; 1 and 0 for true and false
ARITHMETIC: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARISONS: dict[type[ast.AST], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
LETTERS: dict[str, Term] = {"a": lambda a, b, n: a, "b": lambda a, b, n: b, "n": lambda a, b, n: n}
UNARY: dict[type[ast.AST], Callable[[int], int]] = {ast.USub: operator.neg, ast.Not: operator.not_}
CALLS: dict[str, Callable[..., int]] = {"abs": abs, "min": min, "max": max}
EXPECTED = "expected a, b, n and whole numbers with + - * // %, abs min max, comparisons, and or not, in {1 2 3}"
BRACES = re.compile(r"\{([-\d\s,]*)\}")
PAIR_VALUE = needs("what holds of a cell a and any later cell b", text=True)
KINDS = Kinds()
ALLOWED = "allow "  # what begins the value of a pair mark that lists the pairs: `allow 1: 2 4; 2: 1`


@kept
def pairs(values: range, text: str) -> frozenset[tuple[int, int]]:
    """The pairs (a, b) of values for which an expression is true; n is how many values there are.

    A division by 0 makes it false. Raises PuzzleError for what is not an expression.

    >>> sorted(pairs(range(1, 4), "b == a + 1 or a in {3}"))
    [(1, 2), (2, 3), (3, 1), (3, 2), (3, 3)]
    """
    if len(text) > MAX_LENGTH:
        raise PuzzleError(f"an expression of {len(text)} characters: expected at most {MAX_LENGTH}")
    listed = BRACES.sub(lambda braces: "{" + ",".join(braces[1].replace(",", " ").split()) + "}", text)
    try:
        with catch_warnings(action="ignore"):  # of `1or a`, which Python reads
            term = _term(ast.parse(listed.strip(), mode="eval").body)
        return collected(((a, b) for a in values for b in values if _true(term, a, b, len(values))), "a relation")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise PuzzleError(f"expression {text[:60]!r}: {EXPECTED}") from None


def _true(term: Term, a: int, b: int, n: int) -> bool:
    try:
        return bool(term(a, b, n))
    except ZeroDivisionError:
        return False


def _term(node: ast.expr) -> Term:
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool) and number <= MAX_NUMBER:
            return lambda a, b, n: number
        case ast.Name(id=name) if name in LETTERS:
            return LETTERS[name]
        case ast.UnaryOp(op, operand) if type(op) in UNARY:
            return _applied(UNARY[type(op)], operand)
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            return _applied(ARITHMETIC[type(op)], left, right)
        case ast.BoolOp(op, operands):
            return _applied(lambda *truths: all(truths) if isinstance(op, ast.And) else any(truths), *operands)
        case ast.Call(ast.Name(id=name), [_, *_] as arguments, []) if name in CALLS and (name == "abs") == (
            len(arguments) == 1
        ):
            return _applied(CALLS[name], *arguments)
        case ast.Compare(left, ops, others):
            parts = [left, *others]
            tests = [_compared(op, *two) for op, two in zip(ops, pairwise(parts), strict=True)]
            return lambda a, b, n: all(test(a, b, n) for test in tests)
    raise ValueError("not a part of an expression")


def _applied(function: Callable[..., int], *operands: ast.expr) -> Term:
    terms = [_term(operand) for operand in operands]
    return lambda a, b, n: function(*(term(a, b, n) for term in terms))


def _compared(op: ast.cmpop, left: ast.expr, right: ast.expr) -> Term:
    match op, right:
        case ((ast.In() | ast.NotIn()), ast.Set(members)):
            inside = isinstance(op, ast.In)
            return _applied(lambda value, *values: (value in values) == inside, left, *members)
    if type(op) not in COMPARISONS:
        raise ValueError("not a comparison of numbers")
    return _applied(COMPARISONS[type(op)], left, right)


def _on(frame: Frame, mark: Mark) -> CellList:
    points = mark.cells or mark.lines[0]
    where = f"at {label(points[0])}" if len(points) == 1 else f"{label(points[0])}-{label(points[-1])}"
    return CellList(frame.values, frame.cells(points), f"{mark.name or mark.kind} {where}")


@kept
def _allowed(values: range, text: str) -> frozenset[tuple[int, int]]:
    allowed = set()
    for row in text.split(";"):
        first, _, seconds = row.partition(":")
        numbers = [first.strip(), *seconds.split()]
        if len(numbers) < 2 or not all(word.isdecimal() and int(word) in values for word in numbers):
            raise PuzzleError(f"allow {row.strip()!r}: expected a value, a colon and those that may follow it")
        allowed |= {(int(numbers[0]), int(second)) for second in numbers[1:]}
    return frozenset(allowed)


def _related(on: CellList, mark: Mark) -> Table:
    text, (first, second) = str(mark.value), on.cells
    listed = text.startswith(ALLOWED)
    tuples = _allowed(on.values, text.removeprefix(ALLOWED)) if listed else pairs(on.values, text)
    if first == second:
        return Table((first,), frozenset((a,) for a, b in tuples if a == b), on.name)
    return Table(on.cells, tuples, on.name)


@KINDS.add("pair", Shape.LINE, needs("what holds of a cell a and the next cell b", text=True))
def _pair(frame: Frame, mark: Mark) -> Constraints:
    """Line with a relation: each digit on it and the next one are in the relation."""
    on = _on(frame, mark)
    return (_related(on.over(*two), mark) for two in pairwise(on.cells))


@KINDS.add("pair-all", Shape.CELLS, PAIR_VALUE, plural="all-pair marks")
def _pair_all(frame: Frame, mark: Mark) -> Constraints:
    """Cells with a relation: any two of their digits, in the order of the cells, are in the relation."""
    on = _on(frame, mark)
    return (_related(on.over(*two), mark) for two in combinations(on.cells, 2))


@KINDS.add("regex", Shape.LINE, needs("a regular expression over digits", text=True), plural="regexes")
def _regex(frame: Frame, mark: Mark) -> Constraints:
    """Line with a regular expression: its digits, in order, match the whole of it."""
    positions = Positions.of(Parser(str(mark.value), frame.values).parse())
    yield _on(frame, mark).automaton(1, positions.step, positions.accepts)


@KINDS.add("automaton", Shape.LINE, needs("start, accepting states and steps", text=True), plural="automata")
@KINDS.also(aliases=("nfa", "state-machine"))
def _own_automaton(frame: Frame, mark: Mark) -> Constraints:
    """Line with an automaton: its digits, in order, lead from the start to an accepting state."""
    words = [part.split() for part in str(mark.value).split(";")]
    if len(words) < 2 or words[0][:1] != ["start"] or len(words[0]) != 2 or words[1][:1] != ["accept"]:
        shown = str(mark.value)[:40]
        raise PuzzleError(f"value {shown!r}: expected start STATE; accept STATES; STATE DIGITS STATE; ...")
    steps: dict[tuple[str, int], set[str]] = {}
    for step in words[2:]:
        if len(step) != 3:
            raise PuzzleError(f"step {' '.join(step)!r}: expected STATE DIGITS STATE")
        for value in Parser(step[1], frame.values).value_set():
            steps.setdefault((step[0], value), set()).add(step[2])
    accepting = set(words[1][1:])

    def follow(states: frozenset[str], value: int) -> frozenset[str] | None:
        return frozenset().union(*(steps.get((state, value), ()) for state in states)) or None

    start = frozenset({words[0][1]})
    yield _on(frame, mark).automaton(start, follow, lambda states: not accepting.isdisjoint(states))


@KINDS.add("count", Shape.CELLS, needs("digits, a colon and how many of them, 1 2 3: >= 2", text=True))
def _count(frame: Frame, mark: Mark) -> Constraints:
    """Cells with digits and a number: so many of the cells hold one of the digits, or less or more (>= 2)."""
    digits, ranges = compared(mark)
    if not digits or not set(digits) <= set(frame.values):
        raise PuzzleError(f"value {mark.value!r}: expected some of {frame.size.span}, a colon and how many")

    def step(state: int, value: int) -> int:
        return state + (value in digits)

    def accepts(state: int) -> bool:
        return any(low <= state <= high for low, high in ranges)

    yield _on(frame, mark).automaton(0, step, accepts)


@KINDS.add("any", Shape.MARKS, plural="choices", aliases=("or",))
def _any(frame: Frame, mark: Mark) -> Constraints:
    """Several marks: at least one of them holds."""
    return _chosen(frame, mark, 1, inf)


@KINDS.add("all", Shape.MARKS, plural="groups of marks", aliases=("and",))
def _all(frame: Frame, mark: Mark) -> Constraints:
    """Several marks: all of them hold."""
    return (constraint for part in _parts(frame, mark, hiding=True) for constraint in part)


@KINDS.add("none", Shape.MARKS, plural="exclusions")
def _none(frame: Frame, mark: Mark) -> Constraints:
    """Several marks: none of them holds."""
    return _chosen(frame, mark, 0, 0)


@KINDS.add("exactly", Shape.MARKS, Value(default=1, meaning="how many hold"), plural="exact choices")
def _exactly(frame: Frame, mark: Mark) -> Constraints:
    """Several marks: as many of them hold as the number says, one if it says nothing."""
    many = number(mark, 1)
    return _chosen(frame, mark, many, many)


def _parts(frame: Frame, mark: Mark, hiding: bool = False) -> list[list[Constraint]]:
    """The constraints of each mark inside; raises PuzzleError for those that need auxiliary cells, unless `hiding`."""
    parts: list[list[Constraint]] = []
    for part in mark.marks:
        kind = kinds().get(part.kind)
        if kind is None or kind.shape is Shape.RULE or kind.name == "region":
            raise PuzzleError(f"{part.kind} cannot stand inside {mark.kind}: expected marks on cells, lines and clues")
        fit(kind, part)
        before = len(frame.hidden)
        parts.append(list(kind.lower(frame, part)))
        if len(frame.hidden) > before and not hiding:
            raise PuzzleError(f"{part.kind} cannot stand inside {mark.kind}: it needs auxiliary cells")
    return parts


def _chosen(frame: Frame, mark: Mark, least: float, most: float) -> Constraints:
    parts = _parts(frame, mark)
    yield chosen(frame.values, f"{mark.name or mark.kind} of {len(parts)} marks", parts, least, most)
