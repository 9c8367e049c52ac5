"""The backends that tests run, and which of them are slow."""

from __future__ import annotations

from satdoku import backends
from satdoku.backends import dimacs

SLOW = frozenset({"kissat404", "lingeling", "cryptosat", "maplecm", "exact", *dimacs.on_path()})
"""Backends that take long: to start a process for each board or solve, or over many blocking clauses (maplecm).
Tests give them fewer boards."""


def installed() -> list[str]:
    """Every backend that runs here, and the forms of those that take an argument."""
    return [*backends.installed(), "backtrack:row"]
