"""Standard input and output as a transport that no other code can read or write."""

import os

from .pipes import PipeTransport

STREAMS = {0: "standard input", 1: "standard output"}


class NoClient(Exception):
    """This process has no client, or no longer; the message is the reason."""


def claim_stdio() -> PipeTransport:
    """Reserve descriptors 0 and 1 for the protocol.

    Afterwards all other output, including that of libraries and child processes, goes to standard error, and
    standard input is empty.

    Raises:
        NoClient: If one of them is closed.
    """
    closed = [name for descriptor, name in STREAMS.items() if not _is_open(descriptor)]
    if closed:
        raise NoClient(
            f"no MCP client is connected: {' and '.join(closed)} {'are' if closed[1:] else 'is'} closed. "
            "Let an MCP client start pharo-mcp"
        )
    if not _is_open(2):  # otherwise the next descriptor opened would become standard error
        _redirect_to_null(2, os.O_WRONLY)
    transport = PipeTransport(os.dup(0), os.dup(1))
    _redirect_to_null(0, os.O_RDONLY)
    os.dup2(2, 1)
    return transport


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _redirect_to_null(descriptor: int, flags: int) -> None:
    null = os.open(os.devnull, flags)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)
