"""docs/pictures.py draws what docs/pictures/ holds: the same shapes and the same text, whatever the bytes."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from defusedxml.ElementTree import parse
from support.cli import run

from satdoku.discovery import loaded
from satdoku.kernels.library import Library, load

DOCS = Path(__file__).parents[2] / "docs"
HREF = "{http://www.w3.org/1999/xlink}href"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pictures of terminals need a pty")


def content(file: Path) -> tuple[Counter[str], list[str]]:
    """How many elements of each kind a picture has, and its text: as such, or glyph after glyph."""
    elements = list(parse(file).getroot().iter())
    kinds = Counter(str(element.tag).rpartition("}")[2] for element in elements)
    glyphs = [href.rpartition("-")[2] for element in elements if (href := element.get(HREF))]
    return kinds, [element.text for element in elements if str(element.tag).endswith("}text")] + glyphs


def test_every_picture_of_the_documentation_is_made_by_the_script() -> None:
    made = {*loaded(str(DOCS / "pictures.py")).drawings(), "cactus"}
    assert {file.stem for file in (DOCS / "pictures").iterdir()} == made


@pytest.mark.parametrize("name", ["terminal", "killer", "sheet", "candidates", "conflict", "heat"])
def test_the_picture_shows_what_the_program_draws_now(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = tmp_path / f"{name}.svg"
    script = loaded(str(DOCS / "pictures.py"))
    monkeypatch.setattr(script, "run", lambda arguments: run(*arguments))  # in this process, which has matplotlib
    monkeypatch.chdir(DOCS.parent)
    draw = script.drawings()[name]
    if name == "terminal" and not isinstance(load(), Library):
        draw(fresh)  # the first time a terminal is notified that kernels are compiled
    draw(fresh)
    numbered = fresh if fresh.exists() else tmp_path / f"{name}-1.svg"
    kinds, text = content(numbered)
    assert (kinds, text) == content(DOCS / "pictures" / f"{name}.svg")
    assert text or kinds["path"] > 30  # a sentence is one path


def test_what_is_erased_is_not_in_the_picture() -> None:
    left_over = loaded(str(DOCS / "pictures.py")).left_over
    assert left_over("one\ntwo\n") == "one\ntwo\n"
    assert (
        left_over("one\n\x1b[2Kat 5%\nof all\x1b[2K\x1b[1A\x1b[2Kat 9%\nof all\n\x1b[1A\x1b[2K\x1b[1A\x1b[2K1115\n")
        == "one\n1115\n"
    )


def test_the_terminal_names_no_font_from_the_network() -> None:
    text = (DOCS / "pictures" / "terminal.svg").read_text("utf-8")
    assert "url(http" not in text.replace('"', "")
    assert "<text" in text


def test_the_cactus_plot_has_axes_and_a_legend() -> None:
    """Times are of one run, so lines are not compared."""
    elements = parse(DOCS / "pictures" / "cactus.svg").getroot().iter("{http://www.w3.org/2000/svg}g")
    names = {element.get("id") for element in elements}
    assert {"axes_1", "legend_1", "matplotlib.axis_1", "matplotlib.axis_2"} <= names
