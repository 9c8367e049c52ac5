"""Compiled searches; a kernel keeps its state in arrays of the caller, which calls it again after some nodes."""
