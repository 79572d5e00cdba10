"""A server of the tests' own tools as a process, ended by signals as pharo-mcp is."""

import signal
import sys

from pharo_mcp.server import Connection
from pharo_mcp.transports import claim_stdio
from server.conversation import IDENTITY, Workbench


def main() -> None:
    """Serve standard input and output."""
    workbench = Workbench()
    connection = Connection(claim_stdio(), workbench.offers, IDENTITY)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: connection.close())
    connection.serve()
    if workbench.stopped.is_set():
        sys.stderr.write("the work was stopped\n")


if __name__ == "__main__":
    main()
