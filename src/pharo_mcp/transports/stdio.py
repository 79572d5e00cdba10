"""Standard input and output as a transport, out of reach of everybody else."""

import os

from .pipes import PipeTransport


def claim_stdio() -> PipeTransport:
    """Take descriptors 0 and 1 for the protocol alone.

    Whatever prints from now on, a library or a child process included, prints on standard error;
    whatever reads finds nothing.
    """
    transport = PipeTransport(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return transport
