"""The commands, a file each: its options, its question, its texts. A new command is a new file, and a row here.

The rows are read for the help, so that it imports no command.
"""

from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """A command. `name` has that of its group before it; `place` is the file and the function that typer calls."""

    name: str
    place: str
    help: str

    def function(self) -> Any:
        file, _, name = self.place.partition(":")
        return getattr(import_module(f"{__name__}.{file}"), name)


COMMANDS = (
    Command("check", "check:command", "A verdict for each puzzle: unique, multiple, unsolvable or undecided."),
    Command("solve", "solve:command", "A solution of each puzzle, or more."),
    Command("count", "count:command", "How many solutions each puzzle has."),
    Command(
        "convert",
        "convert:command",
        "Write puzzles in another format (line if none is named); refused where the format cannot hold them.",
    ),
    Command(
        "dedupe",
        "dedupe:command",
        "Write the distinct puzzles: of those that a symmetry of their board makes equal, the first.",
    ),
    Command(
        "render",
        "render:command",
        "Draw puzzles: SVG, PNG or PDF by the suffix of the file; SVG on standard output without one.",
    ),
    Command(
        "web", "web:command", "A page to set puzzles on, in the browser: draw marks, and see at once what is left."
    ),
    Command("watch", "watch:command", "Draw and check the puzzle of a file whenever the file changes, until Ctrl-C."),
    Command(
        "candidates", "candidates:command", "The values of each cell that occur in some solution, and in how many."
    ),
    Command(
        "explain",
        "minimize:explain",
        "Why a puzzle has no solution, what would make it unique, or how its solution follows step by step.",
    ),
    Command("minimize", "minimize:minimize", "Drop givens until each is needed for the solution to be the only one."),
    Command("generate", "generate:command", "New puzzles, each with exactly one solution."),
    Command("export", "export:export", "Write a puzzle's constraints for another tool; with --folder of every puzzle."),
    Command(
        "decode", "export:decode", "The grid in a SAT solver's answer, checked against the puzzle and every clause."
    ),
    Command("certify", "certify:certify", "Decide puzzles, and write what each verdict rests on for others to check."),
    Command(
        "verify",
        "certify:verify",
        "Whether certificates show what they claim, starting from the text of their puzzles.",
    ),
    Command("bench run", "bench:run", "Time each backend, with each encoding, on each puzzle."),
    Command(
        "bench report",
        "bench:report",
        "Tables and pictures of raw results: Markdown, CSV, SVG, PNG, and one HTML page that holds them all.",
    ),
    Command(
        "bench compare",
        "bench:compare",
        "How many times as fast one run is as another: for each contender, and in the last line for all.",
    ),
    Command(
        "bench make", "bench:make", "Make puzzles to measure on: well-mixed grids with holes, each with a solution."
    ),
    Command("backends", "lists:backends", "The engines, whether each is installed, and what it can do."),
    Command(
        "encodings",
        "lists:encodings",
        "The ways to write a board as clauses, their size formulas, and their size for a board (9x9 unless --box).",
    ),
    Command(
        "formats", "lists:formats", "The texts that are read and written, and which are recognized without --format."
    ),
    Command("variants", "lists:variants", "The kinds of marks: what each is made of, and what it says."),
    Command(
        "doctor",
        "doctor:command",
        "What is installed or missing, where files are kept, and a self-test of each engine.",
    ),
    Command("help", "help:command", "The help of a command; --man writes that of all commands as a page for man."),
)
"""In the order of the help."""

GROUPS = {"bench": "Compare backends: time them, report, make puzzles to measure on."}


def summaries() -> dict[str, str]:
    """What the help says of each command and each group."""
    found = ((command.name.split()[0], command.help) for command in COMMANDS)
    return {name: GROUPS.get(name, help) for name, help in found}


def named(name: str) -> tuple[Command, ...]:
    """The command of a name, or those of the group; none if there is neither."""
    return tuple(command for command in COMMANDS if command.name.split()[0] == name)
