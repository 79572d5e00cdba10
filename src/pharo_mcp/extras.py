"""How to install what is optional."""

ADDRESS = "pharo-mcp[{}] @ git+https://github.com/OWNER/pharo-mcp"
"""An address to install from, by extra."""


def how_to_install(extra: str) -> str:
    """What to do if an optional dependency is missing, as a part of a sentence."""
    return (
        f"install pharo-mcp again, with the extra `{extra}`: `uv tool install '{ADDRESS.format(extra)}'`, "
        "or `pipx install --force` with the same address"
    )
