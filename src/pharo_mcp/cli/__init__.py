"""The command line: the only place that prints.

Exit status: 0 done, 1 failed, 2 not understood, 128 and more ended by a signal.
"""

import sys
from collections.abc import Sequence

from .serve import serve_client


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given:  # as most clients start it: without the time that argparse takes
        return serve_client()
    from .commands import run

    return run(given)
