"""What lower parts of the package call of higher ones, which enter it here."""

from collections.abc import Callable
from typing import Any

VIEWS: dict[str, Callable[[Any], str | None]] = {}
"""How a puzzle is shown, as "summary", "grid" and "svg". The package enters the functions when it is imported: drawing
needs formats and pictures, which import the module of puzzles."""
