"""What `python -m pharo_mcp` and the command `pharo-mcp` run."""

from pharo_mcp.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
