"""benchmarks/attack.py: a short run of each attack, and what it says of a fault."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from support.amount import tries
from support.attacks import terminal, texts
from support.attacks.texts import bomb, packed

from satdoku.errors import InputError
from satdoku.formats import Options, Reading, detect

ATTACK = str(Path(__file__).parents[2] / "benchmarks" / "attack.py")


@pytest.mark.parametrize(("name", "tries"), [("texts", tries(10, 30)), ("interrupts", 1), ("forgeries", tries(8, 20))])
def test_each_attack_says_how_many_it_tried(name: str, tries: int) -> None:
    command = [sys.executable, ATTACK, name, "--seconds", "600", "--seed", "19", "--tries", str(tries)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, ""), found.stdout
    assert re.fullmatch(
        rf"{name}: {tries} tried from seed 19, 0 faults; \d+ s of CPU time in this process\n", found.stdout
    )


def test_a_fault_comes_with_what_tries_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts.real()  # made by the reader that is not faulty

    def faulty(text: str, options: Options) -> Reading:
        if len(text) % 3 == 0:
            raise ZeroDivisionError("planted")
        return detect(text, options)

    def planted(*arguments: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", [ATTACK, "texts", *arguments])
        with pytest.raises(SystemExit, match="1"):
            runpy.run_path(ATTACK, run_name="__main__")
        return capsys.readouterr().out.splitlines()

    monkeypatch.setattr(texts, "detect", faulty)
    monkeypatch.setattr(sys, "path", [*sys.path])  # which the script adds to
    first, again, *_ = planted("--seconds", "600", "--tries", "20")
    assert first.endswith("ZeroDivisionError: planted")
    seed = again.split("texts ")[1].split()
    assert planted(*seed)[:2] == [first, again]


def test_a_run_ends_when_its_time_is_up() -> None:
    command = [sys.executable, ATTACK, "texts", "--seconds", "0"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.stdout.startswith("texts: 0 tried from seed 0, 0 faults")


def test_links_of_several_sites_are_packed_again() -> None:
    assert len({head for head, _, _ in packed()}) >= 3
    for head, held, pack in packed():
        assert detect(head + pack(held), Options()).puzzle.board.cells


def test_bombs_unpack_to_more_than_is_read() -> None:
    messages = []
    for number in range(30):
        with pytest.raises(InputError) as refused:
            detect(bomb(Random(number)), Options())
        messages.append(str(refused.value))
    assert sum("more than" in message or "over" in message for message in messages) > 3, messages


def test_every_command_is_interrupted() -> None:
    from satdoku.commands import COMMANDS

    tried = {command[0] for command in terminal.COMMANDS}
    assert {command.name.split()[0] for command in COMMANDS} == tried
