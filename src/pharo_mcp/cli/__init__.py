"""The command line. No other package prints.

Exit status: 0 success, 1 failure, 2 invalid usage, 128 + N ended by signal N.
"""

import sys
from collections.abc import Sequence

from .serve import serve_client


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:  # most clients start it this way: save the time that argparse takes
        return serve_client()
    from .commands import run

    return run(arguments)
