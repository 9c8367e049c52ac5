"""The commands, a file each: its options, its question, its texts. A new command is a new file, and a row here.

The rows are read for the help, so that it imports no command.
"""

from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """A command, which is the function of its name in the file of its name, or in `file`.

    name: has that of its group before it, whose file it is in then
    """

    name: str
    help: str
    file: str = ""

    def function(self) -> Any:
        first, *_, last = 2 * self.name.split()
        return getattr(import_module(f"{__name__}.{self.file or first}"), last)


COMMANDS = (
    Command("check", "A verdict for each puzzle: unique, multiple, unsolvable or undecided."),
    Command("solve", "A solution of each puzzle, or more."),
    Command("count", "How many solutions each puzzle has."),
    Command(
        "convert", "Write puzzles in another format (line if none is named); refused where the format cannot hold them."
    ),
    Command("dedupe", "Write the distinct puzzles: of those that a symmetry of their board makes equal, the first."),
    Command("split", "Split a file into parts, no puzzle of one equal to a puzzle of another."),
    Command("audit", "What is in a data set: equal puzzles, several or wrong solutions, leakage, givens, difficulty."),
    Command("shuffle", "Puzzles that symmetries make of each, drawn at random."),
    Command("render", "Draw puzzles: SVG, PNG or PDF by the suffix of the file; SVG on standard output without one."),
    Command("web", "A page to set puzzles on, in the browser: draw marks, and see at once what is left."),
    Command("listen", "Verdicts, counts, candidates and steps inside f-puzzles, for the userscript of SudokuSolver."),
    Command("watch", "Draw and check the puzzle of a file whenever the file changes, until Ctrl-C."),
    Command("candidates", "The values of each cell that occur in some solution, and in how many."),
    Command(
        "explain", "Why a puzzle has no solution, what would make it unique, or how its solution follows step by step."
    ),
    Command("difficulty", "How hard each unique puzzle is for people, by the techniques that it takes."),
    Command("grade", "How good answers to puzzles are: cells right and wrong, broken houses and marks, a score."),
    Command("minimize", "Drop givens until each is needed for the solution to be the only one."),
    Command("generate", "New puzzles, each with exactly one solution."),
    Command("export", "Write a puzzle's constraints for another tool; with --folder of every puzzle."),
    Command("decode", "The grid in a SAT solver's answer, checked against the puzzle and every clause.", "export"),
    Command("certify", "Decide puzzles, and write what each verdict rests on for others to check."),
    Command("verify", "Whether certificates show what they claim, starting from the text of their puzzles.", "certify"),
    Command("bench run", "Time each backend, with each encoding, on each puzzle."),
    Command(
        "bench report",
        "Tables and pictures of raw results: Markdown, CSV, SVG, PNG, and one HTML page that holds them all.",
    ),
    Command(
        "bench compare",
        "How many times as fast one run is as another: for each contender, and in the last line for all.",
    ),
    Command("bench make", "Make puzzles to measure on: well-mixed grids with holes, each with a solution."),
    Command("backends", "The engines, whether each is installed, and what it can do.", "lists"),
    Command(
        "encodings",
        "The ways to write a board as clauses, their size formulas, and their size for a board (9x9 unless --box).",
        "lists",
    ),
    Command("formats", "The texts that are read and written, and which are recognized without --format.", "lists"),
    Command("variants", "The kinds of marks: what each is made of, and what it says.", "lists"),
    Command("doctor", "What is installed or missing, where files are kept, and a self-test of each engine."),
    Command("help", "The help of a command; --man writes that of all commands as a page for man."),
)
"""In the order of the help."""

OTHER_WORDS = {
    **dict.fromkeys(("verdict", "valid", "validate", "test", "unique"), "check"),
    **dict.fromkeys(("rate", "rating", "level"), "difficulty"),
    **dict.fromkeys(("score", "reward"), "grade"),
    **dict.fromkeys(("answer", "solution", "play"), "solve"),
    **dict.fromkeys(("number", "enumerate"), "count"),
    **dict.fromkeys(("format", "translate", "read", "write"), "convert"),
    **dict.fromkeys(("duplicates", "canonical", "distinct", "leak"), "dedupe"),
    **dict.fromkeys(("parts", "train"), "split"),
    **dict.fromkeys(("report", "quality", "dataset"), "audit"),
    **dict.fromkeys(("isomorphs", "augment", "permute"), "shuffle"),
    **dict.fromkeys(("draw", "show", "print", "picture", "image", "svg", "png", "pdf"), "render"),
    **dict.fromkeys(("edit", "editor", "serve", "server", "set", "gui"), "web"),
    **dict.fromkeys(("listener", "socket", "userscript"), "listen"),
    **dict.fromkeys(("pencilmarks", "possible", "notes"), "candidates"),
    **dict.fromkeys(("hint", "step", "why", "next", "technique"), "explain"),
    **dict.fromkeys(("minimise", "reduce", "minimal"), "minimize"),
    **dict.fromkeys(("make", "create", "new", "random"), "generate"),
    **dict.fromkeys(("cnf", "dimacs"), "export"),
    **dict.fromkeys(("proof", "prove", "certificate"), "certify"),
    **dict.fromkeys(("benchmark", "time", "compare"), "bench"),
    **dict.fromkeys(("engine", "solver"), "backends"),
    **dict.fromkeys(("mark", "rule", "kind", "constraint"), "variants"),
    **dict.fromkeys(("version",), "--version"),
}
"""What people call a command that has another name."""

GROUPS = {"bench": "Compare backends: time them, report, make puzzles to measure on."}


def summaries() -> dict[str, str]:
    """What the help says of each command and each group."""
    commands = ((command.name.split()[0], command.help) for command in COMMANDS)
    return {name: GROUPS.get(name, summary) for name, summary in commands}


def named(name: str) -> tuple[Command, ...]:
    """The command of a name, or those of the group; none if there is neither."""
    return tuple(command for command in COMMANDS if command.name.split()[0] == name)
