"""The benchmark: backends x encodings x puzzle sets, measured one search at a time, each in a process of its own.

`plan` says what is run, `running` has `worker` processes do it, `raw` keeps the records; `report`, `plots` and
`folder` show them. `instances` makes puzzles to measure on.
"""
