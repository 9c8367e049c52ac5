"""What `records.py` says of fields is what tables and records have."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from importlib import import_module

import pytest
from support import policies
from support.cli import UNIQUE, complaints, records, run
from support.puzzles import ROOT

from satdoku.backends.schedule import Purpose
from satdoku.batch.questions import Question
from satdoku.commands import COMMANDS
from satdoku.commands.check import Check
from satdoku.commands.difficulty import FURTHER
from satdoku.commands.records import EVERY, RECORDS
from satdoku.commands.searches import columns

TYPES = {int: "integer", float: "number", bool: "boolean"}


def described(command: str) -> dict[str, str]:
    """The type of each field of a command, as it is described."""
    found: dict[str, str] = {}
    for field in (*RECORDS[EVERY], *RECORDS[command]):
        types = field.type.split(", ")
        one_each = len(types) == len(field.names)
        found.update(zip(field.names, types if one_each else [field.type] * len(field.names), strict=True))
    return found


def tables() -> Iterator[tuple[str, Mapping[str, type]]]:
    """The columns of each command, with all options that add some."""
    for command in COMMANDS:
        name = command.name
        if name in RECORDS and name not in ("verify", "decode", "backends", "encodings", "formats", "variants"):
            for _, question in inspect.getmembers(import_module(f"satdoku.commands.{name}"), inspect.isclass):
                own = vars(question).get("columns") if issubclass(question, Question) else None
                if isinstance(own, dict) and question.__module__.endswith(f".{name}"):
                    yield name, own
    yield "difficulty", columns(" ".join(FURTHER.values()))
    yield "check", Check(echo=True, solutions=True, timing=True, expect="stated").columns


def test_every_column_of_a_table_is_described_and_has_the_type() -> None:
    found = list(tables())
    assert {name for name, _ in found} >= {"check", "count", "explain", "generate", "minimize", "grade", "dedupe"}
    for command, own in found:
        for column, kind in own.items():
            text = described(command).get(column.removesuffix(" 2"))
            assert text is not None, f"{command}: {column}"
            assert TYPES.get(kind, "") in text, f"{command}: {column} is {kind}, described as {text}"


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "-v", "1234341221434..."],
        ["solve", "--limit", "2", "13....3131...213"],
        ["count", "13....3131...213"],
        ["candidates", "13....3131...213"],
        ["explain", "13....3131...213"],
        ["explain", "12....3........."],
        ["minimize", "--witness", "1234341221434..."],
        ["generate", "--box", "2x2", "--seed", "1", "--until", "naked single"],
        ["generate", "--box", "2x2", "--seed", "1", "--marks", "cage"],
        ["shuffle", "1234341221434..."],
        ["backends"],
        ["encodings", "--box", "2x2"],
        ["formats"],
        ["variants"],
    ],
    ids=" ".join,
)
def test_every_field_of_a_record_is_described(arguments: list[str]) -> None:
    result = run(*arguments, "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines, result.stderr
    assert {key for line in lines for key in line} <= set(described(arguments[0]))


@pytest.mark.parametrize("command", ["candidates", "explain", "minimize"])
def test_the_engines_that_an_answer_rests_on_are_named(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for puzzle, words in ((UNIQUE, "glucose4"), (str(ROOT / "puzzles" / "variants" / "arrow.toml"), "native")):
        (record,) = records(run(command, "--json", puzzle))
        assert (record["engines"], "tried" in record) == ([words], False)
        assert complaints(run(command, "-v", puzzle))[-1].endswith(f"; by {words}")
    policies.turns(monkeypatch, Purpose.SETTING, 1, 1_000_000)
    if command == "explain":
        (record,) = records(run(command, "--json", puzzle))
        assert (record["engines"], record["tried"]) == (["glucose4"], ["native"])
        assert complaints(run(command, "-v", puzzle))[-1].endswith("; by glucose4 after native")


def test_givens_that_clash_need_no_engine() -> None:
    (record,) = records(run("minimize", "--json", "11.............."))
    assert record["engines"] == []
    assert "; by " not in run("minimize", "-v", "11..............").stderr
