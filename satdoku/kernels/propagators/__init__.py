"""A compiled search over propagators for all four constraints, for boards that are more than AllDifferents.

| file | propagates | takes |
|---|---|---|
| `domains` | peers of fixed cells | AllDifferent |
| `house` | hidden singles | AllDifferent of as many cells as values |
| `intersection` | the law of leftovers | two houses that share cells |
| `relation` | pairs of values | Table and Linear over two cells |
| `family` | sets of values | Linear over peers (cages), cliques of one relation |
| `linear` | sums of groups | any other Linear |
| `table` | tuples | any other Table |
| `automaton` | words | Automaton |

`lower` makes the records of these from a board (`geometry`, `pairs` and `sets` help), `program` is what it makes,
`search` runs it and `branching` says where to go on. A propagator is a function of its record and the candidates; it
keeps nothing between calls.
"""
