"""A compiled search over propagators for all four constraints, for boards that are more than AllDifferents.

| file | propagates | takes |
|---|---|---|
| `domains` | peers of fixed cells | AllDifferent |
| | hidden singles; the law of leftovers | AllDifferent of as many cells as values; two that share cells |
| | pairs of values | Table and Linear over two cells |
| `linear`, `combinations` | sums of groups; combinations of few open cells | any other Linear |
| `family` | sets of values | cliques of one relation; Linear over peers, with more than nine values |
| `automaton` | words | Automaton, and any other Table as an automaton |

`scoped` runs those that look at their own cells alone. `lower` makes the records of all from a board (`geometry` and
`pairs` help), `program` is what it makes, `search` runs it and `branching` says where to go on. A propagator
is a function of its record and the candidates; it keeps nothing between calls.
"""
