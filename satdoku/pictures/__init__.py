"""Puzzles as pictures: SVG, PNG and PDF, one or several on a page. `picture` says what is drawn, `layout` where on
which page, `canvas` draws it by matplotlib. The same puzzle gives the same bytes."""

from satdoku.pictures.canvas import document as document
from satdoku.pictures.canvas import format_of as format_of
from satdoku.pictures.canvas import image as image
from satdoku.pictures.layout import Page as Page
from satdoku.pictures.layout import Sheet as Sheet
from satdoku.pictures.layout import alone as alone
from satdoku.pictures.layout import paged as paged
from satdoku.pictures.picture import Picture as Picture
