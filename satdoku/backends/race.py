"""`race:A,B,...`: a policy of one stage, whose engines are asked at once."""

from satdoku.backends import Backend, Engine
from satdoku.backends.schedule import at_once
from satdoku.backends.scheduled import Scheduled
from satdoku.errors import InputError


def _open(argument: str | None, encoding: str | None) -> Backend:
    names = [name.strip() for name in (argument or "").split(",") if name.strip()]
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise InputError("backend race: expected two backends or more, such as race:native,glucose4,cpsat")
    if any(name.partition(":")[0] == "race" for name in names):
        raise InputError("backend race: a race has no race in it")
    policy = (at_once(*names),)
    scheduled = Scheduled(lambda question, board: policy, encoding, f"race:{names[0]}")
    scheduled.race(names)  # which refuses what is not here
    return scheduled


ENGINES = (
    Engine(
        name="race",
        summary="several engines at once, each in a process of its own; the first to decide wins",
        open=_open,
        encodes=True,
        argument="the backends, with commas between",
        forms=lambda: (),
        abilities=("several engines at once, each in a process of its own, until one decides", "killed at the timeout"),
    ),
)
