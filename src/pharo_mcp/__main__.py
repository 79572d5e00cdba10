"""Entry point of `python -m pharo_mcp` and of the command `pharo-mcp`."""

import gc

gc.disable()  # looking for garbage would take a twentieth of the start, and imports leave none
from pharo_mcp.cli import main  # noqa: E402 - after switching it off

gc.freeze()  # what was imported is never looked at
gc.enable()

if __name__ == "__main__":
    raise SystemExit(main())
