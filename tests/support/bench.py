"""Made-up records of searches, for tests of statistics and reports."""

from __future__ import annotations

from typing import Any

from satdoku.bench.raw import BenchOutcome, BenchSession, Header, Machine, MeasuredSearch, Raw, Rules, Setup, Work


def search(seconds: float | None, **changes: Any) -> MeasuredSearch:
    """A search that took so long; None if it was cut."""
    values: dict[str, Any] = {
        "backend": "a",
        "encoding": None,
        "rules": Rules.WARM,
        "work": Work.UNIQUE,
        "timeout": 10.0,
        "source": "set.txt",
        "line": 1,
        "index": 0,
        "digest": "d",
        "size": 9,
        "box": "3x3",
        "givens": 27,
        "holes": 2 / 3,
        "repeat": 0,
        "seed": 0,
        "shuffle": "all",
        "outcome": BenchOutcome.TIMEOUT if seconds is None else BenchOutcome.SOLVED,
        "verdict": "undecided" if seconds is None else "unique",
        "count": 0 if seconds is None else 1,
        "exact": seconds is not None,
        "solution_digest": None if seconds is None else "s",
        "encode_wall": None,
        "encode_cpu": None,
        "search_wall": 10.1 if seconds is None else seconds,
        "search_cpu": None if seconds is None else seconds / 2,
        "peak_bytes": 50_000_000,
        "statistics": {},
        "killed": seconds is None,
        "fault": None,
    }
    return MeasuredSearch(**values | changes)


def puzzles(times: list[float | None], **changes: Any) -> list[MeasuredSearch]:
    """A search for each puzzle."""
    return [
        search(time, index=index, digest=f"d{index}", line=index + 1, **changes) for index, time in enumerate(times)
    ]


def held(*searches: MeasuredSearch, path: str = "raw.jsonl", limit: int | None = None) -> Raw:
    contenders = list(dict.fromkeys(one.contender for one in searches))
    plan = Header(
        contenders=tuple(contenders),
        puzzles=len(searches),
        work=Work.UNIQUE,
        limit=limit,
        rules=Rules.WARM,
        timeout=10.0,
        repeats=1,
        seed=0,
        key="k",
    )
    machine = Machine(processor="P <one>", cores=4, memory=8_000_000_000, system="S")
    session = BenchSession(command="satdoku bench run", started="2026", load=0.5, machine=machine, versions={"v": "1"})
    setups = tuple(
        Setup(
            backend=name.split()[0], encoding=None, start_wall=0.2, start_cpu=0.1, warm_up_wall=0.05, warm_up_cpu=0.05
        )
        for name in contenders
    )
    return Raw(path=path, plan=plan, sessions=(session,), setups=setups, searches=searches)
