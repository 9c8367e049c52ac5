"""What the fields of records are, version 1: `satdoku help COMMAND --records` prints it, and docs/json.md shows it."""

from __future__ import annotations

import re
from typing import NamedTuple


class Field(NamedTuple):
    """One field of a record, or several that belong together; with as many types, or one for all."""

    names: tuple[str, ...]
    type: str
    meaning: str


EVERY = "every command"
SUMMARY = "the summary"

_DIFFICULTY = """
level, name: integer, string: 1 to 8, and its name
hardest: string or null: the hardest technique that was needed
steps, count: object, integer: how often each technique was used; steps in all
score: integer or null: the sum of HoDoKu's scores, in its order of techniques
er, ep, ed: number or null: Sudoku Explainer's ratings of a plain 9x9; null where harder techniques are needed
er_least: number or null: ER is not below this
open, ending: integer, string: cells that were not reached; `exhausted` or `timeout`
"""
_CERTIFICATE = """
puzzle, format: string: the puzzle as the certificate states it, and whether that is a `line` or `toml`
claim: string: `unique`, `multiple`, `unsolvable`, `minimal`, `minimal-marks`, `candidates` or `count`
prover, steps, bytes: string, integer, integer: who wrote the proof; how long it is
solution: string: the grid, where there is one solution
certificate: string: the folder, or `FILE:LINE` of a record
"""
_TEXTS = {
    EVERY: """
source: string: the file, as it was named; `FILE/MEMBER` for one in an archive, `-` for standard input, `argument` for a
    puzzle given as text
line: integer or null: the line on which the puzzle begins; the row of a Parquet file, the number of the argument; null
    if a whole file cannot be read
verdict: string: `unique`, `multiple`, `unsolvable` or `undecided`; `invalid` for input that cannot be used
error: string: what was wrong, where the verdict is `invalid`
reason: string: why, where one sentence says it: givens that clash, a timeout
not_enforced: list of strings: what the source draws or describes and satdoku does not enforce
backend: string: the engine that answered (check, solve, count)
tried: list of strings: the engines that were asked before, without an answer; left out if there are none
engines: list of strings: those whose searches the answer rests on, in order (candidates, explain, minimize)
ending: string: why the search stopped: `exhausted`, `limit`, `timeout` or `interrupted`
seconds: number: how long the search took, with `--timing`
""",
    "check": """
solution: string: the grid, where the puzzle is unique
solutions: list of strings: two grids, where it is multiple, with `--solutions`; in tables the columns `solution` and
    `solution 2`
certified: boolean: true where the verdict has been proved, with `--certified`
difficulty: object: as of `explain`; of one unique puzzle, with `-v`; with `--difficulty` the fields of `difficulty`
    stand in its place
puzzle: string: the text that was read, with `--echo`
input: object: the other columns of a table, with `--echo`; in tables these are columns before the others, and one that
    has the name of another is called `input NAME`
mismatch: string: the solution of the column that `--expect` names, where it is not one
""",
    "solve": """
solution: string or null: the grid, where one is asked for, as it is without `--limit`
solutions: list of strings: the grids, where more are asked for
seed: integer: the random seed, with `--random`
""",
    "count": """
count: integer: solutions found; text in tables, since it can have any number of digits
exact: boolean: whether these are all
counted_by: string: `counting search` where grids were counted without being listed; the method of a sum, such as `box
    partitions`; `random probes`
checked_by: string: the second method, with `--check`; null if none finished
low, high, probes: integer: the interval of `--estimate` and how many random ways were tried; `high` is null if none
    ended in a grid
seed: integer: the random seed, with `--estimate`
""",
    "candidates": """
candidates: object: for each cell, each value that occurs and its number of solutions, up to `limit`
limit: integer or null: the value of `--limit`; null is all
decided: object: cell and value, where it is the same in every solution
hidden: object: values that no solution has, though no constraint by itself excludes them
equal: list of lists, or null: cells that are equal in every solution; null if a timeout left it open
solutions: integer: solutions that were looked at, or counted by a sum; text in tables
counted_by: string: the method of the sum, where one counted all solutions
undecided: object: values that a timeout left open
""",
    "explain": """
clashes: list of strings: unsolvable: givens that contradict a constraint directly
conflict: object: unsolvable: `givens`, `constraints` (by name; a rule of the whole board is one), `size`, `guarantee`,
    `text`
solutions: list of strings: multiple: two solutions
vary: list of strings, or null: multiple: the cells that are not the same in every solution
unique_with: object or null: multiple: `cells` and their values, `solution`, `guarantee`, `over_all_solutions`
solution: string: unique: the grid
steps: list of objects: unique: `technique`, `placements` and `eliminations` by cell, `pattern` and `parts` (the
    candidates that it rests on), `houses`, `links`, `text`; of a core `technique` is null, and it has the fields of
    `conflict`
difficulty: object: unique: as the record of `difficulty`; its `score` and ratings are null
""",
    "difficulty": f"""{_DIFFICULTY}
isomorphs, mean_level, mean_count, mean_score: integer, numbers or null: with `--isomorphs`: of how many isomorphs, and
    means over these; null if one of them has none
bottlenecks: integer or null: with `--bottlenecks`: positions in which one step applies
backtracks: integer or null: with `--backtracks`: conflicts or nodes of that backend
backdoor, backdoor_cells, backdoor_least: integer or null, list or null, integer: with `--backdoor`: size of a smallest
    backdoor to singles, its cells, and a size below which there is none
""",
    "minimize": """
puzzle: string: the puzzle that is left
solution: string: its solution
givens: integer: how many givens are left
minimal: boolean: whether each of them is needed
dropped, spare, untested: lists of strings: cells dropped; kept although not needed; not tested before the timeout
marks: integer: the marks that are left, boxes and regions not counted, with `--marks`
marks_dropped, marks_untested: lists of strings: such as `cage 15 at r1c1`, with `--marks`
witnesses: object: for each given, such as `r1c1=3`, a second solution without it, with `--witness`
""",
    "grade": """
verdict: string: `solved`, `unsolved` or `unparsed`
score: number or null: 1 if solved, else the share of open cells that are right; null where there is nothing to compare
    with
open, filled, right, wrong: integer: cells that the puzzle leaves open, and of these those that the answer fills;
    `right` and `wrong` may be null
wrong_cells: list of strings: the wrong ones
givens, kept: integer: givens, and how many of them the answer has
violations: list of objects: `name` and `cells` of each house and mark that is broken
completable: boolean or null: with `--completable`
taken, answer: string: what of the text was taken, or why nothing, and the grid as a line, or null
""",
    "audit": """
file, against: string, list of strings: what was read
puzzles, invalid: integer: rows that are puzzles, and those that cannot be read
verdicts: object: how many puzzles have each verdict
multiple_rows, unsolvable_rows: list of strings: the first 20 of these, as `FILE:LINE`
solutions: object: of the solutions stated how many are `right` and `wrong`; `wrong_rows`
duplicates: object: `distinct` classes, rows `repeated`, the `largest_class`, and in `repeated_rows` the first 20, each
    with the row that it is equal to
leakage: object or null: `rows` that are equal to one of `--against`, and `leaked_rows`; null without `--against`
givens: object: how many puzzles have each number of givens
ratings: object: the size of the `sample`, its `seed`, and how many puzzles have each of the `levels`
seconds: number: wall time
""",
    "convert": """
puzzle: string: the puzzle in the format written
format: string: the format that was written
""",
    "dedupe": """
puzzle: string: the puzzle as in the input
canonical: string: its canonical form as a line
count: integer: how many puzzles have it, with `--count`
same_as: string or null: the first puzzle that has it, as `SOURCE:LINE`, null for that one, with `--all`
""",
    "shuffle": """
number: integer: which of the puzzles made of one, from 1
puzzle: string: the puzzle as a symmetry makes it
solution: string or null: its solution, where the input states that of the puzzle
""",
    "generate": """
puzzle: string: the new puzzle as text
number, seed: integer: the two that make the same puzzle again
recipe: integer: the number of the way from a seed to puzzles: with another one the same seed gives others
givens: integer: how many givens, with `--until` those of `start`
solution: string: its solution
minimal: boolean or null: whether each given is needed; null where that was not tested
cut: boolean: whether the timeout left some givens untested
difficulty: object: as of `explain`; with `--difficulty`, `--technique`, `--score`, `--rating` or `-v`
start, step: string, object: with `--until`: the puzzle, of which `puzzle` is a position, and the next step, as of
    `explain`
tries: integer: grids that were begun with, where something is required of difficulty, technique, step, score or rating
marks, necessary: list of objects, object: with `--marks`: the marks, each with its `kind` and, as far as it has them,
    `cells`, `lines`, `value` and `marks`; one of them without which there are several solutions
rules: string: with `--marks`: the rules in words
link: string or null: with `--marks`: a link of SudokuPad, with the solution; what it cannot hold is in its rules
undecided: string: why no puzzle was found; the other fields but `number`, `seed` and `tries` are absent then
""",
    "certify": f"""{_CERTIFICATE}
count: integer: how many solutions, of the claim `count`
""",
    "verify": f"""{_CERTIFICATE}
holds, checker: boolean or null, string: whether the certificate holds, null where the timeout came first; who checked
    the proof
reason: string: why a certificate is refused or undecided
error: string: why there is no certificate to verify: the path cannot be read, or a folder has no manifest
""",
    "decode": """
source, line: string, integer: where the puzzle stood that was exported
answer: string: `satisfiable`, `unsatisfiable` or `unknown`
solution: string: the grid
refereed: boolean: whether the rules of the puzzle were known, and not the clauses alone
""",
    "backends": """
backend, summary, default: string, string, boolean: the name, one line, whether it is the default
installed, reason: boolean, string: whether it can run here, and why not
encoding, seed: boolean: whether it takes an encoding, a seed
argument, forms: string, list of strings: what `NAME:ARGUMENT` may hold; each such name found here
abilities, certifies: list of strings, boolean: what it can do; whether `certify` takes it
""",
    "encodings": """
encoding, summary, default: string, string, boolean: the name, one line, whether it is the default
at_most_one, literals: string, integer: a method in place of an encoding, and over how many literals its size is
box, variables, clauses, formula, paper: string, integer, integer, string, string: the board, the size on it, the size
    formulas, the source
reducible: boolean: whether boards too large to be written whole can be reduced by their givens
methods: boolean: whether `+METHOD` can be added to the name
""",
    "formats": """
format, summary: string: the name, one line
one_line, found_out: boolean: whether a puzzle is one line; whether it is recognized without `--format`
recognized_by, confidence: string: by what it is recognized, and how sure that is: `possible`, `likely`, `certain`
""",
    "variants": """
name, aliases, presets: string, list of strings, object: the kind, its other names, and the value that an alias implies
shape, argument, sentence: string, string or null, string: what a mark is made of, what its value is, what it means
""",
    "doctor": """
satdoku, python, platform: string: versions
packages: list of objects: `name`, `version` or null, `extra`
folders, absent: object: where files are kept; the backends that are not here, and why
tests, failed: list of objects, integer: `name`, `fault` or null, `seconds`; how many failed
""",
    SUMMARY: """
puzzles: integer: how many were answered
outcomes: object: how many had each outcome, such as `unique` or `invalid`
first: object: for each outcome that is not a success, the first puzzle that had it
read: object: how many were read as each format and board
engines: object: how many each backend answered, such as `native`, or `glucose4 after native`
givens, difficulty: object: of generate: how many puzzles have each number of givens, and each level
status: integer: the exit status
""",
}
"""For each command, a line a field: names, types, meaning; what is too long goes on behind blanks."""


def _fields(text: str) -> tuple[Field, ...]:
    lines = re.sub(r"\n +", " ", text).split("\n")
    parts = (line.split(": ", 2) for line in lines if line)
    return tuple(Field(tuple(names.split(", ")), kind, meaning) for names, kind, meaning in parts)


RECORDS = {name: _fields(text) for name, text in _TEXTS.items()}
"""The fields of each command's records, besides those of `EVERY`."""
