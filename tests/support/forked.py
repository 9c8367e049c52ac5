"""The command as a shell function that costs no start of Python: a server that has it imported forks for each call."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import satdoku

TESTS = Path(__file__).parents[1]

CLIENT = """
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    socket.send_fds(server, [b" "], [0, 1, 2])
    server.sendall(json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode())
    server.shutdown(socket.SHUT_WR)
    sys.exit(int(server.recv(8) or b"1"))
"""


@contextmanager
def shell_function(folder: Path) -> Iterator[str]:
    """The definition of `satdoku` for bash, as long as the server runs; its socket is in `folder`."""
    address = folder / "satdoku.socket"
    code = f"import sys; sys.path.insert(0, {str(TESTS)!r}); from support.forked import serve; serve({str(address)!r})"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        call = shlex.join([sys.executable, "-IS", "-c", CLIENT, str(address)])
        try:
            yield f'satdoku() {{ {call} "$@"; }}'
        finally:
            server.kill()


def serve(address: str) -> None:
    """Fork for each call that comes in at a Unix socket, and answer with the exit status.

    What a command needs compiled is loaded before its first call, so that each fork of it has that.
    """
    import satdoku.cli  # noqa: F401  each fork has it

    _warm_check()
    waiting = {"certify": _warm_proofs, "verify": _warm_proofs, "generate": _warm_grids, "dedupe": _warm_forms}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(8)
        os.write(1, b"ready\n")
        while True:
            caller, _ = listener.accept()
            _, handles, _, _ = socket.recv_fds(caller, 1, 3)
            with caller.makefile("rb") as stream:
                arguments, folder, environment = json.loads(stream.read())
            warm = waiting.pop(arguments[0], None)
            if warm is not None:
                warm()
            if os.fork() == 0:
                listener.close()
                return _answer(caller, handles, arguments, folder, environment)
            for handle in handles:
                os.close(handle)
            caller.close()


def _warm_check() -> None:
    satdoku.check("." * 81)
    satdoku.check("1" + "." * 15)


def _warm_proofs() -> None:
    certificate = satdoku.certify("1234341221434...")
    assert certificate is not None
    list(satdoku.verify(certificate))


def _warm_grids() -> None:
    for board in (satdoku.classic(3, 3), satdoku.classic(2, 3)):
        list(satdoku.generate(board, seed=1))


def _warm_forms() -> None:
    satdoku.canonical("1234341221434...")


def _answer(
    caller: socket.socket, handles: Sequence[int], arguments: list[str], folder: str, environment: dict[str, str]
) -> None:
    """Run the command in a process of its own, so that whatever ends it has a status."""
    child = os.fork()
    if child:
        for handle in handles:
            os.close(handle)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        caller.sendall(str(code if code >= 0 else 128 - code).encode())
        os._exit(0)
    caller.close()
    for target, handle in enumerate(handles):
        os.dup2(handle, target)
        os.close(handle)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode, closefd=False) for number, mode in enumerate("rww"))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["satdoku", *arguments]
    from satdoku.cli import app

    app()
