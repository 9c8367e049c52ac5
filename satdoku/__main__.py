"""`python -m satdoku`, and the command itself."""

import gc
import signal
import sys
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
        came = came or isinstance(error, KeyboardInterrupt)  # before there was a handler
        if came:  # Python waits for children when it ends, and nobody may have known of one yet
            from multiprocessing import active_children

            for child in active_children():
                child.kill()
        if not came or (isinstance(error, SystemExit) and error.code == INTERRUPTED):
            raise
        from satdoku.terminal.messages import say_interrupted

        sys.exit(say_interrupted())


if __name__ == "__main__":
    main()
