"""Depth-first search in general: it knows nothing of what is searched."""

from collections.abc import Callable, Iterator

Assumptions = Iterator[object]  # advancing makes the next assumption, the end takes the last one back


def depth_first(deepen: Callable[[], Assumptions | None]) -> Iterator[None]:
    """Stack assumptions by `deepen`, which returns None where all is decided; yield there, then go on with the next."""
    stack: list[Assumptions] = []
    over = object()
    while True:
        level = deepen()
        if level is None:
            yield
        else:
            stack.append(level)
        while stack and next(stack[-1], over) is over:
            stack.pop()
        if not stack:
            return
