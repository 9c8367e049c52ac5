"""Processes: interpreters that answer, pools of them, and programs that are run to their end.

All are killed with everything that they have started, and none outlives the process that it works for, however that one
ends: on Linux the system kills them, where a solver may keep Python from noticing; elsewhere a thread watches.
"""

from __future__ import annotations

import atexit
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from threading import Thread, current_thread, main_thread
from time import sleep
from typing import TYPE_CHECKING, Any

from satdoku.errors import BackendError
from satdoku.system.clock import Deadline

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor
    from types import FrameType

    import psutil

LOOK_AT_FILES = 0.05  # seconds between two looks at how large the files of a program are
MAX_FOLDER = 70  # bytes of the name of the temporary folder in which a fork server's socket still has room for its own
MAX_LINES = 3  # lines of a program's output that an error shows

LOOK_FOR_PARENT = 1.0  # seconds between two looks at whether the parent is still there
PR_SET_PDEATHSIG = 1  # of Linux's prctl: the signal that comes when the thread that started this process is gone

TMPDIR = "TMPDIR"  # the variable that tells programs where their temporary files go, and so marks those that we started


def python(code: str, variables: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[bytes]:
    """Another interpreter with the import path of this one, which ends with this process.

    Its session is its own, as Ctrl-C is for the parent.
    """
    path = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    environment = os.environ | {"PYTHONPATH": path} | dict(variables or {})
    code = f"from {__name__} import end_with_parent; end_with_parent({os.getpid()}); {code}"
    command = [sys.executable, "-c", code]

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, env=environment, start_new_session=True, **options)

    starting = _starter(os.getpid()).submit(start)
    try:
        return starting.result()
    except BaseException:
        starting.add_done_callback(_kill_started)  # an interrupt came while it was being started
        raise


@cache
def _starter(process: int) -> ThreadPoolExecutor:
    """The thread of this process that starts others. Linux kills what a thread has started when that thread ends."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1, "satdoku-starter")


def _kill_started(starting: Future[subprocess.Popen[bytes]]) -> None:
    if not starting.cancelled() and starting.exception() is None:
        starting.result().kill()


def context(*preloaded: str) -> Any:
    """How worker processes are started, with these modules imported: never forked from this process.

    Solvers have threads, and their locks would be copied locked.
    """
    import multiprocessing

    if not hasattr(os, "fork") or len(os.fsencode(tempfile.gettempdir())) >= MAX_FOLDER:
        return multiprocessing.get_context("spawn")
    made: Any = multiprocessing.get_context("forkserver")
    if preloaded:
        made.set_forkserver_preload(list(preloaded))
    atexit.register(_stop_fork_server)
    _start_fork_server()
    return made


def _start_fork_server() -> None:
    """Start it with Ctrl-C blocked, for itself and the workers, which a terminal sends it to as well.

    While they import they would print a traceback; here it comes a moment later.
    """
    from multiprocessing import forkserver, resource_tracker

    with suppress(OSError):  # whoever starts a worker gets the error
        resource_tracker.ensure_running()  # the fork server's start starts it too, and then Ctrl-C is not blocked
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            forkserver.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def fork_server() -> int | None:
    """The number of the process that starts workers, which nothing public says; None if there is none."""
    from multiprocessing import forkserver

    number: int | None = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_pid", None)
    return number


def ended(number: int) -> bool:
    """Whether a process has ended, be it that nobody has asked for its status yet."""
    import psutil

    try:
        return psutil.Process(number).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _stop_fork_server() -> None:
    """One that is still importing when a short run ends would outlive it for a second."""
    number = fork_server()
    if number is not None:
        with suppress(ChildProcessError):  # it has ended
            if os.waitpid(number, os.WNOHANG)[0] == 0:
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)


def pool(workers: int, begin: Callable[..., None], *arguments: Any, context: Any) -> Any:
    """A pool of pebble, whose workers begin with a call and end with this process."""
    from pebble import ProcessPool

    return ProcessPool(workers, initializer=_begin, initargs=(begin, arguments), context=context)


def start(pool: Any) -> bool:
    """Start the workers of a pool, and say whether it is active. Ctrl-C comes when they are known, a second at once.

    Raises OSError, EOFError or BrokenProcessPool if no process can be started.
    """
    with _interrupt_held():
        return bool(pool.active)


@contextmanager
def _interrupt_held() -> Iterator[None]:
    """Hold Ctrl-C back: in the middle of its start a process runs that nobody knows, and would end with a traceback.

    To block the signal does not do it, as another thread may take it.
    """
    came = False
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield
        return

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            before(number, frame)
        came = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


def _begin(begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    end_with_parent()
    begin(*arguments)


def end_with_parent(parent: int | None = None) -> None:
    """Have this process, and what it has started, killed once the one that it works for is gone.

    parent: the number of that process, if it has started this one itself; else `multiprocessing` knows it
    """
    import ctypes
    import multiprocessing

    if parent is None:
        works_for = multiprocessing.parent_process()
        assert works_for is not None, "this is not a worker process"
        gone: Callable[[], object] = works_for.join
    else:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        gone = partial(_until_orphaned, parent)
    Thread(target=_end_after, args=(gone,), daemon=True).start()


def _until_orphaned(parent: int) -> None:
    while os.getppid() == parent:
        sleep(LOOK_FOR_PARENT)


def _end_after(gone: Callable[[], object]) -> None:
    import psutil

    gone()
    with suppress(psutil.Error):
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                child.kill()
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


_IF_PARENT_IS_THERE = '[ "$PPID" -eq "$0" ] && exec "$@"'  # for a shell, which reads $PPID when it begins

_END_WITH_PARENT = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, {int(getattr(signal, "SIGKILL", signal.SIGTERM))})
os.getppid() == int(sys.argv[1]) or os.abort()
os.execvp(sys.argv[2], sys.argv[2:])
"""


