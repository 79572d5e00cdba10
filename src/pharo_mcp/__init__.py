"""Lets an AI assistant work inside a running Pharo image: a Model Context Protocol (MCP) server."""

__version__ = "0.1.0"
ADDRESS = "git+https://github.com/OWNER/pharo-mcp"
"""The repository, as uv, pipx and pip install from it."""


def with_extra(extra: str) -> str:
    """Return what to install for an extra."""
    return f"pharo-mcp[{extra}] @ {ADDRESS}"


def how_to_install(extra: str) -> str:
    """What to do if an optional dependency is missing, as a part of a sentence."""
    return (
        f"install pharo-mcp again, with the extra `{extra}`: `uv tool install '{with_extra(extra)}'`, "
        "or `pipx install --force` with the same address"
    )
