"""Backends, encodings, formats, exports and kinds of marks that are given as objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from support.own_backend import ENGINE, Own

import satdoku
from satdoku import InputError, Puzzle, Refused, Verdict
from satdoku.backends import Engine
from satdoku.constraints import Linear
from satdoku.encoders.cnf import encodings
from satdoku.exports import Target
from satdoku.formats import Options, Reading, formats
from satdoku.puzzle import Mark
from satdoku.variants import Alias, Frame, Kind, Shape, kinds

UNIQUE, TWO = ".1.4....1....43.", "13....3131...213"


ENCODING = replace(encodings()["minimal"], name="own")


class TestBackends:
    def test_an_open_backend_answers_and_stays_open(self) -> None:
        own = Own()
        outcome = satdoku.check(UNIQUE, backend=own)
        assert (outcome.verdict, outcome.backend) == (Verdict.UNIQUE, "Own")
        assert len(satdoku.solve(TWO, backend=own, limit=None).grids) == satdoku.count(TWO, backend=own).count == 2
        assert [one.verdict.value for one in satdoku.check_many([UNIQUE, TWO], backend=own)] == ["unique", "multiple"]
        with satdoku.Session(own) as session:
            assert session.check(satdoku.read(TWO)).verdict is Verdict.MULTIPLE
        assert own.closed == 0

    def test_what_a_session_has_opened_it_closes(self) -> None:
        with satdoku.Session(ENGINE) as session:
            own = session.backend
            assert session.check(satdoku.read(UNIQUE)).backend == "own"
        assert isinstance(own, Own)
        assert own.closed == 1

    def test_it_may_refuse_a_board_and_an_encoding(self) -> None:
        with pytest.raises(Refused, match="backend Own cannot take it: more than 16 cells"):
            satdoku.check("." * 81, backend=Own())
        with pytest.raises(Refused, match="backend Own takes no encoding; leave out the encoding own"):
            satdoku.check(UNIQUE, backend=Own(), encoding=ENCODING)

    @pytest.mark.parametrize("backend", [ENGINE, Own()], ids=["engine", "backend"])
    def test_it_goes_to_workers(self, backend: Engine | Own) -> None:
        found = satdoku.check_many([UNIQUE, TWO], backend=backend, jobs=2)
        assert [one.verdict.value for one in found] == ["unique", "multiple"]

    def test_one_that_does_not_pickle_is_refused_in_one_line_before_there_are_workers(self) -> None:
        engine = replace(ENGINE, open=lambda argument, encoding: Own())
        with pytest.raises(Refused, match=r"^the backend cannot go to worker processes, it cannot be pickled \(.*$"):
            satdoku.check_many([UNIQUE], backend=engine, jobs=2)

    @pytest.mark.parametrize("given", [5, Own], ids=["number", "class"])
    def test_what_is_no_backend_is_refused(self, given: object) -> None:
        with pytest.raises(TypeError, match=r"expected the name of one, or a satdoku\.backends\.Engine"):
            satdoku.check(UNIQUE, backend=given)  # type: ignore[arg-type]


class TestEncodings:
    def test_it_is_taken_wherever_a_name_is(self) -> None:
        assert satdoku.cnf(UNIQUE, encoding=ENCODING).formula.nv == 64
        assert ", encoding own\n" in satdoku.export(UNIQUE, encoding=ENCODING)
        assert satdoku.check(UNIQUE, backend="glucose4", encoding=ENCODING).verdict is Verdict.UNIQUE
        assert satdoku.check(UNIQUE, encoding=ENCODING).verdict is Verdict.UNIQUE

    def test_one_that_is_none_is_refused_at_once(self) -> None:
        with pytest.raises(TypeError, match=r"encoding is \[\]: expected the name"):
            satdoku.Session(encoding=[])  # type: ignore[arg-type]


def test_a_format_is_read_written_and_converted_to() -> None:
    line = formats()["line"]
    own = replace(line, name="own", text_of=partial(line.write), summary="a line")
    assert satdoku.write(UNIQUE, own) == satdoku.convert(TWO, own)[:0] + UNIQUE

    def read(text: str, options: Options) -> Reading:
        return line.read(text[::-1], options)

    assert satdoku.read(UNIQUE[::-1], format=replace(own, read=read)) == satdoku.read(UNIQUE)


def test_an_export_is_written() -> None:
    def write(puzzle: Puzzle, encoding: object, blocked: object) -> Iterator[str]:
        yield f"{puzzle.given_count} givens"

    assert satdoku.export(UNIQUE, Target(name="own", summary="givens", write=write)) == "5 givens"


def lower(frame: Frame, mark: Mark) -> Iterator[Linear]:
    first, second, third = frame.cells(mark.cells)
    yield Linear((first, second, third), (1, -2, 1), 0, "mean")


@pytest.fixture
def mean() -> Iterator[Kind]:
    kind = Kind("own-mean", "own means", Shape.CELLS, "The middle one is the mean.", lower, aliases=(Alias("om"),))
    yield kind
    dict.pop(kinds(), kind.name, None)


class TestKinds:
    def test_marks_of_a_kind_are_built_described_written_and_read(self, mean: Kind) -> None:
        make = satdoku.marks.of(mean)
        puzzle = satdoku.build(size=4, marks=[make(["r1c1", "r1c2", "r1c3"])], givens={"r1c1": 1})
        assert satdoku.check(puzzle).grid[:3] == (1, 2, 3)  # type: ignore[index]
        assert "1 own-mean" in repr(puzzle)
        assert satdoku.read(satdoku.write(puzzle, "toml")).board == puzzle.board
        assert satdoku.marks.of(mean)("r1c1-r1c3") == vars(satdoku.marks)["__getattr__"]("own_mean")("r1c1-r1c3")
        found = list(satdoku.check_many([puzzle], jobs=2))
        assert found[0].verdict is satdoku.check(puzzle).verdict

    @pytest.mark.parametrize("taken", ["cage", next(a.name for kind in kinds().values() for a in kind.aliases)])
    def test_a_name_or_an_alias_that_is_taken_is_refused(self, mean: Kind, taken: str) -> None:
        with pytest.raises(InputError, match=f"^there is a kind of mark {taken} already$"):
            satdoku.marks.of(replace(mean, name=taken))
        assert "own-mean" not in dict(kinds())
