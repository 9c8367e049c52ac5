"""What all places of a value in a house exclude: one of them has the value, and each of them rules it out there.

A table has for each value and cell the cells that cannot have the value beside it: peers, and those of which a relation
of two cells says so. Locked candidates are a case of it; the Interactive Sudoku Solver strikes so for rules such as
anti-knight and anti-taxicab. Record: size, table, cells of the board, words of a row, cells.
"""

from satdoku.kernels.compiled import inlined, int64, lowest_bit
from satdoku.kernels.propagators.domains import narrow

HEAD = 4  # words of a record before its cells


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
    words = code[at + 3]
    row = code[at + 1] + lowest_bit(bit) * code[at + 2] * words
    first = int64(-1)
    second = int64(-1)
    third = int64(-1)
    for k in range(at + HEAD, at + HEAD + code[at]):
        if candidates[code[k]] & bit != 0:
            third = second
            second = first
            first = row + code[k] * words
    if third < 0:
        third = second
    for k in range(words):
        common = code[first + k] & code[second + k] & code[third + k]
        while common != 0:
            cell = 64 * k + lowest_bit(common)
            common &= common - 1
            word = candidates[cell]
            if word & bit != 0 and not narrow(cell, word & ~bit, candidates, changed):
                return False
    return True
