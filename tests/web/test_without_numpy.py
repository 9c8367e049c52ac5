"""What the page asks about a puzzle is answered without numpy, which takes longer to import than most answers."""

from __future__ import annotations

import json
import subprocess
import sys

KILLER = {
    "rows": 4,
    "columns": 4,
    "marks": [
        {"kind": "boxes", "value": "2x2"},
        {"kind": "cage", "value": 4, "cells": ["r1c1", "r1c2"]},
        {"kind": "cage", "value": 7, "cells": ["r2c1", "r2c2", "r2c3"]},
    ],
}
BOXES = {"kind": "boxes", "value": "3x3"}
PLAIN = {"rows": 9, "columns": 9, "marks": [BOXES]}
ANTI_KNIGHT = {"marks": [BOXES, {"kind": "anti-knight"}]}
MANY = 2_000
CODE = """
import json, sys

sys.modules |= {"numpy": None, "ortools": None}  # neither can be imported, as if they were not installed
from satdoku.backends import engines
from satdoku.web import worker
from satdoku.web.answers import Tools

assert "cadical153" in engines().all()  # what is asked where the compiled search comes to no end
tools = Tools(60.0)
for question in (*worker.WARMING, *json.loads(sys.argv[1])):
    worker.JOBS["ask"](tools, json.dumps(question).encode(), lambda part: print(json.dumps(part)))
"""


def test_every_question_of_the_page() -> None:
    asked = [{"ask": ask, "puzzle": KILLER, "cell": "r1c1", "value": 4} for ask in ("live", "count", "why")]
    asked += [{"ask": "count", "puzzle": PLAIN | more, "limit": MANY} for more in ({}, ANTI_KNIGHT)]
    done = subprocess.run([sys.executable, "-c", CODE, json.dumps(asked)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    parts = [json.loads(line) for line in done.stdout.splitlines()]
    counts = [part["count"] for part in parts if part["part"] == "count" and part["exact"]]
    last = [part for part in parts if part["part"] == "count" and part["count"] == MANY]
    candidates = [part for part in parts if part["part"] == "candidates"]
    assert counts == [288, 24]
    assert ["note" in part for part in last] == [True, False]  # the other is a board that no sum counts
    assert candidates[-1]["cells"]["r1c1"] == [1, 3]
    assert {part["part"] for part in parts} >= {"conflict", "step", "why", "unique", "verdict"}
