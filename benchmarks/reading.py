"""How the time to read hostile texts grows with their length: `python benchmarks/reading.py [CHARACTERS]`.

Each text is one beginning and one piece again and again, in two lengths, the second four times the first. Printed are
those whose time grows by more than it would if it were proportional: none, as it should be.
"""

import sys
from itertools import product
from time import process_time

from satdoku.errors import InputError
from satdoku.formats import Options, detect, formats

BEGINNINGS = (
    "", "[", "a=", "a=[", "{", "np.array(", '{"puzzle":', '{"size":9,', "N4I", "size = 9\n", "[Puzzle]\n", "R1: ",
    "https://www.f-puzzles.com/?load=", "https://sudokupad.app/scl", "https://sudokumaker.app/?puzzle=", ".Shape~",
    "https://swaroopg92.github.io/penpa-edit/#m=edit&p=", "3x3:", "SumoCueV1", "*-----*\n", "?bd=S9B", "<opensudoku>",
)  # fmt: skip
PIECES = (
    "|", "ab|", "1|", "| ", " ", "\t", "\n", "\r", "\xa0", "1", "0", ".", "1 ", "1\n", "a", "A", "aa ", "ab cd\n", "o",
    "x", "[", "(", "{", "<", ">", "> ", "'", '"', "'a", "`", "```\n", "#\n", "=", "==\n", "-", "- - ", "|-+", "+", "*",
    "_", "~", ":", ",", ";", "/", "\\", "%", "&", "$", "~R1C1_5", "r1c1", "a=1\n", "[x]\n", "[[x]]\n", "<br>", "http://",
)  # fmt: skip
SHORTEST = 0.02  # seconds below which times say nothing
GROWTH = 8.0  # 4 would be proportional, 16 quadratic


def seconds(text: str) -> float:
    started = process_time()
    try:
        detect(text, Options())
    except InputError:
        pass
    return process_time() - started


def main(length: int) -> None:
    formats().all()
    for beginning, piece in product(BEGINNINGS, PIECES):
        short, long = (seconds(beginning + piece * (many // len(piece))) for many in (length, 4 * length))
        if long > SHORTEST and long > GROWTH * max(short, SHORTEST / GROWTH):
            print(f"{beginning!r} {piece!r}: {short:.3f} s, then {long:.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 16_000)