@cache
def _ending_with(parent: int) -> tuple[str, ...]:
    """What goes before a command that is not ours, so that Linux kills it when the process `parent` is gone.

    Linux does so only if that process is there at the time of the call, so this is checked afterwards.
    """
    if sys.platform != "linux":
        return ()
    setpriv, shell = shutil.which("setpriv"), shutil.which("sh")  # 2 ms, where an interpreter takes 15
    if setpriv is not None and shell is not None:
        return (setpriv, "--pdeathsig", "KILL", "--", shell, "-c", _IF_PARENT_IS_THERE, str(parent))
    return (sys.executable, "-I", "-S", "-c", _END_WITH_PARENT, str(parent))


def run(
    command: Sequence[str], folder: Path, output: Path, errors: Path, deadline: Deadline, most: Mapping[Path, int]
) -> int | None:
    """The exit status of a program, negative if a signal ended it; None if the deadline did.

    Its temporary files go below `folder`, its output to two files, as a pipe that nobody reads would block it. Its
    process group is gone when this returns; `kill_below` finds what it left in another session. Raises OSError if it
    cannot be started, BackendError if a file comes to have more than `most` bytes.
    """
    if deadline.passed():
        return None
    # Made before it is started: an interrupt in the middle of starting it must find its number too.
    process: subprocess.Popen[bytes] = subprocess.Popen.__new__(subprocess.Popen)
    ended = False
    try:
        with output.open("wb") as out, errors.open("wb") as err:
            subprocess.Popen.__init__(
                process,
                (*_ending_with(os.getpid()), *command),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=os.environ | {TMPDIR: str(folder)},
                start_new_session=True,  # a group of its own to kill; and Ctrl-C is for the parent
            )
        while not (ended or deadline.passed() or _too_long(most)):
            left = deadline.left()
            ended = _ends(process, LOOK_AT_FILES if left is None else min(LOOK_AT_FILES, left))
    finally:
        if getattr(process, "pid", None):
            (_kill_group if ended else kill_tree)(process.pid)
            process.wait()
    long = _too_long(most)
    if long is not None:
        raise BackendError(f"{command[0]} wrote over {most[long]} bytes to its file {long.name!r}, which is the limit")
    return None if process.returncode < 0 and deadline.passed() else process.returncode


def _too_long(most: Mapping[Path, int]) -> Path | None:
    return next((file for file, limit in most.items() if file.exists() and file.stat().st_size > limit), None)


_unwaited: list[float] = []  # seconds of processor time of each process that was killed with its parent


def unwaited_seconds() -> float:
    """Processor time of processes that this one has killed, by `kill_tree`, with the parent that would wait for them.

    The system adds the time of a process to that of its parent's ended children only if the parent waits for it.
    """
    return sum(_unwaited)


def kill_tree(pid: int) -> None:
    """Kill a process, all it has started in whatever session, and its group; what lost its parent: see `kill_below`."""
    import psutil

    tree: list[psutil.Process] = []
    with suppress(psutil.Error):
        fresh = [root := psutil.Process(pid)]
        while fresh:
            # Stopped before children are listed: they can then neither start others nor lose their parent.
            for process in fresh:
                with suppress(psutil.Error):
                    process.suspend()
            tree += fresh
            fresh = [child for child in root.children(recursive=True) if child not in tree]
    for process in tree[1:]:
        with suppress(psutil.Error):
            _unwaited.append(sum(process.cpu_times()[:4]))  # its own, and that of its ended children
    for process in tree:
        with suppress(psutil.Error):
            process.kill()
    _kill_group(pid)


def below(folder: Path) -> Iterator[tuple[psutil.Process, str]]:
    """Processes, where seen, whose temporary files go to a folder below `folder`, and the name that follows it."""
    import psutil

    beginning = f"{folder}{os.sep}"
    for process in psutil.process_iter():
        try:
            own = process.environ().get(TMPDIR, "")
        except (psutil.Error, OSError):
            continue
        if f"{own}{os.sep}".startswith(beginning):
            yield process, own[len(beginning) :].partition(os.sep)[0]


def kill_below(folder: Path) -> None:
    """Kill every process whose temporary files go to `folder` or below, in whatever session, parent or not."""
    import psutil

    for process, _ in below(folder):
        with suppress(psutil.Error):
            process.kill()


def last_message(*files: Path) -> str:
    for file in files:
        if file.exists():
            with file.open("rb") as stream:
                stream.seek(-min(10_000, file.stat().st_size), os.SEEK_END)
                text = stream.read().decode("utf-8", "replace")
            lines = [line.strip()[:200] for line in text.splitlines() if line.strip()]
            if lines:
                return ": " + " / ".join(lines[-MAX_LINES:])
    return ""


def _kill_group(pid: int) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # all gone; some systems call a zombie forbidden
            os.killpg(pid, signal.SIGKILL)


def _ends(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether it ends in so many seconds. Where the system can, it stays unreaped, so that its number stays its own."""
    try:
        watched = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # not Linux, or one before 5.3
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode is not None
    try:
        poll = select.poll()
        poll.register(watched, select.POLLIN)
        return bool(poll.poll(1000 * seconds))
    finally:
        os.close(watched)
