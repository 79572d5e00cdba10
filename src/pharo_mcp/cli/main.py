"""The command line. No other package prints. `statuses` has the exit statuses."""

import sys
from collections.abc import Mapping, Sequence

from pharo_mcp.standard_error import Relay

STANDARD_OUTPUT = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:  # most clients start it this way: save even the table of options
        return _serve({})
    from .options import OPTIONS, plain_options

    options = plain_options(OPTIONS, arguments)
    if options is not None:
        return _serve(options)
    from .ending import run_to_end  # here: no client should wait until it is imported, nor argparse

    return run_to_end(lambda: _run(arguments))


def _serve(options: Mapping[str, object]) -> int:
    from .serve import serve_client  # here: other commands do not need it

    with Relay(STANDARD_OUTPUT):  # serving a client points it to standard error
        try:
            return serve_client(options)
        except Exception as error:  # noqa: BLE001 - the last catcher, which reports it
            from .ending import report_bug

            return report_bug(error)


def _run(arguments: Sequence[str]) -> int:
    from .commands import run_plain

    status = run_plain(arguments)
    if status is not None:
        return status
    from .parsing import run

    return run(arguments)
