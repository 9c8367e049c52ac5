"""`python -m satdoku.kernels.build`: compile all kernels ahead, into the library that `satdoku.kernels.library` loads.

numba makes LLVM's intermediate code of each entry, once for all machines. All of it together is optimized by LLVM for
each level of a processor, written as an object file, and linked by the C compiler of this machine, or by ziglang (a
package of PyPI), which links for every platform. The same sources and versions give the same bytes.

Every kernel in the library is a function that takes the address of a row of words, as `satdoku.kernels.compiled` lays
it out, and returns 0, or the number of an error.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any
from unittest.mock import patch

from satdoku import kernels
from satdoku.kernels.compiled import Entry
from satdoku.kernels.library import FOLDER, suffix
from satdoku.kernels.targets import (
    TARGETS,
    BuildError,
    Levels,
    Platform,
    c_compiler,
    description,
    this_level,
    this_machine,
)

WASM_LD = ("wasm-ld", "--experimental-pic", "--export-dynamic", "--no-entry")  # as Pyodide's own modules are linked
WITHOUT_KERNELS = "build", "cpuid", "instructions", "jit", "library", "targets"
Say = Callable[[str], object]  # tells how far it has come


def linker(target: str) -> list[str]:
    """The command that links a library for a target; raises BuildError if there is none here."""
    if target == this_machine() and (compiler := c_compiler()):
        return compiler
    if find_spec("ziglang") is not None:
        zig = TARGETS[target].zig
        return [sys.executable, "-m", "ziglang", *(("cc", "-target", zig) if zig else WASM_LD)]
    raise BuildError("neither a C compiler nor the package ziglang is here; `pip install ziglang` is one way")


def entries() -> list[Entry]:
    """All functions that Python calls, in the order of their names."""
    by_name = {}
    for module in walk_packages(kernels.__path__, f"{kernels.__name__}."):
        if module.name.rpartition(".")[2] not in WITHOUT_KERNELS:
            for value in vars(import_module(module.name)).values():
                if isinstance(value, Entry):
                    by_name[value.name] = value
    return [by_name[name] for name in sorted(by_name)]


def module(say: Say) -> bytes:
    """All entries as one module of LLVM's intermediate code (bitcode), not optimized; every other function internal."""
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        del os.environ[name]
    os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")  # read on import
    from llvmlite import binding
    from numba import njit, types
    from numba.core.compiler_lock import global_compiler_lock

    from satdoku.kernels import jit

    jit.OPTIONS.update(no_cpython_wrapper=True, no_cfunc_wrapper=True)  # nothing here calls them
    linked, names, every = None, {}, entries()
    with _not_optimized():
        for number, entry in enumerate(every, 1):
            say(f"compiling {entry.name} ({number} of {len(every)})")
            dispatcher = njit(types.int64(types.int64), **jit.OPTIONS)(jit.wrapper(entry))
            compiled: Any = next(iter(dispatcher.overloads.values()))
            names[entry.name] = compiled.fndesc.llvm_func_name
            with global_compiler_lock:
                compiled.library.finalize()
            own = compiled.library._final_module
            if linked is None:
                linked = binding.parse_bitcode(own.as_bitcode())
            else:
                linked.link_in(own, preserve=True)
    assert linked is not None
    linked.link_in(binding.parse_assembly("".join(_trampoline(name, function) for name, function in names.items())))
    for each in (*linked.functions, *linked.global_variables):
        if not each.is_declaration and not each.name.startswith("satdoku_"):
            each.linkage = "internal"
    bitcode: bytes = linked.as_bitcode()
    return bitcode


@contextmanager
def _not_optimized() -> Iterator[None]:
    """Functions that numba compiles meanwhile stay as they are, and are not loaded: they are optimized all together."""
    from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
    from numba.core.cpu import CPUContext

    with (
        patch.object(CPUCodeLibrary, "_optimize_final_module"),
        patch.object(JITCodeLibrary, "_finalize_specific"),
        patch.object(JITCPUCodegen, "_add_module"),
        # numba knows functions by what this gives, which has to be one of C, and is not called here.
        patch.object(CPUContext, "get_executable", lambda *arguments: [].append),
    ):
        yield


