"""New puzzles: grids at random, clues taken away, many at a time.

`recipe` says what is asked for, `pattern` reads places, `grids` draws grids, `clues` takes clues away, `work` does all.
"""
