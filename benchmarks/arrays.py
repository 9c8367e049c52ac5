"""How long the functions that take arrays need for a puzzle of a file: `python benchmarks/arrays.py FILE`.

CPU time in microseconds, of lines, arrays and what check_many iterates over.
"""

import sys
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import satdoku


def main(file: str) -> None:
    lines = [line.strip()[:81] for line in Path(file).read_text().splitlines() if line.strip() and line[0] != "#"]
    array = np.array([[int(cell) if cell.isdigit() else 0 for cell in line] for line in lines], np.uint8)
    kinds: dict[str, Any] = {"lines": lines, "(n, 81)": array, "(n, 9, 9)": array.reshape(-1, 9, 9)}
    asked: dict[str, Any] = {
        "check_many": lambda puzzles: list(satdoku.check_many(puzzles)),
        "check_many as_array": lambda puzzles: satdoku.check_many(puzzles, as_array=True),
        "solve_many": satdoku.solve_many,
        "count_many": satdoku.count_many,
        "canonical_many": satdoku.canonical_many,
    }
    for name, ask in asked.items():
        ask(lines[:10])
        for kind, puzzles in kinds.items():
            began = process_time()
            ask(puzzles)
            print(f"{name:20} {kind:10} {(process_time() - began) / len(lines) * 1e6:6.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
