"""Where the search branches: on a cell of few candidates that failures have to do with, or a value with two places.

Each failure adds to the weights of its cells (dom/wdeg of Boussemart et al., ECAI 2004); all weights are halved from
time to time, which keeps the search near its latest failures. Of a cell's candidates the least is tried. On boards of
relations alone the value that was refuted most often adds to the score of each cell that can hold it (after the
Interactive Sudoku Solver): that takes a twentieth of the nodes. With sums it takes ten times as many.
"""

from satdoku.kernels.compiled import bit_count, inlined, int64, lowest_bit

PERIOD = 1 << 10  # failures between two halvings
SCOPE_SHARE = 2.0  # what the cells of a failing constraint share
REFUTED = 0.25  # what the cell of a refuted decision gets: 0 and 1 take 1.05 and 1.2 times as many nodes
PULL = 0.5  # how much of the weight of a value its cells get, where values count
MIN_PULL, MIN_SPREAD = 10.0, 1.5  # the weight from which a value counts, and its ratio to the least one


@inlined
def blame(propagator, scopes, scopes_at, weights):
    first = scopes_at[propagator]
    last = scopes_at[propagator + 1]
    for k in range(first, last):
        weights[scopes[k]] += SCOPE_SHARE / (last - first)


@inlined
def refuted(cell, bit, failures, cells, weights):
    """Weigh a cell and a value whose decision was refuted. Weights of values come after those of cells."""
    weights[cell] += REFUTED
    weights[cells + lowest_bit(bit)] += 1.0
    if failures & (PERIOD - 1) == 0:
        for k in range(len(weights)):
            weights[k] *= 0.5


@inlined
def choose(grid_cells, pull, candidates, houses, weights):
    """A cell and the bit of a value to try there; cell -1 if all are fixed. Cells of the grid come before others."""
    hot, bonus = _hot_value(len(candidates), weights) if pull else (int64(0), 0.0)
    cell = _best_cell(0, grid_cells, hot, bonus, candidates, weights)
    if cell < 0:
        cell = _best_cell(grid_cells, len(candidates), hot, bonus, candidates, weights)
        if cell < 0:
            return cell, int64(0)
    word = candidates[cell]
    count = bit_count(word)
    if count > 2:
        place, bit = _two_places(weights[cell] / count, candidates, houses, weights)
        if place >= 0:
            return place, bit
    return cell, word & -word


@inlined
def _hot_value(first, weights):
    """The bit of the value that was refuted most often, and what its cells get; 0 if none stands out."""
    heaviest = first
    least = weights[first]
    for k in range(first, len(weights)):
        least = min(least, weights[k])
        if weights[k] > weights[heaviest]:
            heaviest = k
    if weights[heaviest] < max(MIN_PULL, MIN_SPREAD * least):
        return int64(0), 0.0
    return int64(1) << (heaviest - first), PULL * weights[heaviest]


@inlined
def _best_cell(first, last, hot, bonus, candidates, weights):
    """The open cell of most weight for each of its candidates; -1 if all are fixed."""
    best = -1
    most = -1.0
    for cell in range(first, last):
        word = candidates[cell]
        if word & (word - 1) != 0:
            score = (weights[cell] + (bonus if word & hot else 0.0)) / bit_count(word)
            if score > most:
                best = cell
                most = score
    return best


@inlined
def _two_places(most, candidates, houses, weights):
    """One of the two cells of a house that can hold a value, if their weight for each place is over `most`; else -1."""
    best = -1
    bit = int64(0)
    for house in range(len(houses)):
        one = int64(0)
        two = int64(0)
        more = int64(0)
        for k in range(houses.shape[1]):
            word = candidates[houses[house, k]]
            more |= two & word
            two |= one & word
            one |= word
        pairs = two & ~more
        while pairs != 0:
            value = pairs & -pairs
            pairs &= pairs - 1
            weight = 0.0
            heaviest = -1
            for k in range(houses.shape[1]):
                cell = houses[house, k]
                if candidates[cell] & value != 0:
                    weight += weights[cell]
                    if heaviest < 0 or weights[cell] > weights[heaviest]:
                        heaviest = cell
            if weight / 4 > most:
                most = weight / 4
                best = heaviest
                bit = value
    return best, bit
