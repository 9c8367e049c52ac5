"""Help, the version, completion, and what is loaded for them."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys

import pytest
from support.cli import run, start

import satdoku
from satdoku.commands import COMMANDS, named, summaries


class TestHelp:
    @pytest.mark.parametrize(
        "command",
        [
            [],
            ["check"],
            ["solve"],
            ["count"],
            ["export"],
            ["convert"],
            ["dedupe"],
            ["backends"],
            ["encodings"],
            ["bench"],
            ["bench", "run"],
        ],
        ids=" ".join,
    )
    @pytest.mark.parametrize("flag", ["-h", "--help"])
    def test_every_command_has_help(self, command: list[str], flag: str) -> None:
        result = run(*command, flag)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "Usage: satdoku" in result.stdout
        assert "<bool>" not in result.stdout

    def test_the_command_help_prints_the_same_and_leaves_the_flags_as_they_are(self) -> None:
        for name in ("check", "generate"):
            assert run("help", name).stdout == run(name, "--help").stdout == run(name, "-h").stdout

    def test_the_fields_of_records_are_printed(self) -> None:
        own, shared = run("help", "minimize", "--records").stdout.split("every command:")
        assert re.search(r"^dropped, spare, untested +lists of strings +cells dropped;", own, re.M)
        assert re.search(r"^not_enforced +list of strings ", shared, re.M)
        assert re.search(r"^status +integer ", run("help", "--records").stdout, re.M)
        refused = run("help", "bench", "make", "--records")
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert refused.stderr.startswith("satdoku: satdoku bench make writes no records of JSON: expected one of ")

    def test_the_version_is_the_package_s(self) -> None:
        assert run("--version").stdout == f"satdoku {satdoku.__version__}\n"

    @pytest.mark.parametrize("arguments", [[], ["bench"]], ids=" ".join)
    def test_a_command_that_needs_another_shows_its_help(self, arguments: list[str]) -> None:
        result = run(*arguments)
        assert result.exit_code == 2
        assert "Usage: satdoku" in result.stdout + result.stderr
        assert "satdoku: ;" not in result.stderr

    def test_the_list_says_of_each_command_what_its_own_help_begins_with(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "300")
        shown = " ".join(run("--help").stdout.split())
        for command in COMMANDS:
            own = inspect.cleandoc(command.function().__doc__).split("\n\n")[0]
            assert own == command.help, command.name
        for name, text in summaries().items():
            assert f"│ {name} {text} │" in shown

    @pytest.mark.parametrize("columns", ["60", "80", "100"])
    def test_every_command_and_group_has_its_name_in_the_table(
        self, columns: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", columns)
        shown = re.findall(r"^│ (\w+) +\w", run("--help").stdout.partition("─ Commands ")[2], re.M)
        assert shown == list(summaries())
        inside = re.findall(r"^│ (\w+) +\w", run("bench", "--help").stdout.partition("─ Commands ")[2], re.M)
        assert inside == [command.name.split()[1] for command in named("bench")]

    def test_it_imports_no_command_and_no_puzzle(self) -> None:
        probe = (
            "import sys\nfrom satdoku.cli import app\n"
            "try: app(['--help'])\nexcept SystemExit: pass\n"
            "print(*sorted(name for name in sys.modules if name.startswith('satdoku')), file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
        assert "satdoku.commands" in done.stderr.split()
        assert "satdoku.puzzle" not in done.stderr.split()
        assert not [name for name in done.stderr.split() if name.startswith("satdoku.commands.")]

    def test_it_loads_no_solver(self) -> None:
        probe = (
            "import sys\nfrom satdoku.cli import app\n"
            "try: app(['--help'])\nexcept SystemExit: pass\n"
            "heavy = {'ortools', 'pysat', 'numpy', 'numba', 'pandas', 'scipy', 'matplotlib'}\n"
            "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
        assert done.stderr == "[]\n"

    @pytest.mark.skipif(os.name != "posix", reason="terminals")
    def test_a_terminal_with_nothing_named_gets_usage(self) -> None:
        import pty

        ours, theirs = pty.openpty()
        try:
            with start("check", stdin=theirs) as process:
                printed, message = process.communicate()
        finally:
            os.close(ours)
            os.close(theirs)
        assert (process.returncode, printed) == (2, "")
        assert message.startswith("satdoku: no puzzles named: ")
        assert message.count("\n") == 1

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            ("satdoku ch", {"check"}),
            ("satdoku check -b cadical1", {"cadical103", "cadical153", "cadical195"}),
            ("satdoku check --encoding e", {"efficient", "extended"}),
            ("satdoku convert --to g", {"grid"}),
        ],
    )
    def test_the_shell_completes_names(self, words: str, expected: set[str]) -> None:
        environment = os.environ | {
            "_SATDOKU_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
        script = "import sys; sys.argv[0] = 'satdoku'; from satdoku.cli import app; app()"
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
        names = done.stdout.split()
        assert expected <= set(names)
        assert all(name.startswith(words.split()[-1]) for name in names)
        assert done.stderr == ""
