"""The log of what is wrong in this program, or ends a process of the image."""

from __future__ import annotations


def log_error(logger: str, text: str, *arguments: object, cause: BaseException | None = None) -> None:
    """Log an error, with the stack of its cause."""
    import logging  # here: most images have nothing to log, and it takes a tenth of all imports

    logging.getLogger(logger).error(text, *arguments, exc_info=cause)
