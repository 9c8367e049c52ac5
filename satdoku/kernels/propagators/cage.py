"""Cage: cells that all differ have a sum. What fixed cells hold is taken away, and the open cells are looked at alone.

Of two open cells, x is left where the other can hold rest - x: the mirrored candidates of the other, shifted. Where
three or four have few candidates, all but the last two are tried, and these done at once. Else the sets of values with
the sum are gone through, as in `family`. Up to four cells domain consistent, at some tens of instructions a trial.
Body: total, for each number of open cells where the sets by sum stand (0: not listed), sets of all cells, these sets.
"""

from __future__ import annotations

from typing import Any

from numba import int64, types
from numba.extending import intrinsic

from satdoku.kernels.compiled import bit_count, inlined_bare, lowest_bit
from satdoku.kernels.propagators.family import MAX_CELLS, begin, collect

MAX_TRIALS = 20
"""Of values of all cells but two. With 8 and with 64 killers take longer."""

NONE = -1
"""What stands for the values that all trials have in common if there is none."""


@inlined_bare
def cage(body, size, code, own, kept, required, notes):
    """Keep what adds up to the total; False if nothing does. Open cells are copied behind the others."""
    count, rest = _open(body, size, own, kept, notes, code)
    required[0] = 0
    if rest < 0 or rest > 61 * count:
        return False
    if count < 2:
        kept[size] = own[size] & int64(1) << rest if count == 1 else int64(0)
        fits = kept[size] != 0 if count == 1 else rest == 0
    else:
        trials = int64(1)
        if count <= 4:
            _sort(size, count, own, notes)
            for k in range(size, size + count - 2):
                trials *= bit_count(own[k])
        if count <= 4 and trials <= MAX_TRIALS:
            required[0] = _tried(size, count, rest, own, kept)
        elif code[body + 1 + count] != 0:
            _listed(code[body + 1 + count], size, count, rest, code, own, kept, required, notes)
        else:
            return _all_sets(body, size, code, own, kept, required, notes)
        fits = required[0] != NONE
    for k in range(count):
        kept[notes[MAX_CELLS + k]] = kept[size + k]
    return fits


@inlined_bare
def _open(body, size, own, kept, notes, code):
    """Copy the open cells, note their positions; how many there are, and the sum that they have."""
    rest = code[body]
    count = 0
    for k in range(size):
        word = own[k]
        kept[k] = word
        if word & (word - 1) == 0:
            rest -= lowest_bit(word)
        else:
            own[size + count] = word
            notes[MAX_CELLS + count] = k
            count += 1
    return count, rest


@inlined_bare
def _sort(first, count, own, notes):
    """Cells of few candidates first."""
    for k in range(1, count):
        word = own[first + k]
        position = notes[MAX_CELLS + k]
        at = k
        while at > 0 and bit_count(own[first + at - 1]) > bit_count(word):
            own[first + at] = own[first + at - 1]
            notes[MAX_CELLS + at] = notes[MAX_CELLS + at - 1]
            at -= 1
        own[first + at] = word
        notes[MAX_CELLS + at] = position


@inlined_bare
def _tried(first, count, rest, own, kept):
    """Keep what two, three or four cells can have; the values that are sure."""
    for k in range(first, first + count):
        kept[k] = 0
    common = int64(NONE)
    if count == 2:
        common = _two(first, int64(0), rest, own, kept)
    elif count == 3:
        common = _three(first, int64(0), rest, own, kept)
    else:
        word = own[first]
        while word != 0:
            bit = word & -word
            sure = _three(first + 1, bit, rest - lowest_bit(word), own, kept)
            if sure != NONE:
                kept[first] |= bit
                common &= sure | bit
            word &= word - 1
    return common


@inlined_bare
def _three(first, used, rest, own, kept):
    """The same for three cells, which cannot hold what is used."""
    common = int64(NONE)
    word = own[first] & ~used
    while word != 0:
        bit = word & -word
        sure = _two(first + 1, used | bit, rest - lowest_bit(word), own, kept)
        if sure != NONE:
            kept[first] |= bit
            common &= sure | bit
        word &= word - 1
    return common


@inlined_bare
def _two(first, used, rest, own, kept):
    """The same for two cells, at once."""
    if rest < 0 or rest > 122:
        return int64(NONE)
    one = own[first] & ~used & mirrored(own[first + 1] & ~used, rest)
    if rest & 1 == 0:
        one &= ~(int64(1) << (rest >> 1))
    if one == 0:
        return int64(NONE)
    two = own[first + 1] & mirrored(one, rest)
    kept[first] |= one
    kept[first + 1] |= two
    return one | two if one & (one - 1) == 0 or bit_count(one | two) == 2 else int64(0)


@inlined_bare
def _listed(index, first, count, rest, code, own, kept, required, notes):
    """Keep what the sets of the open cells give them."""
    begin(first, count, 0, kept, required)
    if rest <= code[index - 1]:
        collect(first, count, 0, code[index + rest], code[index + rest + 1], code, own, kept, required, notes)


@inlined_bare
def _all_sets(body, size, code, own, kept, required, notes):
    """Keep what the sets of all cells give them; False if none fits."""
    sets = body + 2 + size
    begin(0, size, 0, kept, required)
    collect(0, size, 0, sets + 1, sets + 1 + code[sets], code, own, kept, required, notes)
    return required[0] != NONE


@inlined_bare
def mirrored(word, total):
    """The values total - y for each y of a word."""
    return _mirror(word) >> (62 - total) if total <= 62 else _mirror(word) << (total - 62)


@intrinsic
def _mirror(context: Any, word: Any) -> Any:
    """Bit b of an int64 without its sign becomes bit 62 - b."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        return builder.lshr(builder.bitreverse(arguments[0]), ir.Constant(ir.IntType(64), 1))

    return types.int64(types.int64), generate
