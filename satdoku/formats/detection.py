"""How the texts of a format are recognized."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from enum import Enum, IntEnum


class Confidence(IntEnum):
    """How sure a text is to be of a format that it fits."""

    POSSIBLE = 1  # nearly any text may be
    LIKELY = 2  # it has a shape that few others have
    CERTAIN = 3  # it says so itself, by an address or a head: other formats are not tried


class View(Enum):
    """How much of a text a format looks at and reads."""

    ALL = "all of it"
    TIDY = "what is left without the marks of forums and mail"
    CELLS = "the same without lines of words"


@dataclass(frozen=True, slots=True)
class Detection:
    """How texts of a format are recognized."""

    fits: Callable[[str], bool] = lambda text: False  # whether a text looks so; quick, never raises, may be wrong
    text: str = ""  # the same for people
    near: str | None = None  # matches the beginning of texts that are nearly so: the reader says where they depart
    _: KW_ONLY
    confidence: Confidence = Confidence.LIKELY  # how sure it is then
    view: View = View.TIDY
