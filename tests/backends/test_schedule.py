"""The policy of `auto`, and engines in turns: whichever ends first decides, and no grid is lost or found twice."""

from __future__ import annotations

from contextlib import closing
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import policies

from satdoku import Board, Budget, Ending, Linear, Mark, Puzzle, Table, backends, classic, read
from satdoku import testing as kit
from satdoku.backends import Engine, incremental, scheduled
from satdoku.backends.schedule import (
    POLICY,
    Class,
    Purpose,
    Stage,
    Turn,
    at_once,
    carry_out,
    class_of,
    described,
    entrants,
)
from satdoku.backends.stepping import Stepper, advance
from satdoku.constraints import Grid
from satdoku.encoders import cpsat
from satdoku.errors import Refused
from satdoku.implied import strengthened
from satdoku.kernels import library
from satdoku.system.clock import Deadline
from satdoku.variants import build

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"


def formula() -> Board:
    """Random sums of four of 300 cells, even or odd, without a solution as far as anyone can tell in seconds."""
    rng, tables = Random(1), []
    for number in range(300):
        odd = rng.randrange(2)
        allowed = frozenset(row for row in product((1, 2), repeat=4) if sum(row) % 2 == odd)
        tables.append(Table(tuple(rng.sample(range(300), 4)), allowed, f"sum {number}"))
    return Board(300, 2, 30, tuple(tables))


