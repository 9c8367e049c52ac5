"""`satdoku doctor`: what is installed, where files are kept, and whether every engine here answers rightly."""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, requires, version
from tempfile import gettempdir
from time import perf_counter

import typer

from satdoku.backends import engines
from satdoku.commands.options import AsJson, composed
from satdoku.inputs.programs import read
from satdoku.system.files import state_folder
from satdoku.terminal.texts import plain_table, show
from satdoku.verdict import Session, Verdict
from satdoku.version import __version__
from satdoku.words import plural

NAME = re.compile(r"[A-Za-z0-9._-]+")
EXTRA = re.compile(r"extra == '(\w+)'")
OLDER = re.compile(r"python_version < '3\.(\d+)'")  # the Pythons that need a package

KNOWN = {
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79": Verdict.UNIQUE,
    "13....3131...213": Verdict.MULTIPLE,
    "12....3.........": Verdict.UNSOLVABLE,
}
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
RACE = "race:backtrack,cpsat"
MAX_SECONDS = 60  # for each puzzle


@dataclass(frozen=True, slots=True)
class Package:
    name: str
    version: str | None
    extra: str | None  # what installs it; None for a package of the core

    def advice(self) -> str:
        if self.version is not None:
            return ""
        return f"pip install 'satdoku[{self.extra}]'" if self.extra else "pip install --force-reinstall satdoku"


@dataclass(frozen=True, slots=True)
class Test:
    name: str
    fault: str | None
    seconds: float


@composed
def doctor(as_json: AsJson = False) -> None:
    """What is installed or missing, where files are kept, and a self-test of each engine.

    The self-test takes some seconds. Each engine and each checker of proofs answers puzzles whose answers are known,
    and the referee looks at every grid.

    Exit status: 0 all is well, 1 a test failed.
    """
    from satdoku.kernels import library

    packages = list(_packages())
    compiled = library.described()
    folders = {"temporary files": gettempdir(), "secret of the page": str(state_folder())}
    absent = {name: reason for name, engine in engines().all().items() if (reason := engine.absent())}
    if not as_json:
        _show_system(packages, folders, absent, compiled)
    tests = list(_tests())
    failed = [test for test in tests if test.fault is not None]
    if as_json:
        system = {"satdoku": __version__, "python": platform.python_version(), "platform": platform.platform()}
        versions = {
            "packages": [asdict(package) for package in packages],
            "compiled": compiled,
            "folders": folders,
            "absent": absent,
        }
        print(json.dumps({**system, **versions, "tests": [asdict(test) for test in tests], "failed": len(failed)}))
    else:
        _show_tests(tests, len(failed))
    if failed:
        raise typer.Exit(1)


def _packages() -> Iterator[Package]:
    """What the core needs, then each extra of those that `all` has; nothing if satdoku runs without being installed."""
    try:
        requirements = requires("satdoku") or ()
    except PackageNotFoundError:
        return
    by_extra: dict[str | None, list[str]] = {}
    for requirement in requirements:
        package, extra, older = NAME.match(requirement), EXTRA.search(requirement), OLDER.search(requirement)
        if package and not (older and sys.version_info >= (3, int(older[1]))):
            by_extra.setdefault(extra and extra[1], []).append(package[0])
    every = by_extra.pop("all", [])
    for name, packages in by_extra.items():
        if name is None or set(packages) <= set(every):
            yield from (Package(package, _version(package), name) for package in packages)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _show_system(
    packages: list[Package], folders: dict[str, str], absent: dict[str, str], compiled: dict[str, str]
) -> None:
    show(f"satdoku {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
    rows = ((one.name, one.version or "missing", one.extra or "", one.advice()) for one in packages)
    show(plain_table(("package", "version", "extra", "add it with"), rows), "")
    for what, facts in (
        (("backend", "why it is not here"), absent),
        (("files", "folder"), folders),
        (("compiled search", ""), compiled),
    ):
        show(plain_table(what, facts.items()), "")


def _show_tests(tests: list[Test], failed: int) -> None:
    rows = ((test.name, test.fault or "ok", f"{test.seconds:.2f}") for test in tests)
    table = plain_table(("self-test", "result", "seconds"), rows)
    show(table, f"\n{plural(len(tests), 'test')}: {f'{failed} failed' if failed else 'all passed'}")


def _tests() -> Iterator[Test]:
    from satdoku.proofs.checkers import CHECKERS

    for name, engine in engines().all().items():
        if engine.searches and engine.absent() is None:
            forms = (RACE,) if name == "race" else engine.forms() if engine.forms else (name,)
            yield from (_tested(form, partial(_engine_fault, form)) for form in forms)
    for name, checker in CHECKERS.items():
        if checker.absent() is None:
            yield _tested(f"proof checked by {name}", partial(_checker_fault, name))


def _tested(name: str, fault_of: Callable[[], str | None]) -> Test:
    begin = perf_counter()
    try:
        fault = fault_of()
    except Exception as error:  # whatever an engine that is broken here raises is the finding
        fault = f"{type(error).__name__}: {error}"
    return Test(name, fault, round(perf_counter() - begin, 3))


def _engine_fault(backend: str) -> str | None:
    """What is wrong with an engine's answers. The session has each grid refereed, and raises WrongAnswer."""
    with Session(backend) as session:
        for line, verdict in KNOWN.items():
            outcome = session.check(read(line), timeout=MAX_SECONDS)
            if outcome.verdict is not verdict:
                return f"{line}: expected {verdict.value}, found {outcome.verdict.value}"
            if verdict is Verdict.UNIQUE and "".join(map(str, outcome.grid or ())) != SOLUTION:
                return f"{line}: another grid than its solution"
    return None


def _checker_fault(name: str) -> str | None:
    from satdoku.api.texts import certify

    certificate = certify(read(next(iter(KNOWN))), checker=name)
    if certificate is None or certificate.claim.value != Verdict.UNIQUE.value:
        return f"expected a proof that it is unique, found {certificate and certificate.claim.value}"
    return None
