"""What is remembered of parts that have been counted, under their keys: see `counting`."""

from __future__ import annotations

from satdoku.kernels.compiled import inlined, inner, int64, lowest_bit
from satdoku.kernels.propagators.parts import (
    BEFORE,
    BUCKET,
    GENERATION,
    HEAD,
    HITS,
    KEY_TOP,
    LAST,
    LENGTH_OF_KEY,
    LOOKUPS,
    NEXT,
    USED,
    YOUNG,
)


@inlined
def _write_cells(key, at, structure, candidates, count):
    """Write the candidates of the cells that the first words of a key name, packed; where the key goes on."""
    keys, width = count.keys, structure.width
    packed = int64(0)
    shift = 0
    for n in range(count.opened.shape[1]):
        rest = keys[key + n]
        while rest != 0:
            cell = 64 * n + lowest_bit(rest)
            rest &= rest - 1
            packed |= candidates[cell] << shift
            shift += width
            if shift + width > 64:
                keys[at] = packed
                at += 1
                packed = int64(0)
                shift = 0
    keys[at] = packed
    return at + 1


@inlined
def _write_scope(scope, at, structure, candidates, count):
    """Write what the fixed cells of a constraint hold: their sum if it is a Linear; where the key goes on."""
    scopes, coefficients = structure.scopes, structure.coefficients
    total = int64(0)
    for k in range(structure.scopes_at[scope], structure.scopes_at[scope + 1]):
        word = candidates[scopes[k]]
        if word & (word - 1) == 0:
            if coefficients[k] != 0:
                total += coefficients[k] * lowest_bit(word)
            else:
                count.keys[at] = word
                at += 1
    count.keys[at] = total
    return at + 1


@inner
def write_key(first, length, structure, candidates, count):
    """Write the key of a part at the top of the keys; how long it is. What it says depends on its cells' order in no
    way."""
    cells, keys, stamps, numbers = count.cells, count.keys, count.stamps, count.numbers
    words, key = count.opened.shape[1], numbers[KEY_TOP]
    numbers[LOOKUPS] += 1
    for k in range(words):
        keys[key + k] = 0
    for k in range(first, first + length):
        keys[key + (cells[k] >> 6)] |= int64(1) << (cells[k] & 63)
    at = _write_cells(key, key + words, structure, candidates, count)
    for n in range(words):
        rest = keys[key + n]
        while rest != 0:
            cell = 64 * n + lowest_bit(rest)
            rest &= rest - 1
            for k in range(structure.scopes_of_at[cell], structure.scopes_of_at[cell + 1]):
                scope = structure.scopes_of[k]
                if stamps[scope] != numbers[LOOKUPS]:
                    stamps[scope] = numbers[LOOKUPS]
                    at = _write_scope(scope, at, structure, candidates, count)
    return at - key


@inlined
def _hash(key, length, keys):
    mixed = int64(-3750763034362895579)
    for k in range(key, key + length):
        mixed = (mixed ^ keys[k]) * int64(-7046029254386353131)
        mixed ^= (mixed >> 29) & int64(0x7FFFFFFFF)
    return mixed


@inner
def recall(key, length, primes, count):
    """Look a key up; True if its count is known, which is then in `value`."""
    keys, memory, buckets, value, numbers = count.keys, count.memory, count.buckets, count.value, count.numbers
    bucket = _hash(key, length, keys) & (buckets.shape[1] - 1)
    for turn in range(2):
        side = numbers[YOUNG] ^ turn
        entry_at = buckets[side, bucket]
        while entry_at != 0:
            same = memory[side, entry_at + LENGTH_OF_KEY] == length
            k = 0
            while same and k < length:
                same = memory[side, entry_at + HEAD + k] == keys[key + k]
                k += 1
            if same:
                for n in range(1 + len(primes)):
                    value[n] = memory[side, entry_at + HEAD + length + n]
                numbers[HITS] += 1
                if turn == 1:
                    remember(key, length, value, primes, count)
                return True
            entry_at = memory[side, entry_at + NEXT]
    return False


@inner
def remember(key, length, value, primes, count):
    """Note the count of a key. Where the young memory is full the old one is emptied, and they change places."""
    keys, memory, buckets, ends, numbers = count.keys, count.memory, count.buckets, count.ends, count.numbers
    size = HEAD + length + 1 + len(primes)
    if size >= memory.shape[1]:
        return
    if ends[numbers[YOUNG], USED] + size > memory.shape[1]:
        numbers[YOUNG] ^= 1
        numbers[GENERATION] += 1
        empty(numbers[YOUNG], count)
    side = numbers[YOUNG]
    at = ends[side, USED]
    bucket = _hash(key, length, keys) & (buckets.shape[1] - 1)
    memory[side, at + NEXT] = buckets[side, bucket]
    memory[side, at + BEFORE] = ends[side, LAST]
    memory[side, at + BUCKET] = bucket
    memory[side, at + LENGTH_OF_KEY] = length
    for k in range(length):
        memory[side, at + HEAD + k] = keys[key + k]
    for k in range(1 + len(primes)):
        memory[side, at + HEAD + length + k] = value[k]
    buckets[side, bucket] = at
    ends[side, LAST] = at
    ends[side, USED] = at + size


@inlined
def empty(side, count):
    """Entries begin at 1, so that 0 is none; memory that was never written to takes none of the machine's."""
    if count.ends[side, USED] != 1:
        count.buckets[side] = 0
    count.ends[side, LAST] = 0
    count.ends[side, USED] = 1


@inner
def forget(mark, era, count):
    """Forget what was remembered after `mark`; all if the memories have changed places since."""
    memory, buckets, ends, numbers = count.memory, count.buckets, count.ends, count.numbers
    if era != numbers[GENERATION]:
        empty(0, count)
        empty(1, count)
        numbers[GENERATION] += 1
        return
    side = numbers[YOUNG]
    at = ends[side, LAST]
    while at >= mark:
        buckets[side, memory[side, at + BUCKET]] = memory[side, at + NEXT]
        ends[side, LAST] = memory[side, at + BEFORE]
        ends[side, USED] = at
        at = ends[side, LAST]
