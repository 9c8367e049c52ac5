"""How good the techniques are: `python benchmarks/techniques.py --regression FILE --puzzles FILE ...`.

(a) HoDoKu's regression library: for each of its cases whether the technique finds a step with exactly those
    eliminations or placements. FILE is the library's own text, which is not part of satdoku.
(b) ratings: of lines `puzzle ER EP ED` by Sudoku Explainer (`--explainer FILE`) how many are the same, within 0.1, not
    known here, or wrong; of lines `puzzle SCORE` by HoDoKu (`--scores FILE`) how many are the same, or within 10%.
(c) soundness: every placement and elimination of every step on the unique puzzles of files, against their solution.
(d) how many of these need each level, and how many are beyond; the time for each level.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import process_time

from satdoku import Verdict, check, load, read
from satdoku.limits import TimeIsUp, bounded_time
from satdoku.puzzle import Puzzle, members
from satdoku.setter.difficulty import score_of
from satdoku.setter.explainer import explainer_rating
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.ladder import grid_of, ordered, steps
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level
from satdoku.variants.boxes import classic

CODES = {
    "0000": "full house", "0002": "hidden single", "0003": "naked single",
    "0100": "locked candidates (pointing)", "0101": "locked candidates (claiming)",
    "0110": "locked pair", "0111": "locked triple",
    "0200": "naked pair", "0201": "naked triple", "0202": "naked quadruple",
    "0210": "hidden pair", "0211": "hidden triple", "0212": "hidden quadruple",
    "0300": "X-wing", "0301": "swordfish", "0302": "jellyfish",
    "0310": "finned X-wing", "0311": "finned swordfish", "0312": "finned jellyfish",
    "03111": "siamese swordfish", "03121": "siamese jellyfish",
    "0320": "sashimi X-wing", "0321": "sashimi swordfish", "0322": "sashimi jellyfish",
    "03211": "siamese swordfish", "03221": "siamese jellyfish",
    "0330": "Franken X-wing", "0331": "Franken swordfish",
    "0340": "finned Franken X-wing", "0341": "finned Franken swordfish", "03411": "siamese Franken swordfish",
    "0400": "skyscraper", "0401": "two-string kite", "0402": "empty rectangle", "0403": "turbot fish",
    "0404": "dual two-string kite", "0405": "dual empty rectangle",
    "0500": "simple colours (trap)", "0501": "simple colours (wrap)",
    "0502": "multi colours (type 1)", "0503": "multi colours (type 2)",
    "0600": "unique rectangle (type 1)", "0601": "unique rectangle (type 2)", "0602": "unique rectangle (type 3)",
    "0603": "unique rectangle (type 4)", "0604": "unique rectangle (type 5)", "0605": "unique rectangle (type 6)",
    "0606": "hidden rectangle", "0607": "avoidable rectangle (type 1)", "0608": "avoidable rectangle (type 2)",
    "0610": "BUG+1",
    "0701": "X-chain", "0702": "XY-chain", "0703": "remote pair", "0706": "continuous nice loop",
    "0707": "discontinuous nice loop", "0708": "AIC", "0709": "grouped continuous nice loop",
    "0710": "grouped discontinuous nice loop", "0711": "grouped AIC",
    "0800": "XY-wing", "0801": "XYZ-wing", "0802": "WXYZ-wing", "0803": "W-wing",
    "0901": "ALS-XZ", "0902": "ALS-XY-wing", "0903": "ALS-XY-chain", "0904": "death blossom",
    "1101": "Sue de Coq",
}  # fmt: skip
"""The library's codes, and the techniques' names. Other codes are of techniques that satdoku does not have."""


@dataclass(frozen=True, slots=True)
class Case:
    line: int
    code: str
    fails: bool
    text: str
    grid: CandidateGrid
    wanted: frozenset[tuple[int, int, bool]]

    @classmethod
    def parse(cls, line: int, text: str) -> "Case":
        _, code, _, givens, deleted, lost, placed, *_ = text.split(":")
        code, _, variant = code.partition("-")
        cells = re.findall(r"(\+?)([0-9.])", givens)
        board = classic(3, 3)
        puzzle = Puzzle.from_givens(board, [int(v) if v != "." and not sign else 0 for sign, v in cells])
        grid = CandidateGrid(puzzle, unique=True)
        for cell, (sign, value) in enumerate(cells):
            if sign:
                grid.place(cell, int(value))
        grid.strike((value, 1 << cell) for value, cell in map(candidate, deleted.split()))
        wanted = {(*candidate(word), False) for word in lost.split()}
        wanted |= {(*candidate(word), True) for word in placed.split()}
        return cls(line, code, variant == "x", text, grid, frozenset(wanted))

    def holds(self, most: float) -> str:
        """`yes`, `no`, or `time` for a search that was given up."""
        started = process_time()
        for step in techniques()[CODES[self.code]].steps(self.grid):
            found = {(value, cell, False) for value, cells in step.eliminations for cell in members(cells)}
            found |= {(value, cell, True) for cell, value in step.placements}
            if self.fails or found == self.wanted:
                return "no" if self.fails else "yes"
            if process_time() - started > most:
                return "time"
        return "yes" if self.fails else "no"


def candidate(word: str) -> tuple[int, int]:
    value, row, column = map(int, word)
    return value, 9 * (row - 1) + column - 1


def cases(path: str) -> Iterator[tuple[int, str]]:
    with Path(path).open(encoding="utf-8", errors="replace") as lines:
        yield from ((number, line.strip()) for number, line in enumerate(lines, 1) if line.startswith(":"))


def regression(path: str, only: str, most: float) -> None:
    all_of, right, elsewhere = Counter[str](), Counter[str](), Counter[str]()
    seconds: dict[str, float] = defaultdict(float)
    missed: list[str] = []
    for number, text in cases(path):
        code = text.split(":")[1].partition("-")[0]
        if not code.startswith(only):
            continue
        if code not in CODES or CODES[code] not in techniques():
            elsewhere[code] += 1
            continue
        case = Case.parse(number, text)
        started = process_time()
        how = case.holds(most)
        all_of[code] += 1
        right[code] += how == "yes"
        seconds[code] += process_time() - started
        if how != "yes":
            missed.append(f"{number}: {CODES[code]} ({how}) {text}")
    for code, many in sorted(all_of.items()):
        print(f"{code:5} {CODES[code]:32} {right[code]:3} of {many:3}   {1000 * seconds[code] / many:8.1f} ms a case")
    total = max(1, sum(all_of.values()))
    print(f"(a) {sum(right.values())} of {total} cases ({100 * sum(right.values()) / total:.1f}%)")
    print("    not of these techniques:", ", ".join(f"{code}: {many}" for code, many in sorted(elsewhere.items())))
    print(*(f"    missed, line {line}" for line in missed), sep="\n")


def soundness(paths: list[str], most: int, timeout: float) -> None:
    levels, used, late = Counter[str](), Counter[str](), 0
    seconds: dict[str, float] = defaultdict(float)
    wrong, checked = list[str](), 0
    table, order = techniques(), ordered()
    for puzzle in islice(puzzles(paths), most):
        outcome = check(puzzle)
        if outcome.verdict is not Verdict.UNIQUE:
            continue
        solution = outcome.grids[0]
        grid, level, started = grid_of(puzzle, unique=True), Level.SINGLES, process_time()
        try:
            with bounded_time(timeout):
                for step in steps(grid, order):
                    level = max(level, table[step.technique].level)
                    used[step.technique] += 1
                    checked += 1
                    bad = any(solution[cell] != value for cell, value in step.placements)
                    strikes = ((value, cells & (1 << len(solution)) - 1) for value, cells in step.eliminations)
                    if bad or any(solution[cell] == value for value, cells in strikes for cell in members(cells)):
                        wrong.append(f"{puzzle.name}: {step.sentence(puzzle.board)}")
                        break
        except TimeIsUp:
            late += 1
            continue
        name = (Level.BEYOND if grid.open else level).name.lower()
        levels[name] += 1
        seconds[name] += process_time() - started
    print(f"(c) {checked} steps, {len(wrong)} wrong")
    print(*(f"    {line}" for line in wrong), sep="\n")
    total = max(1, sum(levels.values()) + late)
    print(f"(d) {total} puzzles, {late} cut by the timeout of {timeout:g} s")
    for name in (each.name.lower() for each in Level):
        if levels[name]:
            share, each = 100 * levels[name] / total, 1000 * seconds[name] / levels[name]
            print(f"    {name:9} {levels[name]:5} ({share:.1f}%)   {each:8.1f} ms each")
    print("    steps:", ", ".join(f"{many} {name}" for name, many in used.most_common()))


def explainer(path: str) -> None:
    counts, started = Counter[str](), process_time()
    for line in Path(path).read_text().splitlines():
        text, *ratings = line.split()[:4]
        wanted, found = tuple(map(float, ratings)), explainer_rating(read(text))
        if found is None or found.least is None:
            continue
        if found.er is None:
            counts["at least" if found.least <= wanted[0] else "wrong"] += 1
        elif (found.er, found.ep, found.ed) == wanted:
            counts["same"] += 1
        else:
            counts["within 0.1" if abs(found.er - wanted[0]) < 0.11 else "wrong"] += 1
    total = max(1, counts.total())
    print(f"(b) Sudoku Explainer: {total} puzzles, {1000 * (process_time() - started) / total:.1f} ms each")
    print("   ", ", ".join(f"{many} {how} ({100 * many / total:.1f}%)" for how, many in counts.most_common()))


def scores(path: str) -> None:
    counts, started = Counter[str](), process_time()
    for line in Path(path).read_text().splitlines():
        text, wanted = line.split()[:2]
        score = score_of(read(text))
        near = score is not None and abs(score - int(wanted)) <= 0.1 * int(wanted)
        counts["same" if score == int(wanted) else "within 10%" if near else "others"] += 1
    total = max(1, counts.total())
    print(f"(b) HoDoKu's score: {total} puzzles, {1000 * (process_time() - started) / total:.1f} ms each")
    print("   ", ", ".join(f"{many} {how} ({100 * many / total:.1f}%)" for how, many in counts.most_common()))


def puzzles(paths: list[str]) -> Iterator[Puzzle]:
    for path in paths:
        if path.endswith(".txt"):
            lines = (line.partition("#")[0].strip() for line in Path(path).read_text().splitlines())
            yield from (read(line) for line in lines if line)
        else:
            yield load(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--regression", metavar="FILE", help="HoDoKu's regression library")
    parser.add_argument("--explainer", metavar="FILE", help="lines of puzzles with Sudoku Explainer's ER, EP and ED")
    parser.add_argument("--scores", metavar="FILE", help="lines of puzzles with HoDoKu's score")
    parser.add_argument("--code", default="", help="only codes that begin with this")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU time for one case")
    parser.add_argument("--puzzles", nargs="*", default=[], metavar="FILE", help="lines of puzzles (.txt), or one each")
    parser.add_argument("--head", type=int, default=10**9, help="so many of the puzzles")
    options = parser.parse_args()
    if options.puzzles:
        soundness(options.puzzles, options.head, options.seconds)
    if options.explainer:
        explainer(options.explainer)
    if options.scores:
        scores(options.scores)
    if options.regression:
        regression(options.regression, options.code, options.seconds)


if __name__ == "__main__":
    main()
