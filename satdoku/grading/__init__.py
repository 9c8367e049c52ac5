"""How good an answer to a puzzle is: the grid that a text states, and its grade."""
