"""What tries to break satdoku, for as long as there is time.

    python benchmarks/attack.py texts|kills|interrupts|forgeries [--seconds 60] [--seed 0] [--tries N]

texts:      random and crafted texts, links packed again and links that unpack to a lot are read
kills:      a process of a run with several kinds of output is killed; the run is resumed, and compared with another
interrupts: Ctrl-C is typed at a terminal at a random moment of each command
forgeries:  certificates that were changed, made up or blown up are verified

What is tried belongs to a number; they count up from the seed until the time is up. Each fault is printed with the
command that tries it again; kills and interrupts come at moments of a clock, and may need several tries. The last
line says how many were tried. The exit status is 1 if there were faults.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from time import monotonic, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

ATTACKS = {"texts": "texts", "kills": "kills", "interrupts": "terminal", "forgeries": "forgeries"}
"""The module of each, in tests/support/attacks."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("--seconds", type=float, default=60.0, help="after which nothing new is tried")
    parser.add_argument("--seed", type=int, default=0, help="the first number")
    parser.add_argument("--tries", type=int, help="how many are tried at most")
    asked = parser.parse_args()
    attempt = import_module(f"support.attacks.{ATTACKS[asked.attack]}").attempt
    end, number, faults = monotonic() + asked.seconds, asked.seed, 0
    while monotonic() < end and (asked.tries is None or number - asked.seed < asked.tries):
        fault = attempt(number)
        if fault is not None:
            faults += 1
            print(f"{number}: {fault}")
            print(f"again: python benchmarks/attack.py {asked.attack} --seed {number} --tries 1", flush=True)
        number += 1
    tried, seconds = number - asked.seed, f"{process_time():.0f} s of CPU time in this process"
    print(f"{asked.attack}: {tried} tried from seed {asked.seed}, {faults} faults; {seconds}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
