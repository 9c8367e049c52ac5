"""`satdoku certify`: a verdict, with what others need to check it; `satdoku verify`: whether it shows that."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import MISSING, dataclass, replace
from os.path import isdir, lexists
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satdoku.batch.questions import UNDECIDED, Answer, Emit, Style
from satdoku.commands import options
from satdoku.commands.asking import Run, answer
from satdoku.commands.check import CHECKER
from satdoku.commands.options import ENGINE, OUTPUT, PROOFS, AsJson, CheckerName, composed, option
from satdoku.commands.searches import STATUS, Searching, SearchQuestion, item_puzzle, table
from satdoku.errors import InputError, worst_status
from satdoku.inputs.items import Item
from satdoku.outcome import CertificateKind
from satdoku.terminal.messages import say
from satdoku.verdict import Verdict
from satdoku.version import __version__
from satdoku.words import plural

if TYPE_CHECKING:
    from satdoku.proofs.certificate import Certificate

CERTIFIED = "certified"
NO_FOLDER = re.compile(r'[\\/:*?"<>|\s\x00-\x1f]+')  # what the name of a folder cannot hold on some system


@dataclass(frozen=True, slots=True, kw_only=True)
class Certify(SearchQuestion):
    """A certificate of each verdict, in the folder `output`, or for several puzzles in a folder each below it."""

    output: Path = option(
        OUTPUT,
        "A new folder for the certificate; with several puzzles each gets a folder in it.",
        "-o",
        default=MISSING,
        metavar="DIR",
    )
    of: CertificateKind = option(
        PROOFS, "What is shown: the verdict, or more; docs/certificates.md says.", default=CertificateKind.VERDICT
    )
    backend: str | None = option(
        ENGINE, "NAME[:ARGUMENT] that writes proofs.", "-b", autocompletion=options.complete_backend
    )
    checker: options.CheckerName = CHECKER
    timeout: options.Timeout = None
    as_json: options.AsJson = False
    as_csv: options.AsCsv = False
    held = False  # a proof that was found in time may take longer to check
    columns = table(
        "puzzle format claim count:int prover steps:int bytes:int solution certificate verdict reason error"
    )

    def open(self) -> Certifying:
        from satdoku.proofs import certificate

        if self.alone:
            certificate.vacant(self.output)
        elif self.output.exists() and not self.output.is_dir():
            raise InputError(f"--output {self.output}: not a folder")
        return Certifying(self)

    def place(self, item: Item) -> Path:
        return self.output if self.alone else self.output / NO_FOLDER.sub("-", item.name.strip("/"))

    def view_text(self, item: Item, view: Certificate | str, style: Style) -> str | None:
        from satdoku.terminal.certificates import made

        if isinstance(view, str):
            return view if style.alone else f"{item.name}\t{view}"
        folder = str(self.place(item))
        return made(view, folder) if style.alone else f"{item.name}\t{view.claim.value}\t{folder}"


class Certifying(Searching[Certify]):
    def __init__(self, question: Certify) -> None:
        from satdoku import certifier

        super().__init__(question)
        self._certifier = certifier.Certifier(question.backends[0], question.checker)

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        from satdoku import certifier
        from satdoku.proofs import certificate as certificates
        from satdoku.terminal.certificates import record

        question, puzzle = self.question, item_puzzle(item)
        folder = question.place(item)
        certificates.vacant(folder)
        proven = self._certifier.answer(self.sessions[0], puzzle, question.of, question.within(item).timeout)
        if isinstance(proven, certifier.NoCertificate):
            status = STATUS[Verdict.UNDECIDED] if proven.verdict == UNDECIDED else 1
            lacking = {**self.question.about(item), "verdict": proven.verdict, "reason": proven.why}
            return Answer(status=status, outcome=proven.verdict, record=lacking, view=proven.why)
        folder.parent.mkdir(parents=True, exist_ok=True)
        certificates.save(certificates.files(proven, certifier.versions(proven.prover)), folder)
        fields = {**record(proven), "certificate": str(folder)}
        return Answer(status=0, outcome=CERTIFIED, record=fields, engine=proven.prover, view=proven)


@composed
def certify(input: options.Input, many: options.Many, own: Certify, puzzles: options.Puzzles = None) -> None:
    """Decide puzzles, and write what each verdict rests on for others to check.

    Exit status: 0 certificates were written, 1 it is not as --of asks, 2 invalid input, 3 undecided,
    4 a proof does not check.
    """
    place = own.output.resolve()
    for folder in filter(isdir, puzzles or ()):
        if Path(folder).resolve() in (place, *place.parents):
            raise InputError(f"--output {own.output}: in the folder {folder}, which is read; name another folder")
    output = options.Output(as_json=own.as_json, as_csv=own.as_csv)
    answer(replace(own, backends=(own.backend,)), Run(input=input, many=many, output=output, puzzles=puzzles))


OUTCOMES = {"holds": 0, "refused": 1, "undecided": 3, "invalid": 2}
"""The exit status of what became of a certificate."""


@composed
def verify(
    certificates: Annotated[list[str], typer.Argument(help="Folders of certify, files of check --proofs.")],
    checker: CheckerName = CHECKER,
    timeout: options.CertificateTimeout = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what each certificate proves, and what must be believed.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Whether certificates show what they claim, starting from the text of their puzzles.

    Exit status: 0 all hold, 1 some are refused, 2 some are not certificates, 3 some are undecided.
    """
    from satdoku.proofs.checkers import find
    from satdoku.proofs.verify import HOLDS, INVALID, REFUSED, UNDECIDED, verify_all
    from satdoku.terminal.certificates import explained, verified, verified_line, verified_record

    row = find(checker)
    opened, described = row.open(timeout), row.described()
    paths = list(_folders(certificates))
    alone = len(paths) == 1 and paths[0].is_dir()
    status, counts = 0, Counter[str]()
    for each in verify_all(paths, opened):
        counts[each.outcome] += 1
        status = worst_status(status, OUTCOMES[each.outcome])
        if each.outcome == INVALID:
            say(str(each.fault))
        if as_json:
            print(json.dumps(verified_record(each, checker), ensure_ascii=False))
        elif each.outcome != INVALID and explain:
            print(explained(each, described))
        elif each.outcome != INVALID:
            print(verified(each) if alone else verified_line(each))
    if not alone:
        hold = f"{counts[HOLDS]} {'holds' if counts[HOLDS] == 1 else 'hold'}, {counts[REFUSED]} refused"
        others = "".join(f", {counts[name]} {name}" for name in (UNDECIDED, INVALID) if counts[name])
        say(f"{plural(counts.total(), 'certificate')}: {hold}{others}")
    if counts.total() > counts[INVALID]:
        python = sys.version.split()[0]
        say(f"relied on satdoku {__version__} (reader, referee, formula) and {described}, on Python {python}")
    raise typer.Exit(status)


def _folders(names: list[str]) -> list[Path]:
    """The paths, and for a folder of certificates each of these."""
    from satdoku.proofs.certificate import MANIFEST

    folders: list[Path] = []
    for name in names:
        if not name:
            raise InputError("'': no such folder or file of certificates")
        path = Path(name)
        inner: list[Path] = []
        with suppress(OSError):  # what cannot be read gets its message when it is verified
            if path.is_dir() and not lexists(path / MANIFEST):
                inner = sorted(one for one in path.iterdir() if one.is_dir())
        folders += inner or [path]
    return folders
