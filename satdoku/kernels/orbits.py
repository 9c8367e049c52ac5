"""Union and find, for the orbits of symmetries: see `satdoku.counting.partitions`."""

from __future__ import annotations

from satdoku.kernels.compiled import Ints, Read, entry, inner, int64


@inner
def _root(first, place):
    while first[place] != place:
        first[place] = first[first[place]]
        place = first[place]
    return place


@entry
def join(first: Ints, places: Read[Ints]) -> None:
    """Union of each place and its image; the smaller one leads."""
    for place in range(len(first)):
        one = _root(first, int64(place))
        other = _root(first, places[place])
        if one < other:
            first[other] = one
        else:
            first[one] = other


@entry
def roots(first: Ints) -> None:
    """Write for each place the first one of its union."""
    for place in range(len(first)):
        first[place] = _root(first, int64(place))
