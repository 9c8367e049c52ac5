"""How many solutions a puzzle has, where enumeration would not end; importing this does not import numba."""
