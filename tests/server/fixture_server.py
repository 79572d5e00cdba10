"""A server of the tests' own tools as a process, ended by signals as pharo-mcp is."""

import signal
import sys
import threading
from collections.abc import Mapping

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ToolResult
from pharo_mcp.server.serving import Server
from pharo_mcp.wire.transport import claim_stdio
from server.conversation import IDENTITY, Workbench


class SignalledWorkbench(Workbench):
    """With `--signal`, the signal arrives in the thread of a tool, not in the main one."""

    def wait(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Be signalled, then wait as ever."""
        if "--signal" in sys.argv:
            signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        return super().wait(arguments, call)


def main() -> None:
    """Serve standard input and output."""
    workbench = SignalledWorkbench()
    connection = Server(claim_stdio(), lambda: workbench.catalog, IDENTITY)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: connection.close())
    connection.serve()
    if workbench.stopped.is_set():
        sys.stderr.write("the work was stopped\n")


if __name__ == "__main__":
    main()
