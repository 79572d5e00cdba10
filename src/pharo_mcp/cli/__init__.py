"""The command line. No other package prints.

Exit status: 0 success, 1 failure, 2 invalid usage, 128 + N ended by signal N.
"""

import sys
from collections.abc import Sequence

from .serve import serve_client


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:  # most clients start it this way: save even the table of options
        return serve_client()
    from .options import serving_options

    options = serving_options(arguments)
    if options is not None:
        return serve_client(options)
    from .commands import run  # here: it imports argparse, for which no client should wait

    return run(arguments)
