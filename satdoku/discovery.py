"""Finding what the files of a folder offer, so that adding a file is all it takes to add a thing."""

import sys
from importlib import import_module, util
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from satdoku.errors import InputError

T = TypeVar("T")


def offered(package: str, attribute: str, kind: type[T]) -> list[T]:
    """The members of every tuple `attribute` in the modules of `package`; raises TypeError for one not of `kind`."""
    found: list[T] = []
    for info in iter_modules(import_module(package).__path__, package + "."):
        for member in getattr(import_module(info.name), attribute, ()):
            if not isinstance(member, kind):
                raise TypeError(f"{info.name}.{attribute} holds {member!r}, not a {kind.__name__}")
            found.append(member)
    return found


def loaded(file: str) -> ModuleType:
    """The module of a Python file that is not a part of the package; raises InputError if it cannot be run."""
    # Named by its path, which shadows no other module.
    spec = util.spec_from_file_location(str(Path(file).resolve()), file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file}: expected a Python file")
    module = sys.modules[spec.name] = util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from None
    except (Exception, SystemExit) as error:
        raise InputError(f"{file}: {type(error).__name__}: {error}".removesuffix(": ")) from None
    return module
