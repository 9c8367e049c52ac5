"""The text of `satdoku/marks.pyi`; `PYTHONPATH=tests python -m support.stub` writes it anew."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import Parameter
from pathlib import Path
from textwrap import wrap

from satdoku.api.marks import named, signature_of
from satdoku.variants import Kind

FILE = Path(__file__).parents[2] / "satdoku" / "marks.pyi"

STUB_HEAD = '''"""Marks: what a setter draws on a grid. `tests/support/stub.py` writes this file."""

from collections.abc import Callable, Iterable

from satdoku.puzzle import Mark
from satdoku.variants import Kind

__all__: list[str]

Cell = str | tuple[int, int]
Cells = str | Iterable[Cell]

def of(kind: Kind) -> Callable[..., Mark]:
    """The function that makes marks of a kind of your own, which satdoku then knows until the process ends."""
'''


def stub() -> str:
    """The text of `satdoku/marks.pyi`."""
    parts = [STUB_HEAD]
    for name, kind in sorted(named()):
        parameters = ", ".join(_in_stub(kind))
        parts.append(f"def {name}({parameters}) -> Mark:\n{_in_quotes(kind.summary)}\n")
    return "\n".join(parts)


def _in_stub(kind: Kind) -> Iterator[str]:
    starred = False
    for parameter in signature_of(kind).parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        default = "" if parameter.default is Parameter.empty else " = ..."
        yield f"{parameter.name}: {parameter.annotation}{default}"


def _in_quotes(text: str) -> str:
    """A docstring of the stub."""
    lines = wrap(text, 110)
    lines[0] = f'"""{lines[0]}'
    lines = [f"    {line}" for line in lines]
    return "\n".join(lines) + ('"""' if len(lines) == 1 else '\n    """')


if __name__ == "__main__":
    FILE.write_text(stub(), "utf-8")