@pytest.mark.parametrize("first", [1, 5, 10_000])
def test_random_boards_against_brute_force(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    policies.turns(monkeypatch, Purpose.FEW, first, 100)
    assert kit.first_fault(lambda: backends.find("auto"), kit.cases(60, 95_000)) is None


def test_the_one_that_decides_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    engine: Any = backends.find("auto")
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert engine.chosen == "native"
    policies.turns(monkeypatch, Purpose.FEW, 0, 10_000)
    engine = backends.find("auto")
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert (engine.chosen, engine.tried) == ("glucose4", ("native",))
    engine.close()


def test_grids_of_both_are_handed_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled search finds some grids in its first turn, the SAT solver all of them in its own."""
    policies.turns(monkeypatch, Purpose.FEW, 6, 10_000)
    board = Board(4, 4, 4, (Linear((0, 1, 2, 3), (1, 1, 1, 1), 10, "sum"),))
    puzzle = Puzzle.from_givens(board, {})
    with_sat: Any = backends.find("auto")
    grids, ending = kit.collect(with_sat.search(puzzle, Budget(200)))
    assert with_sat.chosen == "glucose4"
    assert set(grids) == kit.brute_force(puzzle)
    assert (len(grids), ending) == (44, Ending.EXHAUSTED)


def test_all_grids_of_hidden_cells_are_the_few_of_both_and_then_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    board, native = build(4, (Mark("chaos-construction"),)), backends.find("native")
    (grid,), _ = kit.collect(native.search(Puzzle.from_givens(board, {0: 1}), Budget(1)))
    puzzle = Puzzle.from_givens(board, dict(enumerate(grid[:8])))
    right = set(kit.collect(native.search(puzzle, Budget(None)))[0])
    assert len(right) > 5
    policies.turns(monkeypatch, Purpose.ALL, 6, 10_000, Stage((Turn(("native",)),)))
    for few, limit in product((1, len(right) - 1, len(right), 1_000), (None, len(right) - 1)):
        monkeypatch.setattr(scheduled, "MAX_SOLUTIONS", few)
        with closing(backends.find("auto")) as engine:
            grids, ending = kit.collect(engine.search(puzzle, Budget(limit)))
        assert len(set(grids)) == len(grids) == (limit or len(right))
        assert set(grids) <= right
        assert ending is (Ending.LIMIT if limit else Ending.EXHAUSTED)


def test_all_solutions_are_found_where_the_compiled_search_alone_finds_no_end() -> None:
    puzzle = read((VARIANTS / "chaos-arrow.toml").read_text())
    assert class_of(puzzle.board) is Class.HIDDEN
    with closing(backends.find("auto")) as engine:
        grids, ending = kit.collect(engine.search(puzzle, Budget(None, 100.0)))
    assert (len(grids), ending) == (1, Ending.EXHAUSTED)


def test_the_compiled_search_goes_on_in_the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    policies.race_after(monkeypatch, 1e-9, "native", "dlx", "backtrack")  # of these dlx takes no sums
    monkeypatch.setattr("satdoku.backends.scheduled.STEP_NODES", 1 << 30)
    engine: Any = backends.find("auto")
    grids, ending = kit.collect(engine.search(puzzle, Budget(2)))
    assert (len(grids), ending, engine.chosen) == (1, Ending.EXHAUSTED, "race:native")
    assert engine.tried == ("native",)
    policies.race_after(monkeypatch, 1e-9, "native", "glucose4", "cpsat")
    monkeypatch.setattr(scheduled, "advance", lambda *search: None)  # nothing comes of it
    engine = backends.find("auto")
    assert kit.collect(engine.search(puzzle, Budget(2))) == (grids, ending)
    assert engine.chosen in ("race:glucose4", "race:cpsat")
    engine.close()


def test_the_compiled_search_stops_where_others_race_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    policies.race_after(monkeypatch, 1e-9, "glucose4", "cpsat")
    works = []

    def advanced(run: Any, work: int, *others: Any) -> Any:
        works.append(work)
        return advance(run, work, *others)

    monkeypatch.setattr(scheduled, "advance", advanced)
    with closing(backends.find("auto")) as engine:
        grids, ending = kit.collect(engine.search(read((VARIANTS / "cage.toml").read_text()), Budget(2)))
    assert (len(grids), ending, works) == (1, Ending.EXHAUSTED, [1])


def test_turns_are_counted_in_nodes_and_conflicts() -> None:
    """Each round is three times as long as the one before, with a least number; no clock decides whose turn it is."""
    turns = Turn(("native",), 2_000), Turn(("glucose4", "cpsat"), 200, 2_000)
    taken: list[tuple[str, int | None]] = []

    def attempt(name: str, work: int | None, until: Deadline) -> str | None:
        taken.append((name, work))
        return "decided" if len(taken) == 8 else None

    assert carry_out([Stage(turns)], lambda name: True, attempt, Deadline(None)) == "decided"
    assert taken[::2] == [("native", 2_000 * 3**number) for number in range(4)]
    assert taken[1::2] == [("glucose4", conflicts) for conflicts in (2_000, 2_000, 2_000, 5_400)]


def test_an_engine_that_does_not_take_the_board_leaves_its_turn_to_the_next() -> None:
    turns = Turn(("native",), 1), Turn(("glucose4", "cpsat"), 1)
    asked: list[str] = []

    def attempt(name: str, work: int | None, until: Deadline) -> bool | None:
        asked.append(name)
        return True if len(asked) == 2 else None

    carry_out([Stage(turns)], lambda name: name == "cpsat", attempt, Deadline(None))
    assert asked == ["cpsat", "cpsat"]


def test_a_turn_to_the_end_ends_the_stage() -> None:
    asked: list[tuple[str, int | None]] = []

    def attempt(name: str, work: int | None, until: Deadline) -> None:
        asked.append((name, work))

    (stage,) = POLICY[Purpose.PROOF][Class.OTHER]
    assert carry_out([stage], lambda name: True, attempt, Deadline(None)) is None
    assert asked == [("native", 1 << 29), ("glucose4", 200_000), ("cadical153", None)]


def test_a_stage_goes_on_where_no_race_can_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = Stage((Turn(("native",), 1),), 1e-9), Stage((Turn(("no such engine",)), Turn(("glucose4",))), at_once=True)
    monkeypatch.setattr("satdoku.backends.schedule.entrants", lambda stage: [])
    asked: list[str] = []

    def attempt(name: str, work: int | None, until: Deadline) -> bool | None:
        asked.append(name)
        return True if len(asked) == 5 else None

    assert carry_out(stages, lambda name: True, attempt, Deadline(None))
    assert asked == ["native"] * 5


def test_every_question_has_a_policy_for_every_board_in_words() -> None:
    for question in Purpose:
        assert POLICY[question].keys() == set(Class)
        for stages in POLICY[question].values():
            named = [name for stage in stages for turn in stage.turns for name in turn.engines]
            assert all(name in described(stages) and backends.engine(name) for name in named)


def test_all_solutions_are_the_compiled_searchs() -> None:
    engine: Any = backends.find("auto")
    puzzle = read((VARIANTS.parent / "4x4_two.txt").read_text())
    assert len(list(engine.search(puzzle, Budget(None)))) == 2
    assert engine.chosen == "native"
    engine.close()


def test_runs_go_on_where_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """In many short turns each engine that steps finds what it finds in one search, and counts its work."""
    puzzle = read((VARIANTS.parent / "4x4_two.txt").read_text())
    for name in ("native", "backtrack", "dlx", "prune", "glucose4", "cadical153"):
        engine: Any = backends.find(name)
        assert isinstance(engine, Stepper)
        known: dict[Grid, None] = {}
        with closing(engine.begin(puzzle, Deadline(None))) as run:
            endings = [advance(run, 1, 100, known) for _ in range(200)]
        assert Ending.EXHAUSTED in endings
        assert set(known) == kit.brute_force(puzzle)
        assert not [ending for ending in endings if ending not in (None, Ending.EXHAUSTED)]


@pytest.mark.parametrize("solver", ["glucose4", "cadical153"])
def test_a_turn_of_a_sat_solver_ends_after_so_many_conflicts(solver: str) -> None:
    """Glucose ends at its next restart, CaDiCaL some later, and each at the same conflict every time."""
    puzzle = Puzzle.from_givens(formula(), {})

    def taken() -> list[int]:
        engine: Any = backends.find(solver)
        figures = []
        for conflicts in (50, 3_000):
            assert kit.collect(engine.search(puzzle, Budget(2, work=conflicts))) == ([], Ending.TIMEOUT)
            figures.append(engine.statistics()["conflicts"])
        engine.close()
        return figures

    first = taken()
    assert 50 <= first[0] < 3_000 <= first[1] < 20_000
    assert taken() == first


def test_others_race_where_there_is_no_compiled_search(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    monkeypatch.setattr(library, "absent", lambda: "it is not here")
    policies.race_after(monkeypatch, 1e-9, "native", "kissat404", "cpsat", "glucose4")
    engine: Any = backends.find("auto")
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert engine.chosen in ("race:kissat404", "race:cpsat", "race:glucose4")
    engine.close()


def test_without_the_compiled_search_a_sat_solver_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "absent", lambda: "it is not here")
    engine: Any = backends.find("auto")
    for file in ("cage.toml", "../9x9_hard.txt"):
        assert len(list(engine.search(read((VARIANTS / file).read_text()), Budget(2)))) == 1
        assert engine.chosen == "glucose4"
    engine.close()


def test_large_boards_of_few_givens_need_no_clauses() -> None:
    engine: Any = backends.find("auto")
    assert len(list(engine.search(Puzzle.from_givens(classic(6, 6), {0: 1}), Budget(2)))) == 2
    assert engine.chosen == "native"
    engine.close()


def test_the_race_of_large_boards_has_two_engines() -> None:
    """A third one would take a third of the two cores that most machines have at least."""
    first, race, _ = POLICY[Purpose.FEW][Class.LARGE]
    assert described([first]) == "native or singles (20,000), cayley" and not first.repeats
    assert described([race]) == "at once: kissat404 or glucose4, cpsat"


def test_a_race_takes_the_first_engine_that_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = {"kissat404"}
    monkeypatch.setattr(Engine, "absent", lambda engine: "it is not here" if engine.name in absent else None)
    stage = Stage((Turn(("kissat404", "glucose4")), Turn(("cpsat",))), at_once=True)
    assert entrants(stage) == ["glucose4", "cpsat"]
    absent.clear()
    assert entrants(stage) == ["kissat404", "cpsat"]
    absent |= {"kissat404", "glucose4"}
    assert entrants(stage) == [], "one does not race"


def test_boards_by_class() -> None:
    assert class_of(classic(3, 3)) is Class.CLASSIC
    assert class_of(classic(4, 4)) is class_of(read('size = 9\nrules = ["windoku"]').board) is Class.ALL_DIFFERENT
    assert class_of(classic(6, 5)) is Class.LARGE
    assert class_of(Board(29, 29, 29, (Linear((0, 1), (1, 1), 30, "sum"),))) is Class.LARGE_OTHER
    assert class_of(Board(4, 4, 4, (Linear((0, 1), (1, 1), 5, "sum"),))) is Class.SUMS
    assert class_of(formula()) is Class.OTHER
    kinds = {"chaos-arrow": Class.HIDDEN, "connected-values": Class.OTHER}
    kinds |= {"yin-yang": Class.OTHER, "full-rank-ties": Class.OTHER, "connected-group": Class.OTHER}
    assert {kind: class_of(read((VARIANTS / f"{kind}.toml").read_text()).board) for kind in kinds} == kinds
    assert class_of(read('size = 9\nrules = ["yin-yang"]').board) is Class.HIDDEN


def test_the_timeout_ends_both() -> None:
    puzzle = Puzzle.from_givens(formula(), {})
    grids, ending = kit.collect(backends.find("auto").search(puzzle, Budget(2, 1.0)))
    assert (grids, ending) == ([], Ending.TIMEOUT)


def test_an_encoding_is_of_the_board_as_it_is() -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    assert strengthened(puzzle.board) is not puzzle.board
    plain: Any = backends.find("auto", "log")
    assert plain.given("glucose4", puzzle).board is puzzle.board
    usual: Any = backends.find("auto")
    assert usual.given("glucose4", puzzle).board is strengthened(puzzle.board)
    assert usual.given("native", puzzle).board is puzzle.board


def test_a_stage_of_which_each_turn_comes_once_ends() -> None:
    stages = (Stage((Turn(("native",), 1), Turn(("nobody",), 1), Turn(("glucose4",), 2)), once=True),)
    asked: list[tuple[str, int | None]] = []

    def attempt(name: str, work: int | None, until: Deadline) -> None:
        asked.append((name, work))

    assert carry_out(stages, lambda name: name != "nobody", attempt, Deadline(None)) is None
    assert asked == [("native", 1), ("glucose4", 2)]


def test_a_stage_that_nobody_takes_ends() -> None:
    stages = (Stage((Turn(("native",), 1),)),)
    assert carry_out(stages, lambda name: False, lambda name, work, until: 1, Deadline(None)) is None


def test_an_engine_is_asked_about_the_board_when_its_turn_comes() -> None:
    """To ask one imports it, which takes a tenth of a second."""
    asked: list[str] = []

    def takes(name: str) -> bool:
        asked.append(name)
        return True

    stages = (Stage((Turn(("native",), 1), Turn(("glucose4",), 1))),)
    assert carry_out(stages, takes, lambda name, work, until: name, Deadline(None)) == "native"
    assert asked == ["native"]


def test_an_engine_that_refuses_a_puzzle_leaves_its_turn_to_the_next() -> None:
    turns = Turn(("native",), 1), Turn(("glucose4", "cpsat"), 1)
    asked: list[str] = []

    def attempt(name: str, work: int | None, until: Deadline) -> bool | None:
        asked.append(name)
        return True if len(asked) == 5 else None

    carry_out([Stage(turns)], lambda name: name not in asked or name != "glucose4", attempt, Deadline(None))
    assert asked == ["native", "glucose4", "cpsat", "native", "cpsat"]


@pytest.mark.parametrize("turns", [1, 2])
def test_a_puzzle_of_too_many_clauses_goes_to_an_engine_without_clauses(
    turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal comes where every engine refuses, and names no backend that does as well."""
    puzzle = Puzzle.from_givens(classic(2, 2), {0: 1}, "small")
    monkeypatch.setattr(incremental, "MAX_CLAUSES", 1)
    monkeypatch.setattr(incremental, "MAX_WHOLE_CLAUSES", 0)
    stages = (Stage((Turn(("glucose4", "cpsat")),) * turns),)
    monkeypatch.setitem(POLICY, Purpose.FEW, dict.fromkeys(Class, stages))
    engine: Any = backends.find("auto")
    with closing(engine):
        assert len(list(engine.search(puzzle, Budget(2)))) == 2
        assert (engine.chosen, engine.tried) == ("cpsat", ("glucose4",))
        monkeypatch.setattr(cpsat, "MAX_CANDIDATES", 1)
        with pytest.raises(Refused, match=r"^small: 0 million clauses, at most 0 million are taken$"):
            list(engine.search(puzzle, Budget(2)))


def test_engines_that_have_refused_do_not_race(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental, "MAX_CLAUSES", 1)
    monkeypatch.setattr(incremental, "MAX_WHOLE_CLAUSES", 0)
    stages = (Stage((Turn(("glucose4",), 1),), once=True), at_once("glucose4", "cpsat"))
    monkeypatch.setitem(POLICY, Purpose.FEW, dict.fromkeys(Class, stages))
    engine: Any = backends.find("auto")
    with closing(engine):
        assert len(list(engine.search(Puzzle.from_givens(classic(2, 2), {0: 1}), Budget(2)))) == 2
        assert (engine.chosen, engine.tried) == ("race:cpsat", ("glucose4",))
