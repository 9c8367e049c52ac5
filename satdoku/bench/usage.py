"""What this process and its children have used: seconds of processor, bytes of memory."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Self

try:
    import resource
except ImportError:  # not a POSIX system: what children use is not seen there
    resource = None  # type: ignore[assignment]

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by the clock and of processor time, children and threads included; None if unknown or not done."""

    wall: float | None = None
    cpu: float | None = None


class Stopwatch:
    """Times a block: its `cost`, once that has ended."""

    cost: Cost

    def __enter__(self) -> Self:
        self._children = _children_seconds()  # outside the clock: reading /proc takes tens of microseconds
        self._cpu, self._wall = process_time(), perf_counter()
        return self

    def __exit__(self, *exception: object) -> None:
        wall, cpu = perf_counter() - self._wall, process_time() - self._cpu
        self.cost = Cost(wall, cpu + _children_seconds() - self._children)


def peak_bytes() -> int:
    """The most memory that this process had resident, plus the most that any one of its children had.

    The kernel's `ru_maxrss` of a process starts at what its parent held when it was made, so where there
    is /proc the figure of the present program is read instead.
    """
    own, *children = map(_high_water, (os.getpid(), *_descendants(os.getpid())))
    if resource is not None:
        own = own or _maxrss(resource.RUSAGE_SELF)
        if children or resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime:
            children.append(_maxrss(resource.RUSAGE_CHILDREN))
    return own + max(children, default=0)


def _descendants(process: int) -> list[int]:
    """The living children of a process, and theirs. psutil looks at all processes, which takes longer than a search."""
    found: list[int] = []
    try:
        for thread in (PROC / str(process) / "task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                found += [child, *_descendants(child)]
    except OSError:
        pass  # no /proc, or the process has ended meanwhile
    return found


def _children_seconds() -> float:
    """Processor time of children, those that have ended and those that live."""
    seconds = 0.0
    if resource is not None:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = ended.ru_utime + ended.ru_stime
    for child in _descendants(os.getpid()):
        try:
            threads = (PROC / str(child) / "task").iterdir()
            seconds += sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
        except (OSError, ValueError, IndexError):
            pass  # it has ended meanwhile
    return seconds


def _high_water(process: int) -> int:
    try:
        found = re.search(r"^VmHWM:\s+(\d+) kB$", (PROC / str(process) / "status").read_text(), re.M)
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


def _maxrss(who: int) -> int:
    """macOS counts bytes, the others kilobytes."""
    maxrss = resource.getrusage(who).ru_maxrss
    return maxrss if os.uname().sysname == "Darwin" else maxrss * 1024
