"""Finding what is offered under a name: by the files of a folder, by installed packages, and by Python programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module, util
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from warnings import warn

from satdoku.errors import InputError, SatdokuWarning, reason_of, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Named(Protocol):
    """What a table holds."""

    @property
    def name(self) -> str: ...


T = TypeVar("T")
N = TypeVar("N", bound=Named)


class NamedTable(dict[str, N]):
    """What there is of one kind, by name.

    It holds what the files of a folder offer, and what `add` has added. The entry point of an installed package is
    loaded when its name is looked up, or when `all` is called: finding out what is installed takes milliseconds, which
    a start with known names does not spend. To go through a table without `all` is to go through what is loaded.

    Parameters:
        word: what one of them is called in messages, such as "backend".
        kind: the type of each.
        own: those of the folder.
        group: the entry points that offer more, such as "satdoku.backends".
        listing: the command that lists them, for messages; None if there is none.
        also: for what people call one that has another name, the name.
    """

    def __init__(
        self,
        word: str,
        kind: type[N],
        own: Iterable[N],
        group: str,
        listing: str | None = None,
        also: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__({thing.name: thing for thing in own})
        self._word, self._kind, self._group, self._listing = word, kind, group, listing
        self._also = also
        self._packaged: set[str] = set()
        self._asked = False

    def __missing__(self, name: str) -> N:
        thing = self._of_package(name)
        if thing is None:
            raise KeyError(name)
        return thing

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or self._of_package(name) is not None

    def get(self, name: str, default: Any = None) -> Any:  # as dict.get, which would not look the name up
        try:
            return self[name]
        except KeyError:
            return default

    def find(self, given: str | N) -> N:
        """The one of that name, or the one that is given itself.

        Raises InputError, with the near names, for a name that nothing has, or whose entry point cannot be loaded;
        TypeError for what is neither a name nor one of them.
        """
        if isinstance(given, self._kind):
            return given
        if not isinstance(given, str):
            raise TypeError(f"{self._word} is {given!r}: expected the name of one, or a {_path(self._kind)}")
        if given not in self:
            raise unknown(self._word, given, self.all(), self._listing, self._also)
        return self[given]

    def all(self) -> NamedTable[N]:
        """The table, once every installed package has been asked. A warning names an entry point that is left out."""
        names = [] if self._asked else [point.name for point in _points(self._group)]
        self._asked = True
        for name in dict.fromkeys(names):
            try:
                if not super().__contains__(name):
                    self._of_package(name)
                elif name not in self._packaged:
                    self._refuse(point for point in _points(self._group) if point.name == name)
            except InputError as error:
                warn(str(error), SatdokuWarning, stacklevel=2)
        return self

    def add(self, *things: N, source: str = "") -> None:
        """Add some, for this process; raises InputError, which begins with the source, if a name is taken."""
        taken = {name for known in self.values() for name in _names(known)}
        for name in (name for thing in things for name in _names(thing)):
            if name in taken:
                raise InputError(f"{source}{': ' if source else ''}there is a {self._word} {name} already")
        self.update({thing.name: thing for thing in things})

    def _of_package(self, name: object) -> N | None:
        points = [point for point in _points(self._group) if point.name == name]
        if not points:
            return None
        thing = self._loaded(points[0])
        self.add(thing, source=_place(points[0]))
        self._packaged.add(thing.name)
        self._refuse(points[1:])
        return thing

    def _loaded(self, point: EntryPoint) -> N:
        try:
            value = point.load()
        except (Exception, SystemExit) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"{_place(point)}: {type(error).__name__}: {reason}".removesuffix(": ")) from None
        for thing in value if isinstance(value, tuple | list) else (value,):
            if isinstance(thing, self._kind) and thing.name == point.name:
                return thing
        raise InputError(f"{_place(point)}: expected a {_path(self._kind)} of that name, or a tuple with one")

    def _refuse(self, points: Iterable[EntryPoint]) -> None:
        for point in points:
            warn(f"{_place(point)}: there is a {self._word} {point.name} already", SatdokuWarning, stacklevel=2)


@cache
def _points(group: str) -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points

    return tuple(entry_points(group=group))


def _names(thing: Named) -> Iterable[str]:
    return thing.name, *(alias.name for alias in getattr(thing, "aliases", ()))


def _place(point: EntryPoint) -> str:
    package = f"package {point.dist.name}, " if point.dist is not None else ""
    return f"{package}entry point {point.name} of {point.group}"


def _path(kind: type) -> str:
    return f"{kind.__module__}.{kind.__name__}"


def offered(package: str, attribute: str, kind: type[T]) -> list[T]:
    """The members of every tuple `attribute` in the modules of `package`; raises TypeError for one not of `kind`."""
    members: list[T] = []
    for info in iter_modules(import_module(package).__path__, package + "."):
        for member in getattr(import_module(info.name), attribute, ()):
            if not isinstance(member, kind):
                raise TypeError(f"{info.name}.{attribute} holds {member!r}, not a {kind.__name__}")
            members.append(member)
    return members


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
        raise InputError(f"{file}: {reason_of(error)}") from None
    except (Exception, SystemExit) as error:
        raise InputError(f"{file}: {type(error).__name__}: {error}".removesuffix(": ")) from None
    return module
