"""Marks: what a setter draws on a grid. One function for each kind, such as `killer_cage(["r1c1", "r1c2"], total=9)`.

The functions follow from the table of kinds, which is read when the first of them is asked for; docs/variants.md
shows each kind.
"""

from typing import Any

from satdoku.errors import near_names


def __getattr__(name: str) -> Any:
    from satdoku.api.marks import builders, of
    from satdoku.variants import kinds

    if name == "__all__":
        return __dir__()
    if name.startswith("_"):  # as the import system asks for
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "of":
        return of
    if name not in builders():
        kinds().all()
    if name not in builders():
        near = near_names(name, builders())
        raise AttributeError(": ".join(filter(None, (f"module {__name__!r} has no attribute {name!r}", near))))
    return builders()[name]


def __dir__() -> list[str]:
    from satdoku.api.marks import builders
    from satdoku.variants import kinds

    kinds().all()
    return [*builders(), "of"]
