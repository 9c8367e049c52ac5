"""The credit that the short searches of one engine share."""

from __future__ import annotations

from satdoku.backends.schedule import Account, Credit, Stage, Turn, carry_out
from satdoku.system.clock import Deadline


def test_a_turn_comes_as_long_as_there_is_credit() -> None:
    """Searches in vain take from it, what the other engine does adds to it."""
    turn = Turn(("native",), 2, credit=Credit(longest=100, first=50, most=70, solution=30, begin=5))
    account, asked, conflicts = Account(Stage((turn,)), 10), list[tuple[str, int | None]](), iter((0, 10, 1_000))

    def attempt(name: str, work: int | None, until: Deadline) -> str | None:
        asked.append((name, work))
        while name == "native" and account.left > 0:
            account.book(account.search(0), gained=False)
        if name != "native":
            account.add(next(conflicts))
        return "decided" if work == 70 else None

    stages = (Stage((turn, Turn(("glucose4",)))),)
    assert carry_out(stages, lambda name: True, attempt, Deadline(None), account=account) == "decided"
    sat = ("glucose4", None)
    assert asked == [("native", 50), sat, sat, ("native", 10), sat, ("native", 70)]


def test_searches_longer_than_the_longest_are_not_begun() -> None:
    turn = Turn(("native",), 2, credit=Credit(longest=100, first=50, most=70, solution=30, begin=5))
    account = Account(Stage((Turn(("glucose4",)), turn)), 10)
    assert (account.search(0), account.search(1), account.left) == (20, 60, 50)
    account.book(60, gained=True)
    assert account.left == 70
    assert (account.search(2), account.left) == (0, 0)
    account.add(1_000)
    assert (account.search(0), account.left, account.closed) == (0, 0, True)


def test_a_turn_with_credit_that_nobody_takes_is_passed_over() -> None:
    turn = Turn(("native",), 2, credit=Credit(longest=100, first=50, most=70, solution=30, begin=5))
    takes, both, alone = {"native": False, "glucose4": True}, Stage((turn, Turn(("glucose4",)))), Stage((turn,))
    for stage, answer in ((both, "glucose4"), (alone, None)):
        account, attempt = Account(stage, 10), lambda name, work, until: name
        assert carry_out((stage,), takes.__getitem__, attempt, Deadline(None), account=account) == answer
