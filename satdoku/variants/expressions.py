"""Relations of two values that people write, `abs(a - b) >= 3`: parsed and evaluated, never run as Python."""

import ast
import operator
import re
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from satdoku.errors import PuzzleError

MAX_LENGTH = 500  # characters of an expression or a pattern
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
NAMES: dict[str, Term] = {"a": lambda a, b, n: a, "b": lambda a, b, n: b, "n": lambda a, b, n: n}
UNARY: dict[type[ast.AST], Callable[[int], int]] = {ast.USub: operator.neg, ast.Not: operator.not_}
CALLS: dict[str, Callable[..., int]] = {"abs": abs, "min": min, "max": max}

EXPECTED = "expected a, b, n and whole numbers with + - * // %, abs min max, comparisons, and or not, in {1 2 3}"

BRACES = re.compile(r"\{([-\d\s,]*)\}")


@lru_cache(maxsize=256)
def pairs(text: str, values: range) -> frozenset[tuple[int, int]]:
    """The pairs (a, b) of values for which an expression is true; n is how many values there are.

    A division by 0 makes it false. Raises PuzzleError for what is not an expression.

    >>> sorted(pairs("b == a + 1 or a in {3}", range(1, 4)))
    [(1, 2), (2, 3), (3, 1), (3, 2), (3, 3)]
    """
    if len(text) > MAX_LENGTH:
        raise PuzzleError(f"an expression of {len(text)} characters: expected at most {MAX_LENGTH}")
    listed = BRACES.sub(lambda found: "{" + ",".join(found[1].replace(",", " ").split()) + "}", text)
    try:
        term = _term(ast.parse(listed.strip(), mode="eval").body)
        return frozenset((a, b) for a in values for b in values if _true(term, a, b, len(values)))
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
        case ast.Name(id=name) if name in NAMES:
            return NAMES[name]
        case ast.UnaryOp(op, operand) if type(op) in UNARY:
            return _applied(UNARY[type(op)], operand)
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            return _applied(ARITHMETIC[type(op)], left, right)
        case ast.BoolOp(op, operands):
            return _applied(lambda *found: all(found) if isinstance(op, ast.And) else any(found), *operands)
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
            return _applied(lambda value, *found: (value in found) == inside, left, *members)
    if type(op) not in COMPARISONS:
        raise ValueError("not a comparison of numbers")
    return _applied(COMPARISONS[type(op)], left, right)
