"""Combinations: where few are left, all of them are gone through, but for the last two cells, which are done at once.

The values x of one cell with x + y = t for some y of another are the mirrored candidates of the other, shifted; those
with x - y = t are shifted alone. Cost: the product of the candidates of all cells but two. Domain consistent.
"""

from satdoku.kernels.compiled import bit_count, inlined, int64, lowest_bit, mirror

MAX_OPEN = 8  # cells that are not fixed
MAX_COMBINATIONS = 32  # of all cells but two. With 8 and with 128 killers take longer.

ORDER, REMAINING, RESTS, CHOSEN, USED, MIRRORED = 0, 8, 16, 24, 32, 40
"""Where `notes` have the open positions, few candidates first, and for each the values that have not been tried, what
is left of the total, and the value that is tried; if the cells are peers also the values that those before it have, and
these mirrored."""

COEFFICIENTS = 2  # where a body has the coefficient of each position


@inlined
def open_positions(body, size, code, own, kept, notes):
    """How many positions are open, the combinations of all but two, and what the fixed ones leave of the total."""
    rest = code[body]
    count = 0
    for k in range(size):
        word = own[k]
        kept[k] = word
        if word & (word - 1) == 0:
            rest -= code[body + COEFFICIENTS + k] * lowest_bit(word)
        else:
            if count < MAX_OPEN:
                _insert(k, count, own, notes)
            count += 1
    product = 1
    for at in range(min(count, MAX_OPEN) - 2):
        product *= bit_count(own[notes[ORDER + at]])
    return count, product, rest


@inlined
def _insert(k, count, own, notes):
    at = count
    number = bit_count(own[k])
    while at > 0 and bit_count(own[notes[ORDER + at - 1]]) > number:
        notes[ORDER + at] = notes[ORDER + at - 1]
        at -= 1
    notes[ORDER + at] = k


@inlined
def single(body, rest, code, own, kept, notes):
    position = notes[ORDER]
    kept[position] = own[position] & _equal(code[body + COEFFICIENTS + position], rest)
    return kept[position] != 0


@inlined
def of_peers(count, rest, own, kept, required, notes):
    """Keep what the combinations of peers, with coefficients of 1, give each; what all of them have is required.

    What the second of the last two has is the mirror of what the first has, shifted. It is gathered mirrored, so that
    no combination needs a mirror of its own.
    """
    last = count - 2
    mirrored_second = mirror(own[notes[ORDER + last + 1]])
    firsts = int64(0)
    mirrored_seconds = int64(0)
    common = int64(-1)
    for at in range(last):
        kept[notes[ORDER + at]] = 0
    notes[RESTS] = rest
    notes[REMAINING] = own[notes[ORDER]]
    notes[USED] = 0
    notes[MIRRORED] = 0
    depth = 0
    while depth >= 0:
        word = notes[REMAINING + depth]
        if depth == last:
            total = notes[RESTS + depth]
            word = _with_partners(word, total, mirrored_second & ~notes[MIRRORED + depth])
            if word != 0:
                firsts |= word
                mirrored_seconds |= word << (62 - total) if total <= 62 else word >> (total - 62)
                for at in range(last):
                    kept[notes[ORDER + at]] |= notes[CHOSEN + at]
                common &= _in_each(word, total, notes[USED + depth], common)
            depth -= 1
        elif word == 0:
            depth -= 1
        else:
            notes[REMAINING + depth] = word & (word - 1)
            _choose(depth, word & -word, own, notes)
            depth += 1
    kept[notes[ORDER + last]] = firsts
    kept[notes[ORDER + last + 1]] = mirror(mirrored_seconds)
    required[0] = common
    return firsts != 0


@inlined
def _choose(depth, bit, own, notes):
    """Give the position at a depth a value that no peer can have then."""
    value = lowest_bit(bit)
    used = notes[USED + depth] | bit
    notes[CHOSEN + depth] = bit
    notes[RESTS + depth + 1] = notes[RESTS + depth] - value
    notes[USED + depth + 1] = used
    notes[MIRRORED + depth + 1] = notes[MIRRORED + depth] | int64(1) << (62 - value)
    notes[REMAINING + depth + 1] = own[notes[ORDER + depth + 1]] & ~used


