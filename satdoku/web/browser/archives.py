"""The archives of Python's modules that a browser unpacks. Python in a browser runs this too, where a site is built."""

from __future__ import annotations

import io
import marshal
import sys
import zipfile
from collections.abc import Collection, Iterable
from importlib.util import MAGIC_NUMBER, source_hash

EPOCH = (2020, 1, 1, 0, 0, 0)  # the time of every packed file, so that the same files give the same bytes
READ = "satdoku/kernels/"  # whose sources are read, to tell whether the library was made from them
UNCHECKED = (1).to_bytes(4, "little")  # the flag of a compiled module that is not compared with its source


def packed(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A ZIP archive of files by name; the same files give the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(dict(files).items()):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def compiled(archive: bytes, root: str, wanted: Collection[str]) -> bytes:
    """An archive with compiled modules, for the Python that runs this, in the place of their sources.

    archive: a ZIP archive
    root:    where it is unpacked, or its own path if modules are loaded from it
    wanted:  paths of the sources to compile, such as `/packages/satdoku/api.py`

    The sources of kernels stay beside what is compiled.
    """
    made = dict[str, bytes]()
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        for name in files.namelist():
            content, path = files.read(name), f"{root}/{name}"
            if not name.endswith(".py") or path not in wanted:
                made[name] = content
                continue
            code = compile(content, path, "exec", dont_inherit=True)
            module = MAGIC_NUMBER + UNCHECKED + source_hash(content) + marshal.dumps(code)
            if name.startswith(READ):
                made |= {name: content, _beside(name): module}
            else:
                made[f"{name}c"] = module
    return packed(made.items())


def _beside(name: str) -> str:
    """Where Python looks for the compiled module of a source that is there too."""
    folder, _, file = name.rpartition("/")
    return f"{folder}/__pycache__/{file.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc"
