"""Where a run takes place: the machine, and the versions of what is measured."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

from satdoku import backends
from satdoku.version import __version__


def machine() -> dict[str, object]:
    """Processor, number of cores, memory in bytes, operating system."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
    }


def versions(names: Iterable[str]) -> dict[str, str]:
    """Python, satdoku, and every package that the named backends require."""
    found = {"python": f"{platform.python_implementation()} {platform.python_version()}", "satdoku": __version__}
    distributions = packages_distributions()
    required = {package for name in names for package in backends.engine(name).requires}
    for package in sorted(required):
        for distribution in sorted(set(distributions.get(package, [package]))):
            try:
                found[distribution] = version(distribution)
            except PackageNotFoundError:
                found[distribution] = "unknown"
    return found


def load() -> float | None:
    """Processes that wanted to run in the last minute, on average; None where the system does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _processor() -> str:
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        named = None
    return named[1] if named else platform.processor() or platform.machine()


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
