"""Compiled searches; a kernel keeps its state in arrays of the caller, which calls it again after some nodes."""

from collections.abc import Callable

WATCHERS: list[Callable[[], object]] = []  # called once, when code is about to be compiled that was not kept
