"""Automaton: the values of the cells, in order, are a word that an automaton accepts.

The regular constraint of Pesant (CP 2004): states that can be reached before each cell, as bitsets swept forward, then
those from which acceptance can be reached, swept backward. Where the cells all differ, states are kept apart by the
set of values used before (`permutation`), at most 2^values times the cost.

Values that lead from each state to the same one are one letter where there are few letters; else each is its own.
Body: states, words, letters, start, where the values of each letter stand (0 if each is its own), accepting states
(bitset), accepting states that no letter leaves (bitset), for each state the letters that it takes, for each state and
letter the next state, then the values of each letter.
"""

from satdoku.kernels.compiled import bit_count, inlined, int64, lowest_bit

HEAD = 5  # words of a body before its states


@inlined
def automaton(body, length, code, own, kept, required, notes, grouped):
    """Keep the values that an accepted word has; False if no word is accepted.

    grouped: whether the values that all accepted words have are noted as required
    """
    read = _sweep(body, length, code, own, kept, notes, grouped)
    if read < 0:
        return False
    if grouped:
        required[0] = _in_every_word(body, length, code, kept, notes)
    if code[body + 4] != 0:
        masks = body + code[body + 4]
        for place in range(read):
            kept[place] = own[place] & _as_values(kept[place], masks, code)
        if grouped:
            required[0] = _single_values(required[0], masks, length, code, kept)
    for place in range(read, length):
        kept[place] = own[place]
    return True


@inlined
def _sweep(body, length, code, own, kept, notes, whole):
    """Keep the letters that an accepted word has in the places that are read, and return how many; -1 if none is.

    whole: whether the states are noted before each cell; else none after a cell from which every word is accepted
    """
    words = code[body + 1]
    masks = code[body + 4]
    for k in range((length + 1) * words):
        notes[k] = 0
    notes[code[body + 3] >> 6] = int64(1) << (code[body + 3] & 63)
    read = int64(length)
    for place in range(length):
        kept[place] = own[place] if masks == 0 else _as_letters(own[place], body + masks, code[body + 2], code)
        _forward(body, place * words, (place + 1) * words, kept[place], False, code, notes)
        if not whole and _is_settled(body, (place + 1) * words, code, notes):
            read = int64(place + 1)
            break
    if read == length and not _accept(body, length * words, code, notes):
        return int64(-1)
    for place in range(read - 1, -1, -1):
        kept[place] = _backward(body, place * words, (place + 1) * words, kept[place], False, code, notes)
    return read


@inlined
def _as_letters(word, at, letters, code):
    """The letters of some values, as bits."""
    bits = int64(0)
    for letter in range(letters):
        if word & code[at + letter] != 0:
            bits |= int64(1) << letter
    return bits


@inlined
def _as_values(word, at, code):
    """The values of some letters, as bits."""
    values = int64(0)
    while word != 0:
        values |= code[at + lowest_bit(word)]
        word &= word - 1
    return values


@inlined
def _single_values(word, at, length, code, kept):
    """The values of those of some letters of which the cells can hold one value alone."""
    values = int64(0)
    while word != 0:
        left = int64(0)
        for place in range(length):
            left |= kept[place] & code[at + lowest_bit(word)]
        word &= word - 1
        if left & (left - 1) == 0:
            values |= left
    return values


@inlined
def _is_settled(body, at, code, notes):
    """Whether there are states, and each is one that accepts and that no value leaves."""
    universal = body + HEAD + code[body + 1]
    some = int64(0)
    others = int64(0)
    for k in range(code[body + 1]):
        some |= notes[at + k]
        others |= notes[at + k] & ~code[universal + k]
    return some != 0 and others == 0


@inlined
def _in_every_word(body, length, code, kept, notes):
    """The letters that all accepted words have, after a whole sweep.

    Notes: those of the sweep, then for each state the letters that all ways from it have, here and after the cell.
    """
    words = code[body + 1]
    letters = code[body + 2]
    takes = body + HEAD + 2 * words
    steps = takes + code[body]
    here = (length + 1) * words
    after = here + code[body]
    for k in range(after, after + code[body]):
        notes[k] = 0
    for place in range(length - 1, -1, -1):
        for k in range(words):
            live = notes[place * words + k]
            while live != 0:
                state = 64 * k + lowest_bit(live)
                live &= live - 1
                rest = code[takes + state] & kept[place]
                common = int64(-1)
                while rest != 0 and common != 0:
                    target = code[steps + state * letters + lowest_bit(rest)]
                    if notes[(place + 1) * words + (target >> 6)] >> (target & 63) & 1 != 0:
                        common &= (rest & -rest) | notes[after + target]
                    rest &= rest - 1
                notes[here + state] = common
        here, after = after, here
    return notes[after + code[body + 3]]


