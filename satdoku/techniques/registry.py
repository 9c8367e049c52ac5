"""Every technique by its name, and the orders in which they are tried."""

from functools import cache

from satdoku.discovery import NamedTable, offered
from satdoku.techniques.step import Technique

FAMILIES = "satdoku.techniques.families"


@cache
def techniques() -> NamedTable[Technique]:
    """All techniques; those of installed packages are asked for when a name is not found."""
    return NamedTable("technique", Technique, offered(FAMILIES, "TECHNIQUES", Technique), "satdoku.techniques")
