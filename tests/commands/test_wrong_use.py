"""Invalid commands, options and inputs: one clear line, status 2, never a traceback."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.cli import UNIQUE, complaints, run

from satdoku.cli import OTHER_OPTIONS
from satdoku.commands import COMMANDS, OTHER_WORDS, summaries

WRONG = [
    ["frobnicate"],
    ["chek", UNIQUE],
    ["--frobnicate"],
    ["--versio"],
    ["check", "nosuch.txt"],
    ["check", "nosuch.txt:3"],
    ["check", ""],
    ["check", "x\x00y"],
    ["check", "q" * 100_000],
    ["check", "1" * 15],
    ["check", "9" + UNIQUE[1:]],
    ["check", "." * 258**2],
    ["check", "-1.2............"],
    ["check", "--.............."],
    ["check", "-..............1"],
    ["check", "--box", "3", UNIQUE],
    ["check", "--box", "", UNIQUE],
    ["check", "--box", "2x3", UNIQUE],
    ["check", "--box", "0x4", UNIQUE],
    ["check", "--box", "99999999999x2", UNIQUE],
    ["check", "--box"],
    ["check", "--format", "lien", UNIQUE],
    ["check", "--format", "", UNIQUE],
    ["check", "--empty", "", UNIQUE],
    ["check", "--format", "newspaper", UNIQUE],
    ["check", "--timeout", "0", UNIQUE],
    ["check", "--timeout", "-1", UNIQUE],
    ["check", "--timeout", "nan", UNIQUE],
    ["check", "--timeout", "inf", UNIQUE],
    ["check", "--timeout", "soon", UNIQUE],
    ["check", "-b", "cadical15", UNIQUE],
    ["check", "-b", "", UNIQUE],
    ["check", "-b", "cpsat:fast", UNIQUE],
    ["check", "-b", "backtrack:column", UNIQUE],
    ["check", "-b", "backtrack:", UNIQUE],
    ["check", "-e", "minimall", UNIQUE],
    ["check", "-e", "", UNIQUE],
    ["check", "-b", "backtrack", "-e", "minimal", UNIQUE],
    ["check", "-b", "backtrack", "--compare", "cpsat", UNIQUE],
    ["check", "--compare", "", UNIQUE],
    ["check", "--compare", "backtrack,", UNIQUE],
    ["check", "--compare", "backtrack,zzz", UNIQUE],
    ["check", "--compare", "backtrack,cpsat", "-e", "minimal", UNIQUE],
    ["solve", "--limit", "-1", UNIQUE],
    ["solve", "--limit", "some", UNIQUE],
    ["solve", "--limit", "1.5", UNIQUE],
    ["solve", "-b", "zzz", UNIQUE],
    ["count", "--limit", "-1", UNIQUE],
    ["count", "-e", "zzz", UNIQUE],
    ["export"],
    ["export", UNIQUE, UNIQUE],
    ["export", "--to", "dimac", UNIQUE],
    ["export", "-e", "zzz", UNIQUE],
    ["export", "-o", "/nonexistent/a.cnf", UNIQUE],
    ["export", "-o", ".", UNIQUE],
    ["convert", "--to", "gird", UNIQUE],
    ["convert", "-o", ".", UNIQUE],
    ["backends", "all"],
    ["encodings", "--box", "2x"],
    ["encodings", "--box", ""],
    ["bench", "rum"],
    ["bench", "run", "-b", "zzz", UNIQUE],
    ["bench", "run", "-b", "", UNIQUE],
    ["bench", "run", "-b", "backtrack,", UNIQUE],
    ["bench", "run", "-b", "backtrack", "-e", "minimal", UNIQUE],
    ["bench", "run", "-e", "zzz", UNIQUE],
    ["bench", "run", "--timeout", "0", UNIQUE],
]


@pytest.mark.parametrize("arguments", WRONG, ids=lambda arguments: " ".join(arguments)[:40].replace("\x00", "NUL"))
def test_a_wrong_invocation_is_one_line_and_status_two(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(complaints(result)) == 1
    assert len(result.stderr) > len("satdoku: ; ")
    assert not result.stderr.startswith("satdoku: :")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", UNIQUE, "--timeout"], "--timeout is without its value; see `satdoku check --help`"),
        (["bench", "run", "-o"], "-o is without its value; see `satdoku bench run --help`"),
        (["chek"], "unknown command 'chek': did you mean check"),
        (["frobnicate"], "unknown command 'frobnicate': see `satdoku --help`"),
        (["bench", "rum"], "unknown command 'rum': did you mean run?"),
        (["backends", "all"], "unexpected extra argument: all; see `satdoku backends --help`"),
        (["generate", "--count", "2", "-o", "a.toml"], "a TOML file holds one puzzle, and here are several"),
        (["convert", "-o", "a.toml", UNIQUE, UNIQUE], "a TOML file holds one puzzle, and here are several"),
        (["check", "--only", "zzz", UNIQUE], "unknown verdict 'zzz': expected unique, multiple"),
        (["generate", "--symmetry", "zzz"], "--symmetry zzz: expected one of none, rotational, diagonal, mirror, full"),
        (["solve", "--all", "--limit", "3", UNIQUE], "--limit 3 and --all: choose one"),
        (["count", "--all", "--limit", "3", UNIQUE], "--limit 3 and --all: choose one"),
        (["count", "--estimate", "1", "--limit", "3", UNIQUE], "leave out --check, --all, --limit"),
        (["render", "--paper", "letter", UNIQUE], "satdoku: --paper is for --sheet: name that too"),
        (["render", "--no-answers", UNIQUE], "satdoku: --no-answers is for --sheet"),
        (["render", "--no-answers", "--paper", "a4", UNIQUE], "--paper and --no-answers are for --sheet"),
        (["render", "-o", "a.svg", "-o", "a.png", UNIQUE], "--output is given 2 times: give it once"),
        (["export", "-o", "a.cnf", "-o", "b.cnf", UNIQUE], "--output is given 2 times"),
        (["check", "-b", "cadical15", UNIQUE], "unknown backend 'cadical15': did you mean cadical"),
        (["check", "-b", "zzz", UNIQUE], "unknown backend 'zzz': see `satdoku backends`"),
        (["check", "-e", "minimall", UNIQUE], "unknown encoding 'minimall': did you mean minimal?"),
        (["check", "-e", "zzz", UNIQUE], "unknown encoding 'zzz': see `satdoku encodings`"),
        (["check", "--format", "gird", UNIQUE], "unknown format 'gird': did you mean grid"),
        (["export", "--to", "dimac", UNIQUE], "did you mean dimacs?"),
        (["check", "-b", "cpsat", "-e", "minimal", UNIQUE], "leave out --encoding minimal"),
        (["check", "-b", "cpsat:fast", UNIQUE], "backend cpsat takes no argument; leave out :fast"),
        (["check", "-b", "backtrack:column", UNIQUE], "expected backtrack:fewest or backtrack:row"),
        (
            ["check", "-b", "cpsat", "--compare", "cpsat,backtrack", UNIQUE],
            "--compare names the backends already: leave out --backend",
        ),
        (["solve", "--limit", "-1", UNIQUE], "--limit -1: expected 0 (all) or more"),
        (["check", "--timeout", "0", UNIQUE], "expected a number above 0"),
        (["check", "--frobnicate"], "unknown option --frobnicate; see `satdoku check --help`"),
        (["check", "--frobnicate"], "see `satdoku check --help`"),
        (["export"], "see `satdoku export --help`"),
        (["check", "nosuch.txt"], "nosuch.txt: neither a file nor a puzzle"),
        (["check", "  "], "'  ': neither a file nor a puzzle"),
        (["check", "-", "-"], "standard input can be read once: name files for the others"),
        (["bench", "run", "-", "-"], "standard input can be read once: name files for the others"),
        (["decode", UNIQUE, ""], "'': no such file"),
        (["check", "-o", "no\nfolder/a.csv", UNIQUE], "cannot write no\\nfolder/a.csv: there is no folder no\\nfolder"),
        (["audit", "/dev/null"], "FILE /dev/null: not a regular file"),
        (["verify", ""], "'': no such folder or file of certificates"),
        (["bench", "run", "-b", "native", "-o", "/dev/full", UNIQUE], "/dev/full: not a regular file: leave it out"),
    ],
)
def test_what_is_wrong_is_reported_with_the_way_out(arguments: list[str], message: str) -> None:
    assert message in run(*arguments).stderr


def test_an_option_at_fault_is_reported_once_for_a_file_of_many(file: Any) -> None:
    result = run("check", "--timeout", "0", file(UNIQUE, UNIQUE, UNIQUE))
    assert (result.exit_code, len(complaints(result))) == (2, 1)


@pytest.mark.parametrize("command", [["check"], ["solve"], ["count"], ["convert"], ["bench", "run", "-b", "backtrack"]])
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00\x00", b"\x00" * 50, b"1" * 100_000, b"a\nb\nc"])
def test_no_input_at_fault_gives_a_traceback(command: list[str], content: bytes) -> None:
    result = run(*command, "-", input=content)
    assert result.exit_code == 2
    assert complaints(result)


@pytest.mark.parametrize("command", ["check", "solve", "count", "convert"])
def test_one_bad_line_costs_that_line_and_makes_the_status_two(command: str, file: Any) -> None:
    result = run(command, file(UNIQUE, "12x", UNIQUE))
    assert (result.exit_code, len(result.stdout.splitlines())) == (2, 2)
    assert complaints(result)[0].startswith("puzzles.txt, line 2, column 1: 3 cells")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("hint", "explain"),
        ("hints", "explain"),
        ("rate", "difficulty"),
        ("validate", "check"),
        ("draw", "render"),
        ("create", "generate"),
        ("cand", "candidates"),
        ("version", "--version"),
    ],
)
def test_another_word_for_a_command_leads_to_it(name: str, meant: str) -> None:
    for arguments in ([name, UNIQUE], ["help", name]):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"satdoku: unknown command {name!r}: did you mean {meant}?\n"


@pytest.mark.parametrize(("name", "mark"), [("thermo", "thermometer"), ("killer", "killer-cage"), ("arrows", "arrow")])
def test_the_name_of_a_mark_leads_to_what_is_known_of_it(name: str, mark: str) -> None:
    reported = f"satdoku: {name!r} is not a command: about this mark, see `satdoku variants {mark}`\n"
    assert run(name).stderr == reported
    assert run("variants", mark).exit_code == 0
    assert run("variants", name).stderr == f"satdoku: unknown variant {name!r}: did you mean {mark}?\n"


def test_a_puzzle_or_a_file_instead_of_a_command_shows_where_it_goes(file: Any) -> None:
    path = file(UNIQUE)
    for argument, shown in ((UNIQUE, UNIQUE), (path, path), ("[[1, 2], [3, 4]]", "'[[1, 2], [3, 4]]'")):
        result = run(argument)
        assert result.exit_code == 2
        assert f"is not a command: check a puzzle with `satdoku check {shown}`" in result.stderr


def test_every_other_word_leads_to_a_command_and_is_none() -> None:
    names = summaries()
    assert not set(OTHER_WORDS) & set(names)
    assert {meant.split()[0] for meant in OTHER_WORDS.values()} <= {*names, "--version"}


def test_help_is_of_commands_and_not_of_their_arguments() -> None:
    assert run("help", "check", UNIQUE).stderr == (
        "satdoku: satdoku check has no commands of its own: see `satdoku check --help`\n"
    )
    assert "unknown command 'rum': did you mean run?" in run("help", "bench", "rum").stderr


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (
            ["check", "--time", "3", UNIQUE],
            "unknown option --time: did you mean --timeout?; see `satdoku check --help`",
        ),
        (["check", "--engine", "native", UNIQUE], "unknown option --engine: did you mean --backend?"),
        (["check", "--threads", "2", UNIQUE], "unknown option --threads: did you mean --jobs?"),
        (["check", UNIQUE, "--solve"], "unknown option --solve; see `satdoku check --help`"),
        (["solve", "-n", "3", UNIQUE], "unknown option -n: did you mean --limit?"),
        (["generate", "--number", "3"], "unknown option --number: did you mean --count?"),
        (["--versio"], "unknown option --versio: did you mean --version?"),
        (["--verbose", "check", UNIQUE], "unknown option --verbose: what a command takes goes after its name"),
        (["check", "--rule", "knight", UNIQUE], "unknown rule 'knight': did you mean anti-knight?"),
        (["export", "--to", "cnf", UNIQUE], "unknown export 'cnf': did you mean dimacs?"),
        (["export", "--to", "sat", UNIQUE], "unknown export 'sat': did you mean dimacs?"),
        (["convert", "--to", "json", UNIQUE], "unknown format 'json': did you mean f-puzzles-json?"),
        (["check", "-b", "or_tools", UNIQUE], "unknown backend 'or_tools': did you mean cpsat?"),
        (["certify", UNIQUE], "option --output is missing; see `satdoku certify --help`"),
        (["bench", "make", "--size", "9"], "option --holes is missing; see `satdoku bench make --help`"),
        (["export"], "argument puzzle is missing; see `satdoku export --help`"),
        (["watch", "puzzles"], "puzzles: a folder, expected the file of a puzzle"),
        (["check", "53..7...."], "argument 1, line 1, column 1: 9 cells, one row of a 9x9 puzzle: expected all 81"),
        (["explain", "--stages", "2", UNIQUE], "--stages is for --hint: add that, or leave out --stages"),
        (["difficulty", "--seed", "4", UNIQUE], "--seed is for the random numbers of --isomorphs"),
        (["render", "--answers", UNIQUE], "--answers is for --sheet: name that too, such as --sheet 2x3"),
        (["check", "--column", "a", UNIQUE], "argument 1 is a puzzle as text, which has no column 'a'"),
        (["solve", "--ascii", "--json", UNIQUE], "--ascii is for grids as text: leave it out, or --json and --csv"),
        (["check", "-v", "-q", UNIQUE], "--verbose and --quiet: choose one"),
        (["check", "1234"], "argument 1, line 1, column 1: 4 cells, one row of a 4x4 puzzle: expected all 16"),
        (["check", "12345678901"], "argument 1, line 1, column 1: 11 cells, but a puzzle has N*N"),
        (["check", "--reduce", "-b", "native", UNIQUE], "no encoding is taken by native; leave out --encoding or --"),
        (["bench", "run", "-b", "native", "-e", "a", UNIQUE], "none of native takes an encoding"),
        (
            ["check", "--only", "foo", UNIQUE],
            "unknown verdict 'foo': expected unique, multiple, unsolvable, undecided, 'un",
        ),
        (["check", "--rule", "killer", UNIQUE], "unknown rule 'killer': did you mean killer-cage?"),
        (["check", "--rule", "windo", UNIQUE], "unknown rule 'windo': did you mean windoku?"),
        (["solve", "--thermo", UNIQUE], "unknown option --thermo: about this mark, see `satdoku variants thermometer`"),
        (["help", "bench", "nosuch"], "unknown command 'nosuch': see `satdoku bench --help`"),
    ],
)
def test_an_option_or_an_argument_leads_to_the_right_one(arguments: list[str], reported: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"satdoku: {reported}")
    assert result.stderr.count("\n") == 1


def test_every_other_word_for_an_option_leads_to_one() -> None:
    shown = [run("help", *command.name.split()).stdout for command in COMMANDS]
    known = {option for text in shown for option in re.findall(r"--[a-z-]+", text)}
    assert set(OTHER_OPTIONS.values()) <= known


def test_a_file_of_nearly_that_name_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "easy.txt").write_text(UNIQUE)
    monkeypatch.chdir(tmp_path)
    for name in ("easy", "Easy.txt", "eays.txt", "./easy.tx"):
        assert complaints(run("check", name)) == [f"{name}: neither a file nor a puzzle: did you mean easy.txt?"]
    inside = tmp_path / "easy.tx"
    assert complaints(run("check", str(inside)))[0].endswith(f"did you mean {tmp_path / 'easy.txt'}?")
    assert complaints(run("check", "hard.txt")) == ["hard.txt: neither a file nor a puzzle"]


def test_a_text_of_words_is_reported_as_no_puzzle(file: Any) -> None:
    reported = complaints(run("check", file("hello world")))[0]
    assert "line 1, column 1: 'hello' is not a puzzle: expected digits, and . or 0 where a cell is empty" in reported


def test_the_name_of_a_file_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a\nb.txt", "c.txt"):
        Path(name).write_text(UNIQUE)
    lines = run("check", "a\nb.txt", "c.txt").stdout.splitlines()
    assert lines == ["a\\nb.txt:1\tunique", "c.txt:1\tunique"]
    assert run("check", "--csv", "a\nb.txt").stdout.splitlines()[1].startswith("a\\nb.txt,1,unique")
