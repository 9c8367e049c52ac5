"""Links are decompressed as the library does it, but no further than a bound."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lzstring import LZString

from satdoku import FormatError, read, write
from satdoku.formats import links as lz
from satdoku.formats.links import decompress


@settings(max_examples=300, derandomize=True, database=None, deadline=None)
@given(st.text(min_size=1, max_size=400) | st.text("ab", min_size=1, max_size=2000) | st.text("R12C[]{,}", min_size=1))
@example("a")
@example("aaaa")
@example('{"size":9,"title":"日本 é"}' * 40)
def test_a_text_comes_back(text: str) -> None:
    if all(ord(character) < 0x10000 for character in text):  # the library packs no pairs of surrogates
        assert decompress(LZString.compressToBase64(text)) == text


def test_a_text_beyond_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lz, "MAX_PUZZLE", 100_000)
    assert decompress(LZString.compressToBase64("a" * 100_000)) == "a" * 100_000
    packed = LZString.compressToBase64("a" * 100_001)
    assert len(packed) < 1_000
    for reader in (decompress, lambda text: read(f"https://www.f-puzzles.com/?load={text}")):
        with pytest.raises(FormatError, match="more than 100000 characters"):
            reader(packed)


def test_a_link_that_mail_has_wrapped_is_read_and_words_behind_it_are_named() -> None:
    link = write(read("13....3131...213"), "f-puzzles")
    assert read(f"{link[:60]}\n{link[60:100]}\n{link[100:]}") == read(link)
    with pytest.raises(FormatError, match="no LZ-string data"):
        read(f"{link}\nmore")
    with pytest.raises(FormatError, match="'a comment' follows the link"):
        read(f"{link}\na comment")


@pytest.mark.parametrize("packed", ["", "=", "A", "!", "%%%", "BIUwNmD2", "////////", "Q==="])
def test_what_is_not_such_data_is_refused(packed: str) -> None:
    with pytest.raises(FormatError, match=r"LZ-string data|ends early"):
        decompress(packed)
