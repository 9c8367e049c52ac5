"""Finding what the files of a folder offer, so that adding a file is all it takes to add a thing."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

T = TypeVar("T")


def offered(package: str, attribute: str, kind: type[T]) -> list[T]:
    """The members of every tuple named `attribute` in the modules of `package`, by module name.

    A module without the attribute is a part of others and is passed over. Raises TypeError where
    a member is not of `kind`: that is our own mistake, not the user's.
    """
    found: list[T] = []
    for info in iter_modules(import_module(package).__path__, package + "."):
        for member in getattr(import_module(info.name), attribute, ()):
            if not isinstance(member, kind):
                raise TypeError(f"{info.name}.{attribute} holds {member!r}, not a {kind.__name__}")
            found.append(member)
    return found
