"""How good the techniques are: `python benchmarks/techniques.py --regression FILE --random 1000 --variants FILE ...`.

(a) HoDoKu's regression library: for each of its cases whether the technique finds a step with exactly those
    eliminations or placements. FILE is the library's own text, which is not part of satdoku.
(b) ratings: of lines `puzzle ER EP ED` by Sudoku Explainer (`--explainer FILE`) how many are the same, within 0.1, not
    known here, or wrong; of lines `puzzle SCORE` by HoDoKu (`--scores FILE`) how many are the same, or within 10%.
(c) soundness: every placement and elimination of every step on unique puzzles, against their solution; of variants each
    step of marks is also replayed, where the marks and houses that it names have 30,000 ways or fewer.
(d) how many of these need each level, and how many are beyond; the time for each level. Of variants, how many are
    solved without forcing, with at most a third of the steps being what one mark of no named technique leaves alone.

Puzzles are lines (.txt), tables whose last column is a link (.tsv), folders of TOML, or one a file. Times are CPU time.
"""

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from time import process_time

from satdoku import Verdict, check, classic, generate, load, read
from satdoku.constraints import Grid
from satdoku.errors import Refused
from satdoku.generator.layouts import without_recipe
from satdoku.limits import TimeIsUp, bounded_time
from satdoku.puzzle import Puzzle, members
from satdoku.setter.difficulty import score_of
from satdoku.setter.explainer import explainer_rating
from satdoku.techniques.families.constraints import OTHER
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.ladder import grid_of, ordered, steps
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Technique
from satdoku.variants import kinds

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.replay import OF_MARKS, replay

LATE = "late"  # the level of what the time did not suffice for

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


@dataclass(slots=True)
class Solved:
    """What solving one puzzle took. replayed: of its steps of marks, how many each outcome of `replay` has"""

    level: str
    seconds: float
    used: Counter[str]
    wrong: str = ""
    replayed: Counter[bool | None] = field(default_factory=Counter)

    @property
    def alone(self) -> bool:
        """Whether more than a third of the steps are what a mark of no named technique leaves by itself."""
        return 3 * self.used[OTHER] > self.used.total()


def solved(puzzle: Puzzle, solution: Grid, order: Sequence[Technique], most: float, replays: bool) -> Solved:
    """Solve a unique puzzle, for at most so many seconds of CPU time, and check each step."""
    started, level, table = process_time(), Level.SINGLES, techniques()
    found = Solved(LATE, 0.0, Counter())
    try:
        with bounded_time(30 * most):  # the time of the clock, for a step that does not come to its end
            grid = grid_of(puzzle, unique=True)
            for step in steps(grid, order):
                level = max(level, table[step.technique].level)
                found.used[step.technique] += 1
                strikes = ((value, cells & (1 << len(solution)) - 1) for value, cells in step.eliminations)
                bad = any(solution[cell] != value for cell, value in step.placements)
                if bad or any(solution[cell] == value for value, cells in strikes for cell in members(cells)):
                    found.wrong = step.sentence(puzzle.board)
                    break
                if replays and step.technique in OF_MARKS:
                    found.replayed[replay(grid, step)] += 1
                if process_time() - started > most:
                    raise TimeIsUp
        found.level = (Level.BEYOND if grid.open else level).name.lower()
    except TimeIsUp:
        pass
    found.seconds = process_time() - started
    return found