@inlined
def permutation(body, length, code, own, kept, notes):
    """The same where the cells all differ; its letters are values, and states from which a sweep finds no way
    to the end are left out first.

    Notes: those of the sweep, the candidates that it keeps, the states after each set of values, the sets to go on
    from as bits, the sets gone on from.
    """
    words = code[body + 1]
    candidates = (length + 1) * words
    states = candidates + length
    waiting = states + (words << code[body + 2])
    first = waiting + 1 + ((int64(1) << code[body + 2]) >> 6)
    if _sweep(body, length, code, own, kept, notes, True) < 0:
        return False
    for place in range(length):
        notes[candidates + place] = kept[place]
        kept[place] = 0
    for k in range(words):
        notes[states + k] = notes[k]
    for k in range(waiting, first):
        notes[k] = 0
    notes[waiting] = 1
    last = first
    accepted = False
    for block in range(first - waiting):
        while notes[waiting + block] != 0:  # a set leads to greater ones alone
            used = 64 * block + lowest_bit(notes[waiting + block])
            notes[waiting + block] &= notes[waiting + block] - 1
            place = bit_count(used)
            if not _useful(states + used * words, place * words, words, notes):
                continue
            if place == length:
                accepted = True
            else:
                notes[last] = used
                last += 1
                word = notes[candidates + place] & ~used
                _open(states, words, used, word, waiting, notes)
                _forward(body, states + used * words, states + used * words, word, True, code, notes)
    for at in range(last - 1 if accepted else -1, first - 1, -1):
        used = notes[at]
        place = bit_count(used)
        word = notes[candidates + place] & ~used
        kept[place] |= _backward(body, states + used * words, states + used * words, word, True, code, notes)
    return accepted


@inlined
def _useful(at, useful, words, notes):
    some = int64(0)
    for k in range(words):
        notes[at + k] &= notes[useful + k]
        some |= notes[at + k]
    return some != 0


@inlined
def _open(states, words, used, word, waiting, notes):
    """Let the sets that one of the values leads to wait, without states if they did not wait before."""
    while word != 0:
        target = used | (word & -word)
        word &= word - 1
        if notes[waiting + (target >> 6)] >> (target & 63) & 1 == 0:
            notes[waiting + (target >> 6)] |= int64(1) << (target & 63)
            for k in range(states + target * words, states + (target + 1) * words):
                notes[k] = 0


@inlined
def _accept(body, at, code, notes):
    accepted = False
    for k in range(code[body + 1]):
        notes[at + k] &= code[body + HEAD + k]
        accepted |= notes[at + k] != 0
    return accepted


@inlined
def _forward(body, here, after, word, apart, code, notes):
    """Add the states that one of the letters leads to; where `apart`, those after a value stand by that value."""
    words = code[body + 1]
    letters = code[body + 2]
    takes = body + HEAD + 2 * words
    steps = takes + code[body]
    for k in range(words if word != 0 else 0):
        live = notes[here + k]
        while live != 0:
            state = 64 * k + lowest_bit(live)
            live &= live - 1
            rest = code[takes + state] & word
            while rest != 0:
                target = code[steps + state * letters + lowest_bit(rest)]
                following = after + words * (rest & -rest) if apart else after
                notes[following + (target >> 6)] |= int64(1) << (target & 63)
                rest &= rest - 1


@inlined
def _backward(body, here, after, word, apart, code, notes):
    """Drop the states before a cell from which acceptance is out of reach; the letters of the cell that are used."""
    words = code[body + 1]
    letters = code[body + 2]
    takes = body + HEAD + 2 * words
    steps = takes + code[body]
    kept = int64(0)
    for k in range(words):
        live = notes[here + k]
        useful = int64(0)
        while live != 0:
            state = 64 * k + lowest_bit(live)
            rest = code[takes + state] & word
            used = int64(0)
            while rest != 0:
                target = code[steps + state * letters + lowest_bit(rest)]
                following = after + words * (rest & -rest) if apart else after
                used |= (rest & -rest) & -(notes[following + (target >> 6)] >> (target & 63) & 1)
                rest &= rest - 1
            if used != 0:
                useful |= live & -live
                kept |= used
            live &= live - 1
        notes[here + k] = useful
    return kept
