"""What processes of tests do. They are in a module of `support`, which a process that is started can import."""

from __future__ import annotations

import subprocess
import sys
from multiprocessing.connection import Connection

SLEEP = "import time; time.sleep(600)"


def echo(connection: Connection) -> None:
    while True:
        connection.send(connection.recv())


def prints(connection: Connection) -> None:
    connection.recv()
    print("one line to standard output")
    print("the last to standard error", file=sys.stderr)
    sys.stdout.flush()
    sys.exit(7)


def silent(connection: Connection) -> None:
    """Starts another process, says its number, and no more."""
    connection.send(subprocess.Popen([sys.executable, "-c", SLEEP]).pid)
    connection.recv()
    connection.recv()


def large(connection: Connection) -> None:
    kept = bytearray(300_000_000)
    kept[::4096] = b"1" * len(kept[::4096])
    connection.recv()


def dies_at_once(connection: Connection) -> None:
    sys.exit("out of luck")


def dies_when_asked(connection: Connection) -> None:
    connection.recv()
    connection.recv()
    sys.exit("out of luck")
