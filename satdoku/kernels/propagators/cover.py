"""Cover: some cell holds a value of each of some disjoint sets, as in windows of global entropy and in quadruples.

As many sets as cells that can hold values of theirs leave these cells no other values (Hall's theorem): one set in one
cell is a hidden single, two in two cells a hidden pair. Domain consistent. A value that is all that is left of a set is
required. Body: sets, the sets. Notes: for each choice of sets, as bits, the positions that can hold values of them, as
bits, and these values.
"""

from satdoku.kernels.compiled import bit_count, inlined, int64, lowest_bit

MAX_COVERED = 5  # cells, and sets
VALUES = 1 << MAX_COVERED  # where the notes have the values


@inlined
def cover(body, size, code, own, kept, required, notes):
    """Keep what the sets leave each cell; False if there are more sets than cells for them."""
    for k in range(size):
        kept[k] = own[k]
    required[0] = 0
    for chosen in range(1, int64(1) << code[body]):
        last = chosen & -chosen
        if chosen == last:
            required[0] |= _look(chosen, code[body + 1 + lowest_bit(chosen)], size, kept, notes)
        else:
            notes[chosen] = notes[chosen ^ last] | notes[last]
            notes[VALUES + chosen] = notes[VALUES + (chosen ^ last)] | notes[VALUES + last]
        places = notes[chosen]
        spare = bit_count(places) - bit_count(chosen)
        if spare < 0:
            return False
        while spare == 0 and places != 0:
            kept[lowest_bit(places)] &= notes[VALUES + chosen]
            places &= places - 1
    return True


@inlined
def _look(chosen, values, size, kept, notes):
    """Note a set, and where it can be; its value, as a bit, if one alone is left."""
    left = int64(0)
    places = int64(0)
    for k in range(size):
        word = kept[k] & values
        left |= word
        if word != 0:
            places |= int64(1) << k
    notes[chosen] = places
    notes[VALUES + chosen] = values
    return left if left & (left - 1) == 0 else int64(0)
