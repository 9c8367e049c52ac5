"""SetFamily: the cells hold the values of one of some sets, each value once, as in cages and renbans.

Of each set that the candidates allow, a matching of values to cells is looked for by singles, to the fixpoint; a cell
keeps the values that some set gives it. A value that all sets left have is required. A set must have the values that a
house can hold nowhere else (after the Interactive Sudoku Solver, which does so for rellik cages): hard renbans take
half the nodes. Body: sets, the sets. Houses: how many share two cells or more with it, then for each its values, how
many cells it has besides, and these.
"""

from satdoku.kernels.compiled import inlined, int64

MAX_CELLS = 64  # more than a family can have; what others note comes after so many words

NO_MATCH = -1


@inlined
def family(body, houses, size, code, candidates, own, kept, required, notes):
    """Keep what some set gives each cell; False if no set fits."""
    begin(0, size, 0, kept, required)
    wanted = _wanted(houses, code, candidates)
    collect(0, size, 0, body + 1, body + 1 + code[body], wanted, code, own, kept, required, notes)
    return required[0] != -1


@inlined
def _wanted(at, code, candidates):
    """The values that some house can hold in no cell but those of the family."""
    wanted = int64(0)
    number = code[at]
    at += 1
    for _ in range(number):
        left = code[at]
        end = at + 2 + code[at + 1]
        for k in range(at + 2, end):
            left &= ~candidates[code[k]]
        wanted |= left
        at = end
    return wanted


@inlined
def begin(start, size, group, kept, required):
    required[group] = -1
    for k in range(start, start + size):
        kept[k] = 0


@inlined
def collect(start, size, group, first, last, wanted, code, own, kept, required, notes):
    """Keep what the sets from `first` to `last` give each cell of a group."""
    union = int64(0)
    fixed = wanted
    for k in range(start, start + size):
        word = own[k]
        union |= word
        fixed |= word & -int64(word & (word - 1) == 0)
    for at in range(first, last):
        values = code[at]
        if values & ~union == 0 and fixed & ~values == 0:
            hidden = _hidden(start, size, values, own)
            if hidden != NO_MATCH:
                required[group] &= values
                missing = required[group] & ~fixed
                for k in range(start, start + size):
                    word = own[k] & values
                    if word & hidden != 0:
                        word &= hidden
                    kept[k] |= word
                    missing |= own[k] & ~kept[k]
                if missing == 0:
                    break  # each further set could only give what is kept


@inlined
def _hidden(start, size, values, own):
    """The values of a set that one cell alone can hold; NO_MATCH if a cell can hold none, or alone holds two."""
    one = int64(0)
    two = int64(0)
    for k in range(start, start + size):
        word = own[k] & values
        if word == 0:
            return int64(NO_MATCH)
        two |= one & word
        one |= word
    hidden = one & ~two
    if hidden != 0:
        for k in range(start, start + size):
            single = own[k] & hidden
            if single & (single - 1) != 0:
                return int64(NO_MATCH)
    return hidden