@inlined
def _with_partners(word, total, mirrored_others):
    """The values x of a word with x + y = total for another value y, which is given mirrored."""
    if total < 1 or total > 121:
        return int64(0)
    if total & 1 == 0:
        word &= ~(int64(1) << (total >> 1))  # two peers cannot both hold it
    return word & (mirrored_others >> (62 - total) if total <= 62 else mirrored_others << (total - 62))


@inlined
def _in_each(word, total, used, common):
    """Of what is `common` to others, the values that each pair with one of a word's values has besides those used."""
    if common & ~used == 0:
        return used
    both = word | mirrored(word, total)
    return used | both if bit_count(both) == 2 else used


@inlined
def combinations(body, cells, count, rest, code, peer_sets, own, kept, notes):
    for at in range(count):
        kept[notes[ORDER + at]] = 0
    depth = 0
    notes[RESTS] = rest
    notes[REMAINING] = own[notes[ORDER]]
    while depth >= 0:
        if depth == count - 2:
            _last_two(body, cells, depth, code, peer_sets, own, kept, notes)
            depth -= 1
        elif notes[REMAINING + depth] == 0:
            depth -= 1
        else:
            word = notes[REMAINING + depth]
            notes[REMAINING + depth] = word & (word - 1)
            notes[CHOSEN + depth] = word & -word
            coefficient = code[body + COEFFICIENTS + notes[ORDER + depth]]
            notes[RESTS + depth + 1] = notes[RESTS + depth] - coefficient * lowest_bit(word)
            depth += 1
            notes[REMAINING + depth] = _free(notes[ORDER + depth], depth, cells, code, peer_sets, own, notes)
    return kept[notes[ORDER]] != 0


@inlined
def _free(position, depth, cells, code, peer_sets, own, notes):
    word = own[position]
    cell = code[cells + position]
    for at in range(depth):
        if are_peers(cell, code[cells + notes[ORDER + at]], peer_sets):
            word &= ~notes[CHOSEN + at]
    return word


@inlined
def are_peers(cell, other, peer_sets):
    return peer_sets[cell, other >> 6] >> (other & 63) & 1 != 0


@inlined
def _last_two(body, cells, depth, code, peer_sets, own, kept, notes):
    """Keep what the last two positions can have, and the values chosen before them."""
    first = notes[ORDER + depth]
    second = notes[ORDER + depth + 1]
    here = code[body + COEFFICIENTS + first]
    there = code[body + COEFFICIENTS + second]
    rest = notes[RESTS + depth]
    same = int64(0)
    if are_peers(code[cells + first], code[cells + second], peer_sets):
        # Two peers cannot both hold it.
        same = _equal(here + there, rest)
    two = _free(second, depth, cells, code, peer_sets, own, notes) & ~same
    one = notes[REMAINING + depth] & ~same & partners(two, there, here, rest)
    if one != 0:
        two &= partners(one, here, there, rest)
        kept[first] |= one
        kept[second] |= two
        for at in range(depth):
            kept[notes[ORDER + at]] |= notes[CHOSEN + at]


@inlined
def _equal(coefficient, rest):
    """The values x with coefficient * x = rest."""
    if coefficient == 0:
        return int64(-1) if rest == 0 else int64(0)
    value = quotient(rest, coefficient)
    if value < 0 or value > 61 or value * coefficient != rest:
        return int64(0)
    return int64(1) << value


@inlined
def quotient(rest, coefficient):
    """rest // coefficient, without a division for most coefficients there are: that takes as long as all the rest."""
    if coefficient == 1:
        return rest
    if coefficient == 2:
        return rest >> 1
    if coefficient == -1:
        return -rest
    return rest // coefficient


@inlined
def partners(word, there, here, rest):
    """The values x with here * x + there * y = rest for some y of a word. May be called with any coefficients."""
    allowed = int64(0)
    if here == there:
        total = quotient(rest, here)
        if total * here == rest and 0 <= total <= 122:
            allowed = mirrored(word, total)
    elif here == -there:
        distance = quotient(rest, here)
        if distance * here == rest and -62 < distance < 62:
            allowed = word << distance if distance >= 0 else word >> -distance
    else:
        while word != 0:
            total = rest - there * lowest_bit(word)
            value = quotient(total, here)
            if 0 <= value <= 61 and value * here == total:
                allowed |= int64(1) << value
            word &= word - 1
    return allowed


@inlined
def mirrored(word, total):
    return mirror(word) >> (62 - total) if total <= 62 else mirror(word) << (total - 62)
