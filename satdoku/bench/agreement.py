"""Whether measured searches can all be right: failures, and searches that contradict each other."""

from __future__ import annotations

from collections.abc import Iterable

from satdoku.batch.totals import plural
from satdoku.bench.raw import Outcome, Search, Work
from satdoku.errors import Disagreement


def complaints(searches: Iterable[Search]) -> list[str]:
    """What went wrong in these searches, for people: failures, and disagreements."""
    known = list(searches)
    failed = [f"{one.puzzle}: {one.contender}: {one.fault}" for one in known if one.outcome is Outcome.FAILED]
    return failed + [str(error) for error in disagreements(known)]


def disagreements(searches: Iterable[Search]) -> list[Disagreement]:
    """Every two searches of one puzzle that cannot both be right, the later against the first that says most.

    A search shows that there are at least so many solutions, and at most so many if it was exhausted.
    """
    found: list[Disagreement] = []
    seen: dict[str, list[Search]] = {}
    for search in searches:
        if search.outcome is Outcome.FAILED:
            continue
        known = seen.setdefault(search.digest, [])
        other = next((other for other in known if not compatible(other, search)), None)
        if other is not None:
            found.append(Disagreement(f"{search.puzzle}: {_contradiction(other, search)}"))
        if all(_answer(other) != _answer(search) for other in known):
            known.append(search)
    return found


def compatible(first: Search, second: Search) -> bool:
    """Whether two searches of one puzzle can both be right."""
    most = max(first.count, second.count)
    if any(each.exact and each.count < most for each in (first, second)):
        return False
    # In another layout the same solution is another grid.
    unique = first.exact and second.exact and first.count == 1
    return not (unique and first.layout == second.layout) or first.solution == second.solution


def _contradiction(first: Search, second: Search) -> str:
    if first.count == second.count == 1:
        return f"{first.contender} and {second.contender} give different unique solutions"
    parts = []
    for one in (first, second):
        count = f"{'' if one.exact else 'at least '}{plural(one.count, 'solution')}"
        parts.append(f"{one.contender} says {count if one.work is Work.COUNT else one.verdict}")
    return ", ".join(parts)


def _answer(search: Search) -> tuple[object, ...]:
    return search.count, search.exact, search.solution, search.layout
