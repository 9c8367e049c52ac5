"""The packages that satdoku needs: size, and CPU time of an import: `python benchmarks/dependencies.py`.

Sizes are those of the files that an installation has, without what Python compiles; "with its own" adds the packages
that a package needs itself. Times are the least of five fresh processes, in which nothing else is imported.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

IMPORTED = {  # the module of each that satdoku imports
    "defusedxml": "defusedxml.ElementTree",
    "lzstring": "lzstring",
    "markdown-it-py": "markdown_it",
    "msgspec": "msgspec",
    "numpy": "numpy",
    "ortools": "ortools.sat.python.cp_model",
    "pebble": "pebble",
    "portalocker": "portalocker",
    "psutil": "psutil",
    "python-sat": "pysat.solvers",
    "rich": "rich.console",
    "tomli": "tomli",
    "typer": "typer",
}
TIMED = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower()


def size(name: str) -> int:
    """Bytes of its files, compiled ones of Python left out."""
    files = [Path(str(file.locate())) for file in metadata.files(name) or () if file.suffix != ".pyc"]
    return sum(file.stat().st_size for file in files if file.is_file())


def needed(name: str, seen: set[str]) -> set[str]:
    """A package and all that it needs, as far as they are installed."""
    try:
        requirements = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return seen
    if name not in seen:
        seen.add(name)
        for requirement in requirements:
            if "extra ==" not in requirement:
                needed(name_of(requirement), seen)
    return seen


def seconds(module: str) -> float:
    command = [sys.executable, "-c", TIMED.format(module)]
    return min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(5))


def main() -> None:
    print("package | MB | with its own | ms to import\n---|---|---|---")
    for requirement in metadata.requires("satdoku") or []:
        name = name_of(requirement)
        if "extra ==" not in requirement:
            whole = sum(map(size, needed(name, set())))
            print(f"{name} | {size(name) / 1e6:.1f} | {whole / 1e6:.1f} | {1000 * seconds(IMPORTED[name]):.0f}")


if __name__ == "__main__":
    main()
