"""`python -m satdoku`, and the command itself."""

import atexit
import gc
import os
import signal
import sys
from contextlib import suppress
from threading import Timer
from typing import Any, NoReturn

from satdoku.errors import INTERRUPTED

SOON = 0.01


def main() -> None:
    """Run the command. Ctrl-C ends it with INTERRUPTED, whatever Python or a library makes of it on the way."""
    gc.disable()  # until the command is imported: to look for garbage meanwhile takes 10 ms
    came = False
    hook = sys.unraisablehook

    def interrupt(number: int, frame: object) -> NoReturn:
        nonlocal came
        came = True
        raise KeyboardInterrupt

    def again(unraisable: Any) -> None:
        """One that comes where nothing can be raised, as in a `__del__`, comes once more."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            Timer(SOON, signal.raise_signal, [signal.SIGINT]).start()  # here it could not be raised either
        else:
            hook(unraisable)

    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupt)
            sys.unraisablehook = again
        from satdoku.cli import app

        app(prog_name="satdoku")
    except BaseException as error:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # on the way out nothing can take it
        if not came and not isinstance(error, KeyboardInterrupt):  # one came before there was a handler
            raise
        from satdoku.terminal.messages import say_interrupted

        handled = isinstance(error, SystemExit) and error.code == INTERRUPTED
        _end(INTERRUPTED if handled else say_interrupted())


def _end(status: int) -> NoReturn:
    """End at once, but for what is to be done at the end: Python waits for children of which nobody may have known yet,
    and libraries whose import was interrupted may abort while it clears up."""
    from multiprocessing import active_children

    for child in active_children():
        child.kill()
    atexit._run_exitfuncs()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
