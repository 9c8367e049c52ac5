"""Puzzles as pictures: SVG, PNG and PDF, one or several on a page. `picture` says what is drawn, `layout` where on
which page, `canvas` draws it by matplotlib. The same puzzle gives the same bytes."""

from satdoku.pictures.canvas import document, format_of, image
from satdoku.pictures.layout import Page, Sheet, alone, paged
from satdoku.pictures.picture import Picture

__all__ = ["Page", "Picture", "Sheet", "alone", "document", "format_of", "image", "paged"]
