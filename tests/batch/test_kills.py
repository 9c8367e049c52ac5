"""A run of which anything is killed at any moment: what is written in the end is what an undisturbed run writes."""

from __future__ import annotations

from collections import Counter

import pytest
from support.attacks.kills import FORMS, tried


def test_what_is_killed_costs_no_line_and_doubles_none() -> None:
    done, fault = tried(0, 2)
    assert fault is None, done


@pytest.mark.slow
@pytest.mark.parametrize("form", range(len(FORMS)))
def test_every_output_survives_many_kills(form: int, capsys: pytest.CaptureFixture[str]) -> None:
    killed: Counter[str] = Counter()
    number = form
    while killed.total() < 8:
        done, fault = tried(number, 4, 3000)
        assert fault is None, (number, done)
        killed += done
        number += len(FORMS)
        assert number < 200 * len(FORMS), f"only {dict(killed)} killed"
    with capsys.disabled():
        print(f"\n{FORMS[form]}: {dict(killed)} killed, no line lost or doubled")
