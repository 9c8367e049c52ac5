"""Answer set programming: the board as facts, and rules over them that clingo runs."""

from collections.abc import Iterator, Sequence

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear, Table, shift_values
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Board, Puzzle, members

CELLS = """\
% each cell holds one of its values
1 { is(Cell, V) : candidate(Cell, V) } 1 :- cell(Cell).
"""

RULES: dict[type[Constraint], str] = {
    AllDifferent: """\
% no value twice; in a house every value
:- different(R), value(V), 2 { is(Cell, V) : in(R, Cell) }.
:- house(R), value(V), not is(Cell, V) : in(R, Cell).
""",
    Linear: """\
% sums: the sum of coefficient times value
:- total(R, Total), #sum { Coefficient * V, Cell : term(R, Cell, Coefficient), is(Cell, V) } != Total.
""",
    Table: """\
% tables: one of the rows is taken
1 { taken(R, Row) : row(R, Row) } 1 :- table(R).
:- taken(R, Row), entry(R, Row, Place, V), place(R, Place, Cell), not is(Cell, V).
""",
    Automaton: """\
% automata: the values lead from the start to an accepting state
at(R, 1, State) :- start(R, State).
at(R, Place + 1, Next) :- at(R, Place, State), reads(R, Place, Cell), is(Cell, V), step(R, State, V, Next).
accepted(R) :- ends(R, Place), at(R, Place, State), accepting(R, State).
:- ends(R, _), not accepted(R).
""",
}

BLOCKED = """\
% grids that are excluded
:- blocked(B), is(Cell, V) : in_blocked(B, Cell, V).
"""

DECLARED = """\
#defined house/1. #defined hidden/1. #defined candidate/2. #defined in/2. #defined term/3. #defined row/2.
#defined entry/4. #defined place/3. #defined reads/3. #defined step/4. #defined accepting/2.
"""


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """`is(r1c1, 7)` says that r1c1 is 7, and nothing else is shown; `clingo --project` gives each grid once."""
    board = puzzle.board
    for line in heading(puzzle, "export asp"):
        yield f"% {line}\n"
    yield f"\n{CELLS}"
    for kind in dict.fromkeys(map(type, board.constraints)):
        yield f"\n{RULES[kind]}"
    if blocked:
        yield f"\n{BLOCKED}"
    hidden = [board.label(board.cells + number) for number in range(len(board.auxiliary))]
    show = "#show.\n#show is(Cell, V) : is(Cell, V), not hidden(Cell).\n" if hidden else "#show is/2.\n"
    most = puzzle.board.largest_value
    yield f"\n{DECLARED}{show}\nvalue({board.first_value}..{board.shown(most)}).\n"
    yield from (f"hidden({label}).\n" for label in hidden)
    for cell, allowed in enumerate(puzzle.domains):
        label = board.label(cell)
        whole = allowed == board.every_value
        options = board.size.span if whole else "; ".join(str(board.shown(value)) for value in members(allowed))
        yield f"cell({label}).{f' candidate({label}, ({options})).' if options else ''}\n"
    for number, rule in enumerate(board.constraints, 1):
        yield f"\n% {plain(rule.name)}\n"
        yield from (f"{fact}\n" for fact in _facts(number, shift_values(rule, board.first_value - 1), board))
    for number, grid in enumerate(blocked, 1):
        placed = ((board.label(cell), board.shown(value)) for cell, value in enumerate(grid))
        facts = " ".join(f"in_blocked({number}, {label}, {value})." for label, value in placed)
        yield f"\nblocked({number}). {facts}\n"


def _facts(number: int, rule: Constraint, board: Board) -> Iterator[str]:
    cells = [board.label(cell) for cell in rule.cells]
    match rule:
        case AllDifferent():
            yield f"different({number})." + f" house({number})." * (len(cells) == board.values and board.shows(rule))
            yield " ".join(f"in({number}, {cell})." for cell in cells)
        case Linear():
            yield f"total({number}, {rule.total})."
            terms = zip(cells, rule.coefficients, strict=True)
            yield " ".join(f"term({number}, {cell}, {coefficient})." for cell, coefficient in terms)
        case Table():
            yield f"table({number})."
            yield " ".join(f"place({number}, {place}, {cell})." for place, cell in enumerate(cells, 1))
            for index, row in enumerate(sorted(rule.tuples), 1):
                entries = (f" entry({number}, {index}, {place}, {value})." for place, value in enumerate(row, 1))
                yield f"row({number}, {index})." + "".join(entries)
        case Automaton():
            yield f"start({number}, {rule.start}). ends({number}, {len(cells) + 1})."
            yield " ".join(f"accepting({number}, {state})." for state in sorted(rule.accepting))
            yield " ".join(f"reads({number}, {place}, {cell})." for place, cell in enumerate(cells, 1))
            for state, value, target in sorted(rule.transitions):
                yield f"step({number}, {state}, {value}, {target})."


TARGETS = (Target(name="asp", summary="answer set programming, facts and rules for clingo", write=write),)
