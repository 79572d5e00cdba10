"""Entry point of `python -m pharo_mcp` and of the command `pharo-mcp`.

An old Python must be able to read it.
"""

import signal
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the imports below would end in a SyntaxError
    sys.exit(
        f"pharo-mcp requires Python 3.11 or newer, but {sys.executable} is Python {sys.version.split()[0]}. "
        "Install a newer one, and let your client start pharo-mcp with that."
    )

if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during an import ends us without a traceback
from pharo_mcp.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
