"""Techniques that people solve by: a grid of candidates, steps on it, and in `families/` the techniques themselves.

`registry` knows every technique by its name and the orders in which they are tried, `ladder` solves by them.
"""
