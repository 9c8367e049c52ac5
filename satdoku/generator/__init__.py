"""New puzzles: grids at random, clues taken away, many at a time.

`recipe` says what is asked for, `grids` draws full grids, `clues` takes clues away or fits them to given places,
`pattern` reads places, `work` makes many puzzles together and tells how much search one takes.
"""
