"""What all places of a value in a house exclude: one of them has the value, and each of them rules that out.

A table has for each value and cell the values that other cells cannot have beside it: that of the value's peers, and
what relations of two cells rule out. Locked candidates are a case of it. The Interactive Sudoku Solver strikes equal
values so, for rules such as anti-knight and anti-taxicab; where neighbours cannot be consecutive, the two places of a 5
exclude 4 and 6 from a cell between them, and from each other if they are neighbours.

Record: size, tables, words of a row, cells. From `tables` on stand for each value the place of its table, the least
value that it excludes and how many from it on; a table has for each cell a row for each of these, with a bit for each
cell.
"""

from satdoku.kernels.compiled import inlined, int64, lowest_bit
from satdoku.kernels.propagators.domains import narrow

HEAD = 3  # words of a record before its cells
ENTRY = 3  # words that name the table of a value


@inlined
def exclusions(at, code, candidates, changed):
    """Strike what the two or three places of a value in a house all exclude; False if a cell has no candidates left."""
    size = code[at]
    one = int64(0)
    two = int64(0)
    three = int64(0)
    four = int64(0)
    for k in range(at + HEAD, at + HEAD + size):
        word = candidates[code[k]]
        four |= three & word
        three |= two & word
        two |= one & word
        one |= word
    few = two & ~four
    while few != 0:
        bit = few & -few
        few &= few - 1
        if not _strike(at, bit, code, candidates, changed):
            return False
    return True


@inlined
def _strike(at, bit, code, candidates, changed):
    words = code[at + 2]
    entry = code[at + 1] + ENTRY * lowest_bit(bit)
    table = code[entry]
    struck = int64(1) << code[entry + 1]
    rows = code[entry + 2]
    first = int64(-1)
    second = int64(-1)
    third = int64(-1)
    for k in range(at + HEAD, at + HEAD + code[at]):
        if candidates[code[k]] & bit != 0:
            third = second
            second = first
            first = table + code[k] * rows * words
    if second < 0:
        return True  # what another value excluded has left one place, or none
    if third < 0:
        third = second
    for row in range(0, rows * words, words):
        for k in range(words):
            common = code[first + row + k] & code[second + row + k] & code[third + row + k]
            while common != 0:
                cell = 64 * k + lowest_bit(common)
                common &= common - 1
                word = candidates[cell]
                if word & struck != 0 and not narrow(cell, word & ~struck, candidates, changed):
                    return False
        struck <<= 1
    return True
