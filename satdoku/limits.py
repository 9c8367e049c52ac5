"""What a text from anywhere may take. What goes beyond is refused, and the error says which limit it was.

docs/formats.md has a table made of the comments. Time is bounded by the timeout of the question: `bounded_time`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from importlib.util import find_spec
from time import monotonic

MAX_PUZZLE = 4_000_000  # bytes of a line, a text that is one puzzle, a table row, what a link or archive unpacks to
MAX_PLAIN = 1_000_000  # characters of a puzzle without marks: 256x256 with its regions and its solution has fewer
MAX_MARKS = 10_000  # marks of a board
MAX_STATES = 40_000  # states of one automaton
MAX_ROWS = 1_000_000  # tuples or transitions of one constraint
MAX_BOARD = 2_000_000  # tuples, transitions and cells of all constraints of a board, what several share counted once
MAX_SKIPPED = 64_000_000  # bytes of a line that is too long, after which nobody waits for its end
MAX_MEMORY = 200_000_000  # bytes that reading may take, beyond those of the program itself
MAX_ANSWER = 16_000_000  # bytes of a SAT solver's answer, with all that it prints; of other texts read as a whole
MAX_PROOF = 256_000_000  # bytes of a proof that a solver writes
MAX_CNF = 128_000_000  # bytes of a CNF that is decoded, or of a map of it
MAX_CLAUSES = 50_000_000  # clauses of a puzzle: 33 million take python-sat a minute and 4 GB, and are 1 GB of text
MAX_CANDIDATES = 4_000_000  # open candidates of a puzzle that CP-SAT is given: 3 million, of 144x144, take it 5 GB
MAX_COUNT = 1_000_000_000_000  # puzzles that are asked for at once
MAX_VARIABLES = 1 << 22  # variables of a CNF that is decoded


LEAST = 1e-9  # seconds that a search has in any case, so that it is the search which says that its time is up
_end: ContextVar[float | None] = ContextVar("end", default=None)  # when what is prepared now has to be ready


class TimeIsUp(Exception):
    """Raised where a deadline has passed, and caught by whoever set it."""


@contextmanager
def bounded_time(seconds: float | None) -> Iterator[None]:
    """Let `check_time` raise TimeIsUp in this thread after so many seconds, or at an earlier end that is set already.

    For what prepares a search: reading, lowering, writing clauses.
    """
    before = _end.get()
    end = None if seconds is None else monotonic() + seconds
    token = _end.set(before if end is None else end if before is None else min(before, end))
    try:
        yield
    finally:
        _end.reset(token)


def time_left() -> float | None:
    """Seconds until the end that `bounded_time` sets, at least 0; None if there is none."""
    end = _end.get()
    return None if end is None else max(0.0, end - monotonic())


def check_time() -> None:
    """Raise TimeIsUp if the time is up that `bounded_time` sets. Costs a quarter of a microsecond."""
    end = _end.get()
    if end is not None and monotonic() > end:
        raise TimeIsUp


@contextmanager
def bounded_memory() -> Iterator[None]:
    """Let what allocates more than MAX_MEMORY fail, where the system can; for the whole process, so not for long."""
    if find_spec("resource") is None:
        yield
        return
    import psutil

    resource = import_module("resource")
    before, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = getattr(psutil.Process().memory_info(), "data", 0) + MAX_MEMORY
    narrower = before == resource.RLIM_INFINITY or wanted < before
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if narrower else before, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, most))
