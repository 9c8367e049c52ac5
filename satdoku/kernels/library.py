"""The library of compiled kernels that comes with satdoku: found, checked and loaded once a process.

It is made from the sources of this folder by `python -m satdoku.kernels.build`, as installing satdoku does. One file
has the kernels for several levels of a processor, of which the best that this one has is taken, or the one that
SATDOKU_LEVEL names.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from warnings import warn
from zlib import crc32

from satdoku.errors import InputError, Refused, SatdokuWarning
from satdoku.kernels import cpuid

FOLDER = Path(__file__).parent
# With a point in the name, so that none is taken for a module of Python.
NAMES = {"linux": "satdoku.kernels.so", "darwin": "satdoku.kernels.dylib", "win32": "satdoku.kernels.dll"}
SOURCES, LEVELS = "satdoku_sources", "satdoku_levels"
"""What a library has besides its kernels and what `satdoku.kernels.cpuid` needs: the checksums of its sources, and the
levels that it was made for, the least first, with spaces between."""

COMMAND = "python -m satdoku.kernels.build"
WANTED = "SATDOKU_LEVEL"  # in the environment: a lower level than the best, to compare them
NOT_COMPILED = frozenset(("languages.py", "library.py", "lower.py", "pairs.py"))  # they change nothing in the library


Code = Callable[[ctypes.c_void_p], int]  # an entry's code: from the address of a row of words to 0, or an error


@dataclass(frozen=True, slots=True)
class Library:
    """A library that is loaded. level: the kernels of it that are used, such as x86-64-v3."""

    path: Path
    level: str
    handle: Any

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        from hashlib import sha256

        return sha256(self.path.read_bytes()).hexdigest()

    def function(self, name: str) -> Code:
        code: Code = self.handle[f"satdoku_{name}_{suffix(self.level)}"]
        return code


def suffix(level: str) -> str:
    """The level as a part of the names of functions."""
    return level.replace("-", "_")


@cache
def sources() -> str:
    """What the library is made from: the checksum of each file. Cryptographic ones take a start 3 ms longer."""
    files = sorted(file for file in FOLDER.rglob("*.py") if file.name not in NOT_COMPILED)
    names = [file.relative_to(FOLDER).as_posix().encode() for file in files]
    # The ends of lines may be those of another system.
    contents = [file.read_bytes().replace(b"\r\n", b"\n") for file in files]
    return "".join(f"{crc32(content, crc32(name)):08x}" for name, content in zip(names, contents, strict=True))


def path() -> Path:
    return FOLDER / NAMES.get(sys.platform, NAMES["linux"])


@cache
def load() -> Library | str:
    """The library, or why it is not used, in half a sentence; raises InputError for a level that it does not have."""
    file = path()
    if not file.exists():
        return f"there is no {file}"
    try:
        handle = ctypes.CDLL(str(file))
    except OSError as error:
        return f"{file} cannot be loaded: {error}"
    try:
        made_from = ctypes.string_at(handle[SOURCES]).decode()
        levels = ctypes.string_at(handle[LEVELS]).decode().split()
        x86 = levels[0].startswith(cpuid.NAMES[0])
        usable = [level for level in levels if level in cpuid.NAMES[: cpuid.level(handle)]] if x86 else levels
    except (AttributeError, IndexError):
        return f"{file} is not a library of satdoku"
    if made_from != sources():
        return f"{file} was made from other sources"
    if not usable:
        return f"{file} needs a processor of the level {' or '.join(levels)}, and this one is older"
    wanted = os.environ.get(WANTED, usable[-1])
    if wanted not in usable:
        raise InputError(f"{WANTED}={wanted}: the library and this processor have {', '.join(usable)}")
    return Library(file, wanted, handle)


@cache
def absent() -> str | None:
    """Why nothing here runs kernels, in a sentence; None if the library does, or numba."""
    library = load()
    if isinstance(library, Library) or find_spec("numba") is not None:
        return None
    return f"its compiled library is not used: {library}; `{COMMAND}` makes it, and so does installing satdoku again"


def uses_avx512() -> bool:
    """Whether the level of the library that is used has AVX-512; False where numba is used."""
    library = load()
    return isinstance(library, Library) and library.level == cpuid.NAMES[-1]


def described() -> dict[str, str]:
    """For people and records: the library, its level and its digest, or what is used instead of it, and why."""
    library = load()
    if isinstance(library, Library):
        return {"library": str(library.path), "level": library.level, "sha256": library.digest}
    instead = "SAT solvers" if find_spec("numba") is None else "numba, in each process"
    return {"used instead": instead, "why": library, "made by": COMMAND}


def versions() -> dict[str, str]:
    """What runs kernels here, as records name it: the library's SHA-256 digest and level, or numba's version."""
    library = load()
    if isinstance(library, Library):
        return {"library": library.digest, "level": library.level}
    from importlib.metadata import version

    return {"numba": version("numba")} if find_spec("numba") is not None else {}


@cache
def runner(entry: object, name: str) -> Code:
    """The compiled code of an entry, a function that `satdoku.kernels.compiled` marks as such."""
    library = load()
    if isinstance(library, Library):
        return library.function(name)
    reason = absent()
    if reason is not None:
        raise Refused(f"compiled search: {reason}")
    _warn(library)
    run: Code = import_module("satdoku.kernels.jit").runner(entry)
    return run


@cache
def _warn(reason: str) -> None:
    from multiprocessing import parent_process

    if parent_process() is not None:
        return  # the first process has reported it
    text = f"compiled search: {reason}; numba compiles it in each process instead, for up to a minute"
    warn(f"{text}. `{COMMAND}` makes the library", SatdokuWarning, stacklevel=2)
