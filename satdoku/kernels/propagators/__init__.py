"""A compiled search over propagators for all four constraints, for boards that are more than AllDifferents.

`domains` has peers, hidden singles, the law of leftovers, and relations: Table and Linear over two cells. `linear`,
`combinations`, `family` and `automaton` (any other Table, too) strike from their own cells, and `scoped` runs them.
`lower` makes the `records` of all from a board (`pairs` helps), `program` is what it makes, `search` runs
it and `branching` says where to go on. A propagator is a function of its record and the candidates.
"""
