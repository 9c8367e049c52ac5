"""`--shards FOLDER`: every file that is read has an output of its own, here or elsewhere, and a journal of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from os.path import isdir, isfile
from pathlib import Path
from typing import NoReturn

import typer

from satdoku.batch.files import UNFINISHED
from satdoku.commands.options import Output
from satdoku.errors import InputError, SatdokuError, worst_status
from satdoku.inputs.items import STANDARD_INPUT
from satdoku.inputs.remote import Folder, is_remote
from satdoku.inputs.streams import expanded
from satdoku.system.files import state_folder
from satdoku.terminal.messages import say

PACKED = (".gz", ".bz2", ".xz", ".zst")
AnswerFile = Callable[[str, Output], NoReturn]  # answers the puzzles of one file, and ends with a status


def answer_each(folder: str, names: Sequence[str], output: Output, quiet: bool, answer: AnswerFile) -> NoReturn:
    """Answer file after file, each into its output, and end with the worst status.

    An output elsewhere is made on this machine, with its journal, and copied there when it is complete. With --resume
    those that are complete are not made again.

    folder: where the outputs go; names: what is read, files alone; quiet: whether only errors are said
    """
    if output.output:
        raise InputError("--shards and --output: choose one")
    if output.errors is not None:
        raise InputError("--shards and --errors: choose one; errors are records of the outputs")
    place = _Elsewhere(folder) if is_remote(folder) else _Here(folder)
    shards = list(_shards(names, output.suffix))
    place.check([file for file, _ in shards])
    status = 0
    for file, name in shards:
        path = place.path(name)
        if output.resume and place.has(name):
            if not quiet:
                say(f"{place.named(name)} is complete")
            continue
        try:
            answer(file, replace(output, output=[path]))
        except typer.Exit as end:
            status = worst_status(status, end.exit_code)
            if place.finish(name) and not quiet:
                say(f"{place.named(name)} written")
        except SatdokuError as error:
            say(str(error))
            status = worst_status(status, error.status)
    raise typer.Exit(status)


def _shards(names: Sequence[str], suffix: str) -> Iterator[tuple[str, str]]:
    """The files that are read, each with the name of its output. Raises InputError for what is not a file, and if two
    have one name."""
    seen: dict[str, str] = {}
    for file in (file for name in names for file in expanded(name)):
        if file == STANDARD_INPUT or not (is_remote(file) or isfile(file)):
            raise InputError(f"--shards: {file[:60]} is not a file; each shard is the output of one")
        stem = Path(file.partition("?")[0]).name
        while Path(stem).suffix.lower() in PACKED:
            stem = Path(stem).stem
        name = f"{Path(stem).stem}{suffix}"
        if name in seen:
            raise InputError(f"--shards: {seen[name]} and {file} would both be written to {name}; rename one")
        seen[name] = file
        yield file, name


class _Here:
    """A folder of this machine."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def check(self, files: Sequence[str]) -> None:
        """Make the folder; raises InputError if it cannot be made, or if what is read lies in it."""
        if self._folder.exists() and not isdir(self._folder):
            raise InputError(f"--shards {self._folder}: a file, expected a folder")
        if not self._folder.absolute().parent.is_dir():
            raise InputError(f"--shards {self._folder}: there is no folder {self._folder.parent}")
        read = next((file for file in files if Path(file).resolve().parent == self._folder.resolve()), None)
        if read is not None:
            raise InputError(f"--shards {self._folder}: {read} in it is read; name another folder")
        self._folder.mkdir(exist_ok=True)

    def path(self, name: str) -> Path:
        """Where the output is made."""
        return self._folder / name

    def has(self, name: str) -> bool:
        """Whether it is complete."""
        path = self.path(name)
        return path.exists() and not Path(f"{path}{UNFINISHED}").exists()

    def finish(self, name: str) -> bool:
        """Take it to where it belongs, if it is complete; returns whether it is."""
        return self.has(name)

    def named(self, name: str) -> str:
        return str(self.path(name))


class _Elsewhere(_Here):
    """A folder that a URL names. What is not complete is kept with the state of this user."""

    def __init__(self, url: str) -> None:
        self._there = Folder(url)
        super().__init__(str(state_folder() / "shards" / sha256(self._there.url.encode()).hexdigest()[:16]))

    def check(self, files: Sequence[str]) -> None:
        read = next((file for file in files if self._there.holds(file)), None)
        if read is not None:
            raise InputError(f"--shards {self._there.url}: {read} in it is read; name another folder")
        self._folder.mkdir(parents=True, exist_ok=True)

    def has(self, name: str) -> bool:
        # A run that was stopped before it could copy it has left it here.
        return self.finish(name) or self._there.has(name)

    def finish(self, name: str) -> bool:
        if not super().has(name):
            return False
        self._there.put(self.path(name), name)
        self.path(name).unlink()
        return True

    def named(self, name: str) -> str:
        return f"{self._there.url}/{name}"
