"""New puzzles: grids at random, clues taken away, many at a time; `work` does all that a `Recipe` asks for."""
