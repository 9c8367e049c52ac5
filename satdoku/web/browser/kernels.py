"""`python -m satdoku.web.browser.kernels FILE`: the kernels for a browser, as a module that Pyodide's ctypes loads.

It is what `satdoku.kernels.build` makes for wasm32, linked as Pyodide's own modules are: arrays stay in the memory of
Python, and a call takes their addresses, as everywhere. Needs numba, llvmlite and ziglang.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from satdoku.kernels import build
from satdoku.kernels.targets import TARGETS, BuildError

PLATFORM = replace(TARGETS["wasm32"], triple="wasm32-unknown-emscripten")
LINK = ("wasm-ld", "-shared", "--experimental-pic", "--export-dynamic", "--no-entry", "-s")


def make(file: Path, say: build.Say) -> None:
    """Compile and link; raises BuildError with what the linker says."""
    if find_spec("ziglang") is None:
        raise BuildError("the package ziglang is not here; `pip install ziglang`")
    bitcode = build.module(say)
    with TemporaryDirectory() as folder:
        parts = []
        for name, content in build.objects(bitcode, PLATFORM, PLATFORM.levels, say):
            parts.append(Path(folder, f"{name}.o"))
            parts[-1].write_bytes(content)
        file.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "ziglang", *LINK, "-o", str(file), *map(str, parts)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{' '.join(LINK)} failed: {done.stderr.strip() or done.stdout.strip()}")


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python -m satdoku.web.browser.kernels FILE", file=sys.stderr)
        return 2
    try:
        make(Path(arguments[0]), lambda text: print(f"satdoku: {text}", flush=True))
    except (BuildError, ImportError) as error:
        print(f"satdoku: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
