"""A second reading of f-puzzles and of the kinds of marks that setters use most.

It is written from the public definitions, and imports nothing of satdoku, except in `bridge.py`, which hands satdoku's
constraints and clauses over, and `comparing.py`, which compares. A cell is a number, row by row from 0; a value is a
number from 1.
"""
