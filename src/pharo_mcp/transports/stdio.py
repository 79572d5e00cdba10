"""Standard input and output as a transport, out of reach of everybody else."""

import os

from .pipes import PipeTransport

STREAMS = {0: "standard input", 1: "standard output"}


class NoClient(Exception):
    """Nobody talks to this process, or not any more; the sentence says why."""


def claim_stdio() -> PipeTransport:
    """Take descriptors 0 and 1 for the protocol alone.

    Whatever prints from now on, a library or a child process included, prints on standard error;
    whatever reads finds nothing.

    Raises:
        NoClient: If one of them is closed.
    """
    closed = [name for descriptor, name in STREAMS.items() if not _is_open(descriptor)]
    if closed:
        raise NoClient(
            f"there is no client to answer, {' and '.join(closed)} being closed; "
            "have an MCP client start pharo-mcp"
        )
    if not _is_open(2):  # else the next descriptor that is opened would be taken for standard error
        _point_at_nothing(2, os.O_WRONLY)
    transport = PipeTransport(os.dup(0), os.dup(1))
    _point_at_nothing(0, os.O_RDONLY)
    os.dup2(2, 1)
    return transport


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _point_at_nothing(descriptor: int, flags: int) -> None:
    nothing = os.open(os.devnull, flags)
    if nothing != descriptor:
        os.dup2(nothing, descriptor)
        os.close(nothing)
