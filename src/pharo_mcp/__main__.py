"""Entry point of `python -m pharo_mcp` and of the command `pharo-mcp`."""

from pharo_mcp.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
