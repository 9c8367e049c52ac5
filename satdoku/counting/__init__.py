"""How many solutions a puzzle has, where enumeration would not end; nothing here prints.

| module | what |
|---|---|
| `exact` | `plan` and `count`: exact counts of classic boards up to 9x9 by sums, in threads |
| `nine`, `two` | the sums for boxes of 3x3 and of two rows, with their derivations |
| `values` | `per_value`: the exact number of solutions with each value in each cell |
| `estimates` | `estimate`: unbiased, with an interval, for any AllDifferents |
| `draws` | `Drawer`: solutions of a 9x9 puzzle exactly uniformly at random |
| `templates` | `count`: a second way to count 9x9 puzzles; `second` chooses among such ways |

Importing one of them imports numba; importing this does not.
"""
