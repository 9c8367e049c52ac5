"""The build hook of hatchling: compiles the searches into the library that goes into the wheel.

A library that is in the tree and fits its sources is taken as it is, so that only the first installation compiles.
With SATDOKU_TARGET in the environment the wheel is for that platform, and its library is taken from `build/libraries`,
where `.ci/wheels` has put it. Kernels for browsers go into the wheel if they are there too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET, LIBRARIES = "SATDOKU_TARGET", Path("build", "libraries")
FITS = "import sys; from satdoku.kernels.library import Library, load; sys.exit(not isinstance(load(), Library))"


class LibraryHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        """What compiles, if anything has to be; and what links, where there is no C compiler."""
        if TARGET in os.environ or self._fits or self._impossible:
            return []
        return [*self.config["compile"], *([] if self._targets.c_compiler() else self.config["link"])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        target = os.environ.get(TARGET)
        if target is not None:
            made_for = self._targets.TARGETS[target]
            file, tag = Path(self.root, LIBRARIES, target, made_for.file), made_for.tag
            if not file.exists():
                raise RuntimeError(f"there is no {file}; `.ci/wheels FOLDER` makes it, and the wheels")
        elif self._impossible:
            _print(f"no compiled searches: {self._impossible}. SAT solvers take their place, or numba: satdoku[jit]")
            return
        else:
            if not self._fits:
                self._compile()
            from satdoku.kernels.library import path

            file, tag = path(), _this_platform()
        build_data.update(pure_python=False, tag=f"py3-none-{tag}")
        if version != "editable":
            build_data["force_include"][str(file)] = f"satdoku/kernels/{file.name}"
            for module in Path(self.root, LIBRARIES).glob("*/*.wasm"):
                build_data["force_include"][str(module)] = f"satdoku/web/browser/{module.name}"

    @cached_property
    def _targets(self) -> Any:
        sys.path.insert(0, self.root)
        try:
            from satdoku.kernels import targets
        finally:
            sys.path.remove(self.root)
        return targets

    @cached_property
    def _fits(self) -> bool:
        """Whether the library in the tree can be used. Asked in another process, where it is not kept loaded."""
        command = [sys.executable, "-W", "ignore", "-c", FITS]
        return subprocess.run(command, cwd=self.root, capture_output=True, check=False).returncode == 0

    @cached_property
    def _impossible(self) -> str | None:
        """Why no library can be made for this machine."""
        try:
            self._targets.this_machine()
        except self._targets.BuildError as error:
            return str(error)
        return None

    def _compile(self) -> None:
        command = [sys.executable, "-u", "-m", "satdoku.kernels.build"]
        with (
            _progress() as show,
            subprocess.Popen(
                command, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            ) as process,
        ):
            assert process.stdout is not None
            lines = []
            for line in process.stdout:
                lines.append(line.rstrip().removeprefix("satdoku: "))
                show(lines[-1])
        if process.returncode:
            raise RuntimeError("the searches were not compiled:\n" + "\n".join(lines[-10:]))


@contextmanager
def _progress() -> Iterator[Any]:
    """Prints messages; and since pip hides what is printed, shows them behind its own line on the terminal, too.

    The cursor is put back each time, so that pip's line and its spinner stay whole.
    """
    _print("compiling the searches, once, for about a minute")
    try:
        terminal = None if sys.stdout.isatty() else Path("/dev/tty").open("w", encoding="utf-8")  # noqa: SIM115  closed below
    except OSError:
        terminal = None

    def show(text: str) -> None:
        _print(text)
        with suppress(OSError):
            if terminal is not None:  # save the cursor, no new line at the right edge, clear the rest, and back
                terminal.write(f"\x1b7\x1b[?7l  {_short(text)}\x1b[K\x1b[?7h\x1b8")
                terminal.flush()

    try:
        yield show
    finally:
        if terminal is not None:
            with suppress(OSError), terminal:
                terminal.write("\x1b[K")


def _short(text: str) -> str:
    """`compiling (17 of 32)`: what fits behind pip's line in 80 columns."""
    words = text.split()
    return " ".join((words[0], *words[2:])) if words[0] == "compiling" else " ".join(words[:3])


def _print(text: str) -> None:
    print(f"satdoku: {text}", flush=True)


def _this_platform() -> str:
    """The tag of a wheel for this machine: its library may have the level of this processor alone."""
    if sys.platform == "darwin":
        from packaging.tags import mac_platforms

        return next(mac_platforms())
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
