"""Packages that are imported when they are first used, for modules that only some boards need them in."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any


@cache
def installed(package: str) -> bool:
    """Whether a package can be imported; it is not imported to find out."""
    return find_spec(package) is not None


class Deferred:
    """Stands for a module until something of it is used.

    Parameters:
        name: of the module.

    Example:
        >>> Deferred("math").isqrt(17)
        4
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = self.__dict__[attribute] = getattr(import_module(self._name), attribute)
        return value
