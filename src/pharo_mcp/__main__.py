"""Entry point of `python -m pharo_mcp` and of the command `pharo-mcp`."""

import gc
from signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal

gc.disable()  # looking for garbage would take a twentieth of the start, and imports leave none
if getsignal(SIGINT) == default_int_handler:
    signal(SIGINT, SIG_DFL)  # Ctrl-C during an import ends us without a traceback
from pharo_mcp.cli import main  # noqa: E402 - after switching it off

gc.freeze()  # what was imported is never looked at
gc.enable()

if __name__ == "__main__":
    raise SystemExit(main())
