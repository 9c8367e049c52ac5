"""The platforms that a library is made for, their levels of processors, and how a library tells which is here."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from satdoku.kernels import cpuid
from satdoku.kernels.library import LEVELS, NAMES, SOURCES, sources

Levels = dict[str, tuple[str, str]]  # of a processor, the least first: a name, and LLVM's processor and features


SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}  # for each `sys.platform` its usual name


@dataclass(frozen=True, slots=True)
class Platform:
    """A platform that a library is made for.

    triple: its name for LLVM
    zig:    its name for ziglang's C compiler; empty where its linker is called by itself
    levels: of its processors
    tag:    of wheels; empty where there are none
    file:   the name of the library
    """

    triple: str
    zig: str
    levels: Levels
    tag: str = ""

    @property
    def file(self) -> str:
        names = (NAMES[system] for system, name in SYSTEMS.items() if f"-{name}" in self.zig)
        return next(names, "satdoku.kernels.wasm")


X86 = {level: (level, "") for level in cpuid.NAMES[1:]}
ARM, APPLE = {"armv8-a": ("generic", "+neon")}, {"apple-m1": ("apple-m1", "")}
WASM = {"wasm32": ("generic", "+simd128,+bulk-memory")}
_GLIBC = "manylinux_2_17_{0}.manylinux2014_{0}"
TARGETS = {
    "linux-x86_64": Platform("x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", X86, _GLIBC.format("x86_64")),
    "linux-aarch64": Platform("aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", ARM, _GLIBC.format("aarch64")),
    "macos-x86_64": Platform("x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", X86, "macosx_11_0_x86_64"),
    "macos-arm64": Platform("arm64-apple-macosx11.0.0", "aarch64-macos.11.0", APPLE, "macosx_11_0_arm64"),
    "windows-x86_64": Platform("x86_64-pc-windows-gnu", "x86_64-windows-gnu", X86, "win_amd64"),
    "wasm32": Platform("wasm32-unknown-emscripten", "", WASM),  # a module that Pyodide's ctypes loads
}


class BuildError(Exception):
    """The library cannot be made; says why and what to do."""


def this_machine() -> str:
    """The name in TARGETS of the platform that this is."""
    machines = {"amd64": "x86_64", "arm64": "arm64" if sys.platform == "darwin" else "aarch64"}
    machine = platform.machine().lower()
    name = f"{SYSTEMS.get(sys.platform, sys.platform)}-{machines.get(machine, machine)}"
    if name not in TARGETS:
        raise BuildError(f"there is no library for {name}; there are {', '.join(TARGETS)}")
    return name


def this_level() -> Levels:
    """The levels of this machine's target, without those that are not this machine's."""
    target = TARGETS[this_machine()]
    if not target.triple.startswith("x86_64"):
        return target.levels
    from llvmlite import binding

    features, level = binding.get_host_cpu_features(), cpuid.NAMES[0]
    for name, needed in zip(cpuid.NAMES[1:], cpuid.LEVELS, strict=True):
        if not all(features.get(feature) for names in needed.values() for feature in names):
            break
        level = name
    return {level: (level, "")}


def c_compiler() -> list[str] | None:
    """The command of the C compiler of this machine, which links; on Windows none of those that are common does."""
    command = shlex.split(os.environ.get("CC") or "cc")
    return command if sys.platform != "win32" and shutil.which(command[0]) else None


def description(target: Platform, levels: Iterable[str]) -> str:
    """LLVM's intermediate code of what a library tells of itself, as `satdoku.kernels.library` reads it."""
    export = "dllexport " if target.file.endswith(".dll") else ""
    texts = {SOURCES: sources(), LEVELS: " ".join(levels)}
    constants = "".join(
        f'@{name} = {export}constant [{len(text) + 1} x i8] c"{text}\\00"\n' for name, text in texts.items()
    )
    code = cpuid.CODE.replace("EXPORT ", export) if target.triple.startswith("x86_64") else ""
    return f"{constants}{code}"