def measure(what: str, puzzles: Iterable[Puzzle], order: Sequence[Technique], most: float, replays: bool) -> None:
    levels, used, replayed = Counter[str](), Counter[str](), Counter[bool | None]()
    seconds: dict[str, float] = defaultdict(float)
    wrong, short, passed, skipped = list[str](), list[str](), 0, 0
    with suppress(KeyboardInterrupt):  # what was measured by then is printed
        for puzzle in puzzles:
            outcome = check(puzzle, timeout=60)
            if outcome.verdict is not Verdict.UNIQUE:
                skipped += 1
                continue
            found = solved(puzzle, outcome.grids[0], order, most, replays)
            levels[found.level] += 1
            seconds[found.level] += found.seconds
            used += found.used
            replayed += found.replayed
            if found.wrong:
                wrong.append(f"{puzzle.name}: {found.wrong}")
            if found.level in (LATE, "forcing", "beyond") or found.alone:
                short.append(f"{puzzle.name}: {found.level}, {found.used[OTHER]} of {found.used.total()} steps {OTHER}")
            else:
                passed += 1
    total = max(1, levels.total())
    print(f"{what}: {levels.total()} puzzles, {skipped} that are not unique, or not in a minute, left out")
    print(f"(c) {used.total()} steps, {len(wrong)} wrong", end="")
    print(f"; replayed {replayed[True]} right, {replayed[False]} not, {replayed[None]} too large" if replays else "")
    print(*(f"    {line}\n" for line in wrong), sep="", end="")
    print(f"(d) {passed} ({100 * passed / total:.1f}%) without forcing, a third of the steps or fewer {OTHER}")
    for name in (*(each.name.lower() for each in Level), LATE):
        if levels[name]:
            share, each = 100 * levels[name] / total, 1000 * seconds[name] / levels[name]
            print(f"    {name:9} {levels[name]:5} ({share:.1f}%)   {each:8.1f} ms each")
    print("    steps:", ", ".join(f"{many} {name}" for name, many in used.most_common()))
    if replays:
        print(*(f"    {line}\n" for line in short), sep="", end="", flush=True)


def drawn(many: int) -> Iterator[Puzzle]:
    """Puzzles of 6x6 with marks at random, of each kind in turn."""
    names = sorted(kinds().keys() - set(without_recipe()))
    for number in range(many):
        kind = names[number % len(names)]
        first = 1 + number // len(names)
        made = generate(classic(2, 3), marks=kind, first=first, seed=1, timeout=10.0, on_failure=lambda _: None)
        with suppress(Refused):  # some marks of 6x6 have no grid
            yield from (each.puzzle for each in made)


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


def puzzles(paths: Iterable[str]) -> Iterator[Puzzle]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from puzzles(map(str, sorted(path.glob("*.toml"))))
        elif path.suffix == ".txt":
            yield from named(path, (line.partition("#")[0].strip() for line in path.read_text().splitlines()))
        elif path.suffix == ".tsv":
            yield from named(path, (line.split("\t")[-1] for line in path.read_text().splitlines()[1:]))
        else:
            yield load(path)


def named(path: Path, texts: Iterable[str]) -> Iterator[Puzzle]:
    return (replace(read(text), name=f"{path.name}:{number}") for number, text in enumerate(texts, 1) if text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--regression", metavar="FILE", help="HoDoKu's regression library")
    parser.add_argument("--explainer", metavar="FILE", help="lines of puzzles with Sudoku Explainer's ER, EP and ED")
    parser.add_argument("--scores", metavar="FILE", help="lines of puzzles with HoDoKu's score")
    parser.add_argument("--code", default="", help="only codes that begin with this")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU time for one case")
    parser.add_argument("--puzzles", nargs="*", default=[], metavar="FILE", help="with all levels of techniques")
    parser.add_argument("--variants", nargs="*", default=[], metavar="FILE", help="without forcing; steps replayed")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="so many minimal 9x9 at random")
    parser.add_argument("--drawn", type=int, default=0, metavar="N", help="so many 6x6 with marks at random, replayed")
    parser.add_argument("--head", type=int, default=10**9, help="so many of the puzzles")
    options = parser.parse_args()
    head, most, plain = options.head, options.seconds, ordered(hardest=Level.CHAINS)
    if options.puzzles:
        measure("puzzles", islice(puzzles(options.puzzles), head), ordered(), most, False)
    if options.random:
        made = generate(count=options.random, minimal=True, seed=1)
        measure("minimal 9x9", (each.puzzle for each in made), ordered(), most, False)
    if options.variants:
        measure("variants", islice(puzzles(options.variants), head), plain, most, True)
    if options.drawn:
        measure("variants at random", drawn(options.drawn), plain, most, True)
    if options.explainer:
        explainer(options.explainer)
    if options.scores:
        scores(options.scores)
    if options.regression:
        regression(options.regression, options.code, options.seconds)


if __name__ == "__main__":
    main()
