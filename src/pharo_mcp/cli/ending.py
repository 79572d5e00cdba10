"""How commands end: quietly after a signal or with a closed pipe, and with a sentence after a bug."""

import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import StringIO
from types import FrameType

from pharo_mcp.app.settings import InvalidSettings
from pharo_mcp.standard_error import STANDARD_ERROR

STATUSES = (
    (0, "success; for a list, also if it is empty"),
    (1, "failure: standard error says why, and what to do next"),
    (2, "invalid usage: unknown options, commands, tools or values"),
    (70, "internal error: a bug in pharo-mcp"),
    (130, "interrupted by Ctrl-C (128 + SIGINT)"),
    (141, "nobody reads the output any more (128 + SIGPIPE)"),
    (143, "terminated (128 + SIGTERM)"),
)
"""Every exit status with its meaning.

`practice` and `launch` also end with the status of their image: 128 + its number if a signal has ended that.
"""


DEBUG = "PHARO_MCP_DEBUG"
"""The environment variable that, whatever its value, has bugs shown with their traceback."""
CLEANUP_SECONDS = 30.0
"""After a signal, the time for a command to end what it has started."""
AGAIN_SECONDS = 0.05
"""The time after which a signal is sent again if Python has dropped its exception."""
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class CommandFailed(Exception):
    """A command did not do what was asked; the message says why, and what to do next."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


class Signalled(BaseException):
    """A signal has asked the command to end. Raised once, so that what was started can be ended in order."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.status = 128 + number


def run_to_end(command: Callable[[], int]) -> int:
    """Run a command and return its exit status, whatever happens."""
    prepare_output()
    catch_signals()
    try:
        status = finished(command)
        sys.stdout.flush()
    except Signalled as ended:
        return ended.status
    except BrokenPipeError:
        drop_output()
        return 141
    except OSError as error:
        drop_output()
        place = f": {error.filename or 'standard output'}" if error.strerror else ""
        print(f"pharo-mcp: {error.strerror or error}{place}", file=sys.stderr)
        return 1
    return status


def brief(meaning: str) -> str:
    """Return the first words of a meaning."""
    return meaning.partition(":")[0].partition(";")[0]


def silence() -> None:
    """Switch off logs, and reports of exceptions in threads: commands report themselves what has failed."""
    if DEBUG not in os.environ:
        import logging  # here: serving, which does not need it, must start fast

        logging.disable()
        threading.excepthook = lambda _: None


def finished(command: Callable[[], int]) -> int:
    """Return the status of a command that has ended, exited or failed, or whose bug was reported."""
    try:
        return command()
    except SystemExit as ended:  # argparse, after an error or `--help`
        return ended.code if isinstance(ended.code, int) else 1
    except (CommandFailed, InvalidSettings) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return error.status if isinstance(error, CommandFailed) else 2
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - the last catcher, which reports it
        return report_bug(error)


def report_bug(error: Exception) -> int:
    """Report an exception that nobody has expected; return the exit status."""
    if DEBUG in os.environ:
        raise error
    text = " ".join(str(error).split())[:200]
    print(
        f"pharo-mcp: internal error: {type(error).__name__}{': ' if text else ''}{text}\n"
        "This is a bug in pharo-mcp. Please report it with the command that you typed and the output of the "
        f"same command with {DEBUG}=1 in the environment, which also shows where it happened.",
        file=sys.stderr,
    )
    return 70


def catch_signals() -> None:
    """Raise Signalled at the first signal that asks to end; the command then ends what it has started.

    Signals that are ignored stay so: that is what nohup, and shells for commands in the background, ask for.
    """
    sys.unraisablehook = send_again
    with suppress(ValueError):  # not in the main thread
        for each in SIGNALS:
            if signal.getsignal(each) != signal.SIG_IGN:
                signal.signal(each, end)


def end(number: int, _: FrameType | None) -> None:
    """Raise Signalled, and ignore later signals, so that the command can end what it has started.

    If that hangs, the process ends with status 1 and a traceback: the signal may have left a lock locked.
    """
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    faulthandler.dump_traceback_later(CLEANUP_SECONDS, exit=True, file=STANDARD_ERROR)
    raise Signalled(number)


def send_again(dropped: "sys.UnraisableHookArgs") -> None:
    """Report an exception that Python drops, as in a finalizer; if it is Signalled, send the signal again."""
    if not isinstance(dropped.exc_value, Signalled):
        sys.__unraisablehook__(dropped)
        return
    number = dropped.exc_value.number
    signal.signal(number, end)
    # `os.kill` interrupts the main thread's waits; on Windows, it would end the process at once.
    send = signal.raise_signal if sys.platform == "win32" else partial(os.kill, os.getpid())
    threading.Timer(AGAIN_SECONDS, send, (number,)).start()


def prepare_output() -> None:
    """Let everything be printed in every encoding, also where standard output or error is closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, StringIO())  # no file, which would get the number of the closed descriptor
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Let nothing be written any more, so that the interpreter does not complain when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
