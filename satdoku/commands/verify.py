"""`satdoku verify`: whether certificates show what they claim."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from satdoku.batch.totals import plural
from satdoku.commands import Command
from satdoku.commands.check import CHECKER
from satdoku.commands.options import AsJson, CheckerName, composed
from satdoku.terminal.messages import say
from satdoku.version import __version__

REFUSED = 1  # the exit status of a certificate that does not hold


@composed
def command(
    certificates: Annotated[list[str], typer.Argument(help="Folders of certify, files of check --proofs.")],
    checker: CheckerName = CHECKER,
    as_json: AsJson = False,
) -> None:
    """Whether certificates show what they claim, starting from the text of their puzzles.

    Exit status: 0 all hold, 1 some are refused, 2 not a certificate.
    """
    from satdoku.proofs.checkers import find
    from satdoku.proofs.verify import verify
    from satdoku.terminal.certificates import verified, verified_line, verified_record

    row = find(checker)
    opened = row.open()
    paths = list(_folders(certificates))
    alone = len(paths) == 1 and paths[0].is_dir()
    faults = []
    for path in paths:
        for each in verify(path, opened):
            faults.append(each.fault is not None)
            if as_json:
                print(json.dumps(verified_record(each, checker), ensure_ascii=False))
            else:
                print(verified(each) if alone else verified_line(each))
    if not alone:
        refused = sum(faults)
        say(f"{plural(len(faults), 'certificate')}: {len(faults) - refused} hold, {refused} refused")
    python = sys.version.split()[0]
    say(f"relied on satdoku {__version__} (reader, referee, formula) and {row.described()}, on Python {python}")
    raise typer.Exit(REFUSED if any(faults) else 0)


def _folders(names: list[str]) -> list[Path]:
    """The paths, and for a folder of certificates each of these."""
    found: list[Path] = []
    for path in map(Path, names):
        inner = sorted(one for one in path.iterdir() if one.is_dir()) if path.is_dir() else []
        found += inner if inner and not any(one.is_file() for one in path.iterdir()) else [path]
    return found


COMMANDS = (Command(name="verify", function=command, order=130),)
