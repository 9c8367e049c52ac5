"""What a run of very many puzzles takes on machines that may be lost: `python benchmarks/plan.py --puzzles 1e12`.

The puzzles lie in shards of equal size, which machines take one after the other (`satdoku check --shards URL`).
Machines are lost at random moments, at a rate that does not depend on their age, and another one takes the place of
each some minutes later. What a lost machine has done of its shard is lost, since its journal is on it. The simulation
says how long the whole takes, what it costs, and how much is done twice; the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import heapq
import math
from collections import deque
from dataclasses import dataclass
from random import Random

HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    puzzles: float  # how many in all
    shard: float  # how many in a shard
    machines: int
    rate: float  # puzzles a second and machine, from the file to the output
    start: float  # seconds that a shard takes beyond its puzzles: start of the process, fetching, copying
    lost: float  # how often an hour a machine is lost
    replaced: float  # seconds until another one takes the place of a lost one


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    seconds: float  # until the last shard is complete
    busy: float  # machine seconds of work
    wasted: float  # machine seconds of work that was lost
    losses: int  # of machines that had a shard


def simulated(plan: Plan, seed: int) -> Run:
    """One run: each machine takes the next shard; a lost machine's shard is taken again, before those not begun."""
    random = Random(seed)
    waiting = math.ceil(plan.puzzles / plan.shard)
    length = plan.start + plan.shard / plan.rate
    last = plan.start + (plan.puzzles - (waiting - 1) * plan.shard) / plan.rate
    shards = deque([length] * (waiting - 1) + [last])
    free = [(0.0, number) for number in range(plan.machines)]
    heapq.heapify(free)
    lost_at = [_next_loss(plan, random) for _ in range(plan.machines)]
    again: list[tuple[float, float]] = []  # when a lost shard can be taken again, and how long it takes
    end = busy = wasted = 0.0
    losses = 0
    while shards or again:
        now, number = heapq.heappop(free)
        while lost_at[number] <= now:  # lost while it had nothing to do
            now = max(now, lost_at[number] + plan.replaced)
            lost_at[number] = now + _next_loss(plan, random)
        if again and (again[0][0] <= now or not shards):
            ready, seconds = heapq.heappop(again)
            now = max(now, ready)
        else:
            seconds = shards.popleft()
        if now + seconds <= lost_at[number]:
            busy += seconds
            end = max(end, now + seconds)
            heapq.heappush(free, (now + seconds, number))
            continue
        losses += 1
        wasted += max(0.0, lost_at[number] - now)
        busy += max(0.0, lost_at[number] - now)
        heapq.heappush(again, (lost_at[number], seconds))
        back = lost_at[number] + plan.replaced
        lost_at[number] = back + _next_loss(plan, random)
        heapq.heappush(free, (back, number))
    return Run(seconds=end, busy=busy, wasted=wasted, losses=losses)


def _next_loss(plan: Plan, random: Random) -> float:
    return random.expovariate(plan.lost / HOUR) if plan.lost else math.inf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=float, default=1e12)
    parser.add_argument("--machines", type=int, default=100)
    parser.add_argument("--rate", type=float, default=6e5, help="puzzles a second and machine")
    parser.add_argument("--start", type=float, default=5.0, help="seconds a shard beyond its puzzles")
    parser.add_argument("--lost", type=float, default=0.05, help="losses an hour and machine")
    parser.add_argument("--replaced", type=float, default=300.0, help="seconds until a lost machine is replaced")
    parser.add_argument("--price", type=float, default=0.05, help="of an hour of a machine")
    parser.add_argument("--shards", type=float, nargs="+", default=[1e6, 1e7, 1e8, 1e9, 1e10])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("shard size | shards | hours | machine hours | done twice | machines lost | cost")
    print("---|---|---|---|---|---|---")
    for shard in given.shards:
        plan = Plan(
            puzzles=given.puzzles,
            shard=min(shard, given.puzzles),
            machines=given.machines,
            rate=given.rate,
            start=given.start,
            lost=given.lost,
            replaced=given.replaced,
        )
        run = simulated(plan, given.seed)
        hours, cost = run.busy / HOUR, given.price * given.machines * run.seconds / HOUR
        print(
            f"{shard:.0e} | {math.ceil(given.puzzles / shard)} | {run.seconds / HOUR:.2f} | {hours:.1f} |"
            f" {run.wasted / run.busy:.2%} | {run.losses} | {cost:.0f}"
        )


if __name__ == "__main__":
    main()
