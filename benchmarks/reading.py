"""How the time to read hostile texts grows with their length, and how long the longest take.

    python benchmarks/reading.py [CHARACTERS] [--only PART/PARTS]

Each text is one beginning and one piece again and again, in three lengths: the second four times the first, the third
as long as a text may be. Printed are those whose time grows by more than it would if it were proportional, and those
of which the longest takes over MOST seconds of the processor: none, as it should be. `--only 2/8` tries the second of
eight parts of them, as all take half an hour.
"""

import argparse
from itertools import islice, product
from time import process_time

from satdoku.errors import InputError
from satdoku.formats import Options, detect, formats
from satdoku.limits import MAX_PLAIN

BEGINNINGS = (
    "", "[", "a=", "a=[", "{", "np.array(", '{"puzzle":', '{"size":9,', "N4I", "size = 9\n", "[Puzzle]\n", "R1: ",
    "https://www.f-puzzles.com/?load=", "https://sudokupad.app/scl", "https://sudokumaker.app/?puzzle=", ".Shape~",
    "https://swaroopg92.github.io/penpa-edit/#m=edit&p=", "3x3:", "SumoCueV1", "*-----*\n", "?bd=S9B", "<opensudoku>",
    'size = 9\nregex = [{ line = "r1c1-r1c9", value = "',
)  # fmt: skip
PIECES = (
    "|", "ab|", "1|", "| ", " ", "\t", "\n", "\r", "\xa0", "1", "0", ".", "1 ", "1\n", "a", "A", "aa ", "ab cd\n", "o",
    "x", "[", "(", "{", "<", ">", "> ", "'", '"', "'a", "`", "```\n", "#\n", "=", "==\n", "-", "- - ", "|-+", "+", "*",
    "_", "~", ":", ",", ";", "/", "\\", "%", "&", "$", "~R1C1_5", "r1c1", "a=1\n", "[x]\n", "[[x]]\n", "<br>", "http://",
    "1234341221434... ",
)  # fmt: skip
SHORTEST = 0.02  # seconds below which times say nothing
GROWTH = 8.0  # 4 would be proportional, 16 quadratic
MOST = 3.0  # seconds of the longest


def seconds(text: str) -> float:
    started = process_time()
    try:
        detect(text, Options())
    except InputError:
        pass
    return process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("characters", nargs="?", type=int, default=16_000)
    parser.add_argument("--only", default="1/1")
    options = parser.parse_args()
    part, parts = map(int, options.only.split("/"))
    lengths = options.characters, 4 * options.characters, MAX_PLAIN
    formats().all()
    for beginning, piece in islice(product(BEGINNINGS, PIECES), part - 1, None, parts):
        texts = (beginning + piece * ((length - len(beginning)) // len(piece)) for length in lengths)
        short, long, longest = map(seconds, texts)
        if (long > SHORTEST and long > GROWTH * max(short, SHORTEST / GROWTH)) or longest > MOST:
            print(f"{beginning!r} {piece!r}: {short:.3f} s, then {long:.3f} s, {longest:.1f} s at most", flush=True)


if __name__ == "__main__":
    main()
