"""The build hook of hatchling: compiles the searches into the library that goes into the wheel.

A library that is in the tree and fits its sources is taken as it is, so that only the first installation compiles.
SATDOKU_LIBRARY names a file to take instead, and SATDOKU_TAG the platform that it is for: so are wheels for other
platforms made.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ZIG = "ziglang==0.17.1"
FITS = "import sys; from satdoku.kernels.library import Library, load; sys.exit(not isinstance(load(), Library))"


class LibraryHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        """ziglang links where there is no C compiler."""
        return [] if self.target_name != "wheel" or shutil.which(os.environ.get("CC", "cc")) else [ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        sys.path.insert(0, self.root)
        try:
            from satdoku.kernels.library import path
        finally:
            sys.path.remove(self.root)
        given = os.environ.get("SATDOKU_LIBRARY")
        library = Path(given) if given else path()
        if not given and not self._runs(FITS):
            _tell("compiling the searches, once, for about a minute")
            self._compile()
        tag = os.environ.get("SATDOKU_TAG") or _this_platform()
        build_data.update(pure_python=False, tag=f"py3-none-{tag}")
        if version != "editable":
            build_data["force_include"][str(library)] = f"satdoku/kernels/{library.name}"

    def _runs(self, code: str) -> bool:
        command = [sys.executable, "-W", "ignore", "-c", code]
        return subprocess.run(command, cwd=self.root, capture_output=True, check=False).returncode == 0

    def _compile(self) -> None:
        """In a process of its own, since numba reads its settings when it is imported."""
        command = [sys.executable, "-m", "satdoku.kernels.build"]
        with subprocess.Popen(
            command, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            assert process.stdout is not None
            last = ""
            for line in process.stdout:
                last = line.strip()
                _tell(last.removeprefix("satdoku: "))
        if process.returncode:
            raise RuntimeError(f"the searches were not compiled: {last}")


def _tell(text: str) -> None:
    """To standard output, which pip shows with -v alone, and to the terminal, where there is one."""
    print(f"satdoku: {text}", flush=True)
    with suppress(OSError), Path("/dev/tty").open("w", encoding="utf-8") as terminal:
        if not sys.stdout.isatty():
            terminal.write(f"\r\x1b[K  satdoku: {text[:60]}\r")


def _this_platform() -> str:
    from packaging.tags import sys_tags

    return next(tag.platform for tag in sys_tags() if "musllinux" not in tag.platform)
