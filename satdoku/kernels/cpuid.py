"""Which level of x86-64 this processor has, by what it tells of itself, and what each level needs."""

from __future__ import annotations

import ctypes
from typing import Any

CPUID, SAVED = "satdoku_cpuid", "satdoku_saved"
"""Functions of a library: the instruction `cpuid` of a leaf, into four words (eax, ebx, ecx and edx); and which
registers the operating system saves, as `xgetbv` has it."""

CODE = f"""
define EXPORT void @{CPUID}(i32 %leaf, ptr %registers) {{
  %result = call {{ i32, i32, i32, i32 }} asm sideeffect
    "cpuid", "={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}}"(i32 %leaf, i32 0)
  store {{ i32, i32, i32, i32 }} %result, ptr %registers
  ret void
}}
define EXPORT i32 @{SAVED}() {{
  %result = call {{ i32, i32 }} asm sideeffect ".byte 0x0f, 0x01, 0xd0", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %registers = extractvalue {{ i32, i32 }} %result, 0
  ret i32 %registers
}}
"""

# By Intel's and AMD's manuals: words of `cpuid`, as (leaf, register).
FIRST, SEVENTH, EXTENDED = (1, 2), (7, 1), (0x80000001, 2)
SAVES = 27  # the bit of FIRST that says whether `xgetbv` is there
NAMES = "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"  # of the levels, from 1; LLVM calls them so, too
LEVELS = (
    {FIRST: {"sse3": 0, "ssse3": 9, "cx16": 13, "sse4.1": 19, "sse4.2": 20, "popcnt": 23}, EXTENDED: {"sahf": 0}},
    {
        FIRST: {"fma": 12, "movbe": 22, "avx": 28, "f16c": 29},
        SEVENTH: {"bmi": 3, "avx2": 5, "bmi2": 8},
        EXTENDED: {"lzcnt": 5},
    },
    {SEVENTH: {"avx512f": 16, "avx512dq": 17, "avx512cd": 28, "avx512bw": 30, "avx512vl": 31}},
)
"""What levels 2, 3 and 4 need besides those below: for each word the bits of features, by LLVM's names."""
REGISTERS = 0, 0x06, 0xE6  # that the operating system has to save for these levels: of AVX; of AVX-512, too


def level(library: Any) -> int:
    """The level, from 1, that a loaded library finds this processor to have."""
    words = {place: _registers(library, place[0])[place[1]] for place in (FIRST, EXTENDED)}
    words[SEVENTH] = _registers(library, SEVENTH[0])[SEVENTH[1]] if _registers(library, 0)[0] >= SEVENTH[0] else 0
    saved = library[SAVED]() if words[FIRST] >> SAVES & 1 else 0
    for number, (needed, registers) in enumerate(zip(LEVELS, REGISTERS, strict=True), 1):
        has = all(words[place] >> bit & 1 for place, features in needed.items() for bit in features.values())
        if not has or saved & registers != registers:
            return number
    return len(NAMES)


def _registers(library: Any, leaf: int) -> list[int]:
    words = (ctypes.c_uint32 * 4)()
    library[CPUID](ctypes.c_uint32(leaf), words)
    return list(words)
