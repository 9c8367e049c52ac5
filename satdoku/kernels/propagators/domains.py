"""The candidates of the cells, what is pending because some of them went, and propagators that strike them directly.

Bit b of an int64 stands for the value b + 1. `changed` has a bit for each cell which has lost candidates since `settle`
was last run, `watch` for each cell the propagators to run after any change, then those to run once it is fixed.
"""

from satdoku.kernels.compiled import inlined, int64, lowest_bit


@inlined
def narrow(cell, word, candidates, changed):
    """Leave a cell with fewer candidates, and note that it has changed; False if none is left."""
    candidates[cell] = word
    changed[cell >> 6] |= int64(1) << (cell & 63)
    return word != 0


@inlined
def settle(candidates, changed, pending, watch, peers, peers_at):
    """Strike the values of fixed cells from their peers, note what to run: -1, or the cell without candidates."""
    words = len(pending)
    last = len(changed) - 1
    at = 0
    while at <= last:
        if changed[at] == 0:
            at += 1
            continue
        cell = 64 * at + lowest_bit(changed[at])
        changed[at] &= changed[at] - 1
        for k in range(words):
            pending[k] |= watch[cell, k]
        bit = candidates[cell]
        if bit & (bit - 1) == 0:
            for k in range(words):
                pending[k] |= watch[cell, words + k]
            for k in range(peers_at[cell], peers_at[cell + 1]):
                word = candidates[peers[k]]
                if word & bit != 0 and not narrow(peers[k], word & ~bit, candidates, changed):
                    return peers[k]
            at = 0
    return int64(-1)


@inlined
def next_pending(pending):
    """The first pending propagator, which then counts as run; -1 if there is none."""
    for k in range(len(pending)):
        word = pending[k]
        if word != 0:
            pending[k] = word & (word - 1)
            return 64 * k + lowest_bit(word)
    return -1


@inlined
def house(at, code, candidates, changed):
    """Place hidden singles; False if a value has no cell, or two share one. Record: size, all values, cells."""
    size = code[at]
    one = int64(0)
    two = int64(0)
    fixed = int64(0)
    for k in range(at + 2, at + 2 + size):
        word = candidates[code[k]]
        two |= one & word
        one |= word
        fixed |= word & -int64(word & (word - 1) == 0)
    if one != code[at + 1]:
        return False
    hidden = one & ~two & ~fixed
    if hidden != 0:
        for k in range(at + 2, at + 2 + size):
            single = candidates[code[k]] & hidden
            if single != 0:
                if single & (single - 1) != 0:
                    return False
                narrow(code[k], single, candidates, changed)
    return True


@inlined
def intersection(at, code, candidates, changed):
    """Strike from A without B and B without A what the other cannot hold: the law of leftovers. Record: size, cells."""
    size = code[at]
    first = int64(0)
    second = int64(0)
    for k in range(at + 1, at + 1 + size):
        first |= candidates[code[k]]
        second |= candidates[code[k + size]]
    if first != second:
        both = first & second
        for k in range(at + 1, at + 1 + 2 * size):
            word = candidates[code[k]]
            if word & ~both != 0 and not narrow(code[k], word & both, candidates, changed):
                return False
    return True


@inlined
def relations(at, cell, code, candidates, changed):
    """Leave the other cells with the values that this cell supports; False if one is left with nothing.

    Arc consistency: AC-3 with the lookup of Lecoutre and Vion's bitwise AC, 2008, made for the whole set at once.
    Record: relations, chunks, bits a chunk, then (other cell, lookup) for each; a lookup has a row of words a chunk.
    """
    chunks = code[at + 1]
    width = code[at + 2]
    low = (int64(1) << width) - 1
    own = candidates[cell]
    for k in range(at + 3, at + 3 + 2 * code[at], 2):
        other = code[k]
        lookup = code[k + 1]
        supported = int64(0)
        for chunk in range(chunks):
            supported |= code[lookup + (chunk << width) + (own >> (chunk * width) & low)]
        word = candidates[other]
        if word & ~supported != 0 and not narrow(other, word & supported, candidates, changed):
            return False
    return True
