"""One puzzle as people paste it: in many spellings."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode

import satdoku
from satdoku.formats.fpuzzles_writer import compress

LINE = "...26.7.168..7..9.19...45..82.1...4...46.29...5...3.28..93...74.4..5..367.3.18..."
SOLUTION = "435269781682571493197834562826195347374682915951743628519326874248957136763418259"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
GRID = "\n".join(ROWS)
DIGITS = LINE.replace(".", "0")
BOXED = "\n".join(["*-----------*", *("|".join(["", row[:3], row[3:6], row[6:], ""]) for row in ROWS), "*-----------*"])
VALUES = [[int(digit) for digit in row.replace(".", "0")] for row in ROWS]
PYTHON = str([[value or None for value in row] for row in VALUES])
CELLS = [[{"value": value} if value else {} for value in row] for row in VALUES]
BOXES = [[[r + i // 3, c + i % 3] for i in range(9)] for r in (0, 3, 6) for c in (0, 3, 6)]
SCL = {"id": "x", "cellSize": 50, "cells": CELLS, "regions": BOXES, "cages": [{"value": "title: A title"}]}
ZIPPED = (
    "{id:'x',cs:50,ce:["
    + ",".join("[" + ",".join(f"{{v:{v}}}" if v else "" for v in row) + "]" for row in VALUES)
    + "],re:"
    + json.dumps(BOXES).replace(" ", "")
    + ",ca:[{v:'title: A title'},{v:'rules: It\\'s normal, or not'}],lines:[]}"
)
MAKER = {
    "formatVersion": "1.5.0",
    "puzzle": {
        "cells": [{"given": True, "value": v} if v else {"candidates": 6} for row in VALUES for v in row],
        "constraints": [
            {"type": 0},
            {"type": 1, "regions": [r // 3 * 3 + c // 3 for r in range(9) for c in range(9)]},
            {"type": 301, "cages": []},
        ],
    },
}


def deflated(text: str) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b64encode(packer.compress(text.encode("utf-8", "surrogatepass")) + packer.flush()).decode()


def penpa(layer: str = "", margins: str = "[0,0,0,0]", own: str = "", coloured: str = "1") -> str:
    numbers = ",".join(
        f'"{13 * (r + 2) + c + 2}":["{v}",1,"1"]' for r, row in enumerate(VALUES) for c, v in enumerate(row) if v
    )
    corner = 13 * 13 + 14
    edges = [(corner + 13 * r + c, corner + 13 * (r + 1) + c) for r in range(9) for c in (3, 6)]
    edges += [(corner + 13 * r + c, corner + 13 * r + c + 1) for r in (3, 6) for c in range(9)]
    walls = ",".join(f'"{one},{two}":2' for one, two in edges)
    steps = [28, *([1] * 8 + [5]) * 8, *[1] * 8]
    lines = ["square,9,9,38,0,1,1,1,1,1,1,0,0,0,0,Title: T,Author: ,,", margins, "{}"]
    lines += [f"{{zN:{{{numbers}}},zE:{{{walls}}}{layer}}}", "{}", str(steps).replace(" ", "")]
    lines += ["[]", "{}", '"x"', '"x"', "[3,2,0]", "", '"x"', coloured, own] if own else []
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={deflated(chr(10).join(lines))}"


def wiki() -> str:
    return "S9B" + "".join(f"0{digit}" for digit in DIGITS)


def solo() -> str:
    """Runs of empty cells as letters."""
    parts, run, before = [], 0, ""
    for digit in DIGITS:
        if digit == "0":
            run += 1
            continue
        parts.append((chr(96 + run) if run else "_" if before else "") + digit)
        run, before = 0, digit
    return "3x3:" + "".join(parts) + (chr(96 + run) if run else "")


def pencilled(drawn: bool = True) -> str:
    """Candidates that are left by the givens alone; with `drawn` between rules, else as SudoCue has them."""
    puzzle = satdoku.read(LINE)
    seen = [set[int]() for _ in range(81)]
    for constraint in puzzle.board.constraints:
        for cell in constraint.cells:
            seen[cell].update(puzzle.givens[other] for other in constraint.cells)
    left = [
        str(v) if v else "".join(str(d) for d in range(1, 10) if d not in seen[c]) for c, v in enumerate(puzzle.givens)
    ]
    if not drawn:
        left = [text if puzzle.givens[cell] else "u4" if cell == 0 else "123456789" for cell, text in enumerate(left)]
    rows = ["  ".join(left[start : start + 9]) for start in range(0, 81, 9)]
    rule = ".------.------.------."
    return "\n".join([rule, *(f"| {row} |" for row in rows), rule.replace(".", "'")] if drawn else rows)


OPEN = "version: 4\n" + "".join(f"{digit}|0|0|{int(digit == '0')}|" for digit in DIGITS)
SPELLINGS = {
    "bullets": GRID.replace(".", "•"),
    "squares": GRID.replace(".", "□"),
    "question marks": LINE.replace(".", "?"),
    "dashes": LINE.replace(".", "\u2013"),
    "full width": "".join(chr(0xFF10 + int(digit)) if digit != "\n" else digit for digit in GRID.replace(".", "0")),
    "fence": f"Here it is:\n\n```\n{GRID}\n```\nthanks\n",
    "forum": f"[code]\n{BOXED}\n[/code]",
    "page": f"<pre>\n{GRID}\n</pre>",
    "mail": "\n".join(f"> > {row}" for row in ROWS),
    "prose": f"This one is hard.\n\n{GRID}\n\nGood luck!",
    "heading": f"Grid 01\n{GRID}",
    "csv": "\n".join(",".join(row.replace(".", "0")) for row in ROWS),
    "empty fields": "\n".join(";".join(digit.strip(".") for digit in row) for row in ROWS),
    "tabs": "\n".join("\t".join(f'"{digit}"' for digit in row.replace(".", " ")) for row in ROWS),
    "slashes": "/".join(ROWS),
    "bars": "|".join(ROWS),
    "json": json.dumps(VALUES),
    "python": f"board = {PYTHON}",
    "numpy": "[" + "\n ".join("[" + " ".join(row.replace(".", "0")) + "]" for row in ROWS) + "]",
    "flat": json.dumps([value for row in VALUES for value in row]),
    "texts": json.dumps(ROWS),
    "object": json.dumps(
        {"puzzle": VALUES, "solution": [[int(d) for d in SOLUTION[i : i + 9]] for i in range(0, 81, 9)]}
    ),
    "name before": f"Easy\t{LINE}",
    "rating behind": f"{LINE} # 9.0/1.2/1.2",
    "solution": f"{LINE}:{SOLUTION}",
    "count and solution": f"{LINE}:1:{SOLUTION}",
    "q2": f"99480,99408,114,1895,{DIGITS},Name,20.00s,0,C21.m",
    "bits": "".join("1" * 9 if v == "0" else "".join(str(int(d == v)) for d in "123456789") for v in DIGITS),
    "hodoku": f":0000:x:{LINE.replace('.', '+4', 1)}:214 216::",
    "pencil marks": pencilled(),
    "sdx": pencilled(drawn=False),
    "wiki": f"https://www.sudokuwiki.org/sudoku.htm?bd={LINE}",
    "wiki of cells": f"https://www.sudokuwiki.org/sudoku.htm?bd={wiki()}",
    "wiki of cells alone": wiki(),
    "solo": solo(),
    "open sudoku": f'<opensudoku><game data="{DIGITS}" /></opensudoku>',
    "open sudoku 4": f'<opensudoku version="2"><game data="{OPEN}" /></opensudoku>'.replace("\n", "&#10;"),
    "sudokupad": "https://sudokupad.app/scl" + compress(ZIPPED),
    "sudokupad query": f"https://beta.sudokupad.app/scf?puzzleid=scl{compress(ZIPPED)}&setting-nogrid=1",
    "sudokupad in full": "https://sudokupad.app/ctc" + compress(json.dumps(SCL)),
    "sudokupad json": json.dumps(SCL),
    "sudokupad zipped": ZIPPED,
    "sudokumaker": "<https://sudokumaker.app/?puzzle=" + compress(json.dumps(MAKER)).replace("/", "-") + ">",
    "penpa": penpa(),
    "iss": "." + "".join(f"~R{i // 9 + 1}C{i % 9 + 1}_{d}" for i, d in enumerate(DIGITS) if d != "0"),
}
