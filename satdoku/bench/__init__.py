"""The benchmark: backends x encodings x puzzle sets, measured one search at a time, each in a process of its own.

plan.py       what will be run, and in which order
shuffle.py    the same puzzle in another layout
worker.py     one contender in its own process; usage.py reads its clocks and its memory
harness.py    the other side: asks the workers in turn, process.py kills what overshoots
raw.py        records as JSON lines, and how a run resumes; agreement.py whether they can all be right
running.py    a plan while it is measured, and where
statistics.py, report.py, plots.py, folder.py   what the records show
instances.py  puzzles made for measuring, at the phase transition
"""
