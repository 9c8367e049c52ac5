"""Other policies than that of `auto`, for as long as a test runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from satdoku.backends.schedule import CPSAT, NATIVE, PERSISTENT, POLICY, SAT, Class, Purpose, Stage, Turn


def turns(
    monkeypatch: pytest.MonkeyPatch, question: Purpose, nodes: int, conflicts: int, then: Stage | None = None
) -> None:
    """Turns of so many nodes and conflicts for every board, and perhaps a further stage after `then.seconds`."""
    stage = Stage((Turn((NATIVE,), nodes), Turn((SAT, CPSAT), conflicts)), None if then is None else then.seconds)
    stages = (stage,) if then is None else (stage, then)
    for board_class in Class:
        monkeypatch.setitem(POLICY[question], board_class, stages)


def alone(monkeypatch: pytest.MonkeyPatch, question: Purpose, *names: str) -> None:
    """The first of these engines that takes the board."""
    for board_class in Class:
        monkeypatch.setitem(POLICY[question], board_class, (Stage((Turn(names),)),))


def credit(monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    """So many nodes in vain for the compiled search, where it is asked for candidates at all."""
    for board_class, (stage,) in POLICY[Purpose.CANDIDATES].items():
        native = stage.turns[0]
        if native.credit is not None:
            turn = replace(native, credit=replace(native.credit, first=first))
            stages = (replace(stage, turns=(turn, *stage.turns[1:])),)
            monkeypatch.setitem(POLICY[Purpose.CANDIDATES], board_class, stages)


def sat_for_setters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SAT solver alone for `candidates`, `explain` and `minimize`."""
    for question in (Purpose.SETTING, Purpose.CANDIDATES):
        alone(monkeypatch, question, SAT)


def race_after(monkeypatch: pytest.MonkeyPatch, seconds: float, *names: str) -> None:
    """A turn of one node of the compiled search, if it is here, and then a race of these engines."""
    first = Stage((Turn((NATIVE,), 1),), seconds)
    race = Stage(tuple(Turn((name,)) for name in names), at_once=True)
    for board_class in Class:
        monkeypatch.setitem(POLICY[Purpose.FEW], board_class, (first, race))


def proofs(monkeypatch: pytest.MonkeyPatch, **work: int) -> None:
    """These provers for so much work each, and then the one that is the last."""
    turns = tuple(Turn((name,), least) for name, least in work.items())
    for board_class in Class:
        monkeypatch.setitem(POLICY[Purpose.PROOF], board_class, (Stage((*turns, Turn((PERSISTENT,)))),))
