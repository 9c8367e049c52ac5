"""Depth-first search in general: it knows nothing of what is searched."""

from collections.abc import Callable, Iterator

Assumptions = Iterator[bool]  # advancing makes the next one, and says if it may hold; the end takes the last one back


def depth_first(deepen: Callable[[], Assumptions | None]) -> Iterator[bool]:
    """Stack assumptions by `deepen`, which returns None where all is decided.

    Yields True where all is decided, and False after each assumption, which is a node of the search.
    """
    stack: list[Assumptions] = []
    while True:
        level = deepen()
        if level is None:
            yield True
        else:
            stack.append(level)
        holds = False
        while stack and not holds:
            node = next(stack[-1], None)
            if node is None:
                stack.pop()
            else:
                holds = node
                yield False
        if not stack:
            return