def _trampoline(name: str, function: str) -> str:
    """What the library exports for an entry: numba's functions take where to put a result, and an error."""
    return f"""
declare i32 @"{function}"(ptr, ptr, i64)
define i32 @satdoku_{name}(ptr %row) {{
  %result = alloca i64
  %error = alloca ptr
  %address = ptrtoint ptr %row to i64
  %status = call i32 @"{function}"(ptr %result, ptr %error, i64 %address)
  ret i32 %status
}}
"""


def objects(bitcode: bytes, target: Platform, levels: Levels, say: Say) -> Iterator[tuple[str, bytes]]:
    """The object files of a library, by name: one a level, and one with what tells of them."""
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    binding.initialize_native_asmparser()
    for level, (processor, features) in levels.items():
        say(f"optimizing for {level}")
        machine = _machine(target, processor, features)
        parsed = binding.parse_bitcode(bitcode)
        _fit(parsed, target, machine)
        for function in list(parsed.functions):
            if function.name.startswith("satdoku_"):
                function.name = f"{function.name}_{suffix(level)}"
                if target.file.endswith(".dll"):
                    function.storage_class = "dllexport"
        options = binding.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization, options.slp_vectorization = True, False
        builder = binding.create_pass_builder(machine, options)
        builder.getModulePassManager().run(parsed, builder)
        yield suffix(level), machine.emit_object(parsed)
    machine = _machine(target, *next(iter(levels.values())))
    parsed = binding.parse_assembly(description(target, levels))
    _fit(parsed, target, machine)
    yield "description", machine.emit_object(parsed)


def _machine(target: Platform, processor: str, features: str) -> Any:
    from llvmlite import binding

    made = binding.Target.from_triple(target.triple)
    return made.create_target_machine(cpu=processor, features=features, opt=3, reloc="pic", codemodel="default")


def _fit(module: Any, target: Platform, machine: Any) -> None:
    module.triple = target.triple
    module.data_layout = str(machine.target_data)


def link(parts: Sequence[Path], target: str, file: Path) -> None:
    """One library of some object files; raises BuildError with what the linker says."""
    command = [*linker(target), "-shared"]
    if target.startswith(("linux", "wasm")):
        command.append("-s")
    if target.startswith("linux"):
        command.append("-Wl,--build-id=none")
    file.parent.mkdir(parents=True, exist_ok=True)
    made = file.with_name(f"{file.name}.new")
    done = subprocess.run([*command, "-o", str(made), *map(str, parts)], capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{' '.join(command)} failed: {done.stderr.strip() or done.stdout.strip()}")
    made.replace(file)


def build(targets: dict[str, Path], say: Say, *, here: bool = False) -> None:
    """Make the libraries of some targets, each in its file. here: with this machine's level alone."""
    for target in targets:
        linker(target)
    bitcode = module(say)
    for target, file in targets.items():
        levels = this_level() if here else TARGETS[target].levels
        with TemporaryDirectory() as folder:
            parts = []
            for name, content in objects(bitcode, TARGETS[target], levels, say):
                parts.append(Path(folder, f"{name}.o"))
                parts[-1].write_bytes(content)
            say(f"linking {file.name} for {target}")
            link(parts, target, file)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m satdoku.kernels.build", description="Compile satdoku's searches.")
    parser.add_argument("--target", action="append", choices=[*TARGETS, "all"], help="default: this machine")
    parser.add_argument("-o", "--output", type=Path, help="a folder with a folder for each target")
    options = parser.parse_args(arguments)
    began = monotonic()

    def say(text: str) -> None:
        print(f"satdoku: {text}", flush=True)

    try:
        if options.target is None:
            target = this_machine()
            folder = FOLDER if options.output is None else options.output / target
            build({target: folder / TARGETS[target].file}, say, here=True)
        elif options.output is None:
            raise BuildError("--target needs an output folder: -o FOLDER")
        else:
            names = TARGETS if "all" in options.target else dict.fromkeys(options.target)
            build({name: options.output / name / TARGETS[name].file for name in names}, say)
    except (BuildError, ImportError) as error:
        print(f"satdoku: {error}", file=sys.stderr)
        return 1
    say(f"done in {monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
