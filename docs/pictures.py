"""Draws the pictures of the documentation with the program itself: `python docs/pictures.py [FOLDER]`, in the checkout.

The pictures of the page are made by docs/web_pictures.py.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).with_name("pictures")
COLUMNS = 80
SHEET = "puzzles/9x9_hard.txt", *(f"puzzles/variants/{kind}.toml" for kind in ("cage", "thermometer", "arrow"))
TERMINAL = ["check", "puzzles/9x9_easy.txt"], ["explain", "12....3........."], ["count", "puzzles/9x9_1115.txt"]
BARE = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)  # no font from the network


def drawings() -> dict[str, Callable[[Path], None]]:
    """Each picture by its name, and what draws it into a file."""
    return {
        "terminal": lambda file: terminal(file, *TERMINAL),
        "killer": lambda file: drawn(file, "render", "puzzles/variants/cage.toml", "--solution"),
        "sheet": lambda file: drawn(file, "render", *SHEET, "--sheet", "2x2", "--no-answers"),
        "candidates": lambda file: drawn(file, "candidates", "puzzles/9x9_1115.txt"),
        "conflict": lambda file: drawn(file, "explain", "12....3........."),
        "heat": lambda file: drawn(file, "render", "puzzles/9x9_1115.txt", "--heat"),
    }


def run(arguments: list[str]) -> None:
    """A command, whose exit status may be that of a verdict."""
    subprocess.run([sys.executable, "-m", "satdoku", *arguments], cwd=ROOT, stderr=subprocess.DEVNULL, check=False)


def drawn(file: Path, *arguments: str) -> None:
    """A picture that a command writes."""
    run([*arguments, "-o", str(file)])


def cactus(file: Path) -> None:
    """Engines side by side. Its times are of this machine, so no test compares it."""
    with TemporaryDirectory() as folder:
        raw, report = Path(folder, "raw.jsonl"), Path(folder, "report")
        sets = [f"puzzles/{name}.txt" for name in ("9x9_hardest", "9x9_hard", "9x9_medium", "16x16_minimal", "12x12")]
        run(["bench", "run", "-b", "native,glucose4,cpsat,dlx", "--repeat", "5", "-o", str(raw), *sets])
        run(["bench", "report", str(raw), "-o", str(report), "--clock", "cpu"])
        file.write_bytes((report / "cactus.svg").read_bytes())


def terminal(file: Path, *calls: list[str]) -> None:
    """What a terminal of 80 columns shows of some commands."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    for call in calls:
        console.print(Text.assemble(("$ ", "bold green"), (f"satdoku {shlex.join(call)}", "bold")))
        console.print(Text.from_ansi(shown(call)))
    svg = console.export_svg(title="satdoku", theme=MONOKAI, code_format=BARE, unique_id="terminal")
    file.write_text(svg, "utf-8")


def shown(arguments: list[str]) -> str:
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    command = [sys.executable, "-m", "satdoku", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        text = b""
        while True:
            try:
                read = os.read(ours, 65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not read:
                break
            text += read
        process.wait()
    os.close(ours)
    return left_over(re.sub(r"\x1b\[\?25[lh]|\r", "", text.decode("utf-8")))


def left_over(text: str) -> str:
    """Without the lines that were erased: on a slow machine a count shows how far it has come."""
    lines, row = [""], 0
    for part in re.split(r"(\n|\x1b\[1A|\x1b\[2K)", text):
        if part in ("\n", "\x1b[1A"):
            row += 1 if part == "\n" else -1
            lines += [""] * (row == len(lines))
        else:
            lines[row] = "" if part == "\x1b[2K" else lines[row] + part
    return "\n".join(lines[: row + 1])


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in {**drawings(), "cactus": cactus}.items():
        draw(folder / f"{name}.svg")
