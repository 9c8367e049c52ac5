"""The platforms that a library is made for, their levels of processors, and how a library tells which is here."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from satdoku.kernels.cpuid import X86_LEVEL
from satdoku.kernels.library import LEVEL, LEVELS, NAMES, SOURCES, sources

X86 = "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"  # levels of x86-64, from 1; LLVM calls them so, too
FEATURES_V2 = ("ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "sahf")
FEATURES_V3 = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
FEATURES_V4 = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")

Levels = dict[str, tuple[str, str]]  # of a processor, the least first: a name, and LLVM's processor and features


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A platform that a library is made for.

    triple: its name for LLVM
    zig:    its name for ziglang
    file:   the name of the library
    tag:    of wheels; empty where there are none
    levels: of its processors
    """

    triple: str
    zig: str
    file: str
    tag: str
    levels: Levels


_LEVELS = {level: (level, "") for level in X86[1:]}
_GLIBC = "manylinux_2_17_{0}.manylinux2014_{0}"
TARGETS = {
    "linux-x86_64": Target(
        triple="x86_64-unknown-linux-gnu",
        zig="x86_64-linux-gnu.2.17",
        file=NAMES["linux"],
        tag=_GLIBC.format("x86_64"),
        levels=_LEVELS,
    ),
    "linux-aarch64": Target(
        triple="aarch64-unknown-linux-gnu",
        zig="aarch64-linux-gnu.2.17",
        file=NAMES["linux"],
        tag=_GLIBC.format("aarch64"),
        levels={"armv8-a": ("generic", "+neon")},
    ),
    "macos-x86_64": Target(
        triple="x86_64-apple-macosx11.0.0",
        zig="x86_64-macos.11.0",
        file=NAMES["darwin"],
        tag="macosx_11_0_x86_64",
        levels=_LEVELS,
    ),
    "macos-arm64": Target(
        triple="arm64-apple-macosx11.0.0",
        zig="aarch64-macos.11.0",
        file=NAMES["darwin"],
        tag="macosx_11_0_arm64",
        levels={"apple-m1": ("apple-m1", "")},
    ),
    "windows-x86_64": Target(
        triple="x86_64-pc-windows-gnu", zig="x86_64-windows-gnu", file=NAMES["win32"], tag="win_amd64", levels=_LEVELS
    ),
    "wasm32": Target(
        triple="wasm32-unknown-unknown",
        zig="wasm32-freestanding",
        file="satdoku.kernels.wasm",
        tag="",
        levels={"wasm32": ("generic", "+simd128,+bulk-memory")},
    ),
}


class BuildError(Exception):
    """The library cannot be made; says why and what to do."""


def this_machine() -> str:
    """The name in TARGETS of the platform that this is."""
    systems = {"linux": "linux", "darwin": "macos", "win32": "windows"}
    machines = {"amd64": "x86_64", "arm64": "arm64" if sys.platform == "darwin" else "aarch64"}
    machine = platform.machine().lower()
    name = f"{systems.get(sys.platform, sys.platform)}-{machines.get(machine, machine)}"
    if name not in TARGETS:
        raise BuildError(f"there is no library for {name}; there are {', '.join(TARGETS)}")
    return name


def this_level() -> Levels:
    """The levels of this machine's target, without those that are not this machine's."""
    target = TARGETS[this_machine()]
    if not target.triple.startswith("x86_64"):
        return target.levels
    from llvmlite import binding

    features, level = binding.get_host_cpu_features(), X86[0]
    for name, needed in zip(X86[1:], (FEATURES_V2, FEATURES_V3, FEATURES_V4), strict=True):
        if not all(features.get(feature) for feature in needed):
            break
        level = name
    return {level: (level, "")}


def c_compiler() -> list[str] | None:
    """The command of the C compiler of this machine, which links; on Windows none of those that are common does."""
    command = shlex.split(os.environ.get("CC") or "cc")
    return command if sys.platform != "win32" and shutil.which(command[0]) else None


def description(target: Target, levels: Iterable[str]) -> str:
    """LLVM's intermediate code of what a library tells of itself, as `satdoku.kernels.library` reads it."""
    export = "dllexport " if target.file.endswith(".dll") else ""
    texts = {SOURCES: sources(), LEVELS: " ".join(levels)}
    constants = "".join(
        f'@{name} = {export}constant [{len(text) + 1} x i8] c"{text}\\00"\n' for name, text in texts.items()
    )
    level = X86_LEVEL if target.triple.startswith("x86_64") else "  ret i32 0\n"
    return f"{constants}\ndefine {export}i32 @{LEVEL}() {{\n{level}}}\n"
