"""What the AllDifferents of a board make: peers, houses, and houses that share cells."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray


def peer_bits(cells: int, groups: Iterable[tuple[int, ...]]) -> list[int]:
    peers = [0] * cells
    for group in groups:
        bits = 0
        for cell in group:
            bits |= 1 << cell
        for cell in group:
            peers[cell] |= bits
    return [bits & ~(1 << cell) for cell, bits in enumerate(peers)]


def bit_rows(rows: list[int], columns: int) -> NDArray[np.int64]:
    words = (columns + 63) // 64 or 1
    return np.frombuffer(b"".join(row.to_bytes(8 * words, "little") for row in rows), np.int64).reshape(-1, words)


def lists_of(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The members of rows of bits one after another, and where each row begins."""
    bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")
    starts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(bits.sum(1, dtype=np.int64), out=starts[1:])
    return np.nonzero(bits)[1].astype(np.int64), starts


@lru_cache(maxsize=16)
def crossings(houses: tuple[tuple[tuple[int, ...], int], ...]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """For each pair of houses of the same values that share two cells or more: the cells of each alone."""
    found = []
    sets = [(frozenset(house), union) for house, union in houses]
    for (first, values), (second, others) in combinations(sets, 2):
        if values == others and 2 <= len(first & second) < len(first):
            found.append((tuple(sorted(first - second)), tuple(sorted(second - first))))
    return tuple(dict.fromkeys(found))


def cliques(cells: Iterable[int], peers: list[int]) -> list[list[int]]:
    """`cells` in groups of mutual peers, as large as taking the cell with the most peers first makes them."""
    rest = list(cells)
    groups = []
    while rest:
        everyone = sum([1 << cell for cell in rest])
        group, common = list[int](), -1
        for cell in sorted(rest, key=lambda cell: -(peers[cell] & everyone).bit_count()):
            if common >> cell & 1:
                group.append(cell)
                common &= peers[cell]
        groups.append(group)
        rest = [cell for cell in rest if cell not in group]
    return groups


def all_peers(cells: Sequence[int], peers: list[int]) -> bool:
    everyone, common = 0, -1
    for cell in cells:
        bit = 1 << cell
        everyone |= bit
        common &= peers[cell] | bit
    return common & everyone == everyone


def groups(cells: tuple[int, ...], coefficients: tuple[int, ...], peers: list[int]) -> list[tuple[int, Sequence[int]]]:
    """Coefficients, each with cells of that coefficient that are all peers."""
    if coefficients.count(coefficients[0]) == len(cells) and all_peers(cells, peers):
        return [(coefficients[0], cells)]
    by_coefficient: dict[int, list[int]] = {}
    for cell, coefficient in zip(cells, coefficients, strict=True):
        by_coefficient.setdefault(coefficient, []).append(cell)
    return [
        (coefficient, clique)
        for coefficient, alike in by_coefficient.items()
        for clique in ([alike] if len(alike) == 1 or all_peers(alike, peers) else cliques(alike, peers))
    ]
