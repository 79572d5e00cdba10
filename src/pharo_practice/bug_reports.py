"""Reports of bugs in our Python, for a person at a terminal."""

from __future__ import annotations

import logging
import traceback
from types import TracebackType


class OneLine(logging.Formatter):
    """Formats a bug in our Python for a person: without its traceback."""

    def formatException(  # noqa: N802 - its name in the standard library
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """The exception without the stack."""
        return "".join(traceback.format_exception_only(ei[0], ei[1])).rstrip()


def report_bugs_in_a_line() -> None:
    """Log to a terminal without tracebacks, which are for logs."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    logging.getLogger().addHandler(handler)
