"""Generate tables in docs from the code, for cog."""

import re

from pharo_mcp.address import Address
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.cli.commands import COMMANDS, SERVING
from pharo_mcp.cli.ending import STATUSES
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import at

# No function here sends a request, so no image has to run at this address.
CATALOG = catalog_for(ImageClient(at(Address(9, "none"))))


def resources() -> str:
    """Every resource and resource template."""
    skills = {skill.uri for skill in CATALOG.skills}
    rows = [(one.uri, one.description) for one in CATALOG.resources if one.uri not in skills]
    rows += [(one.uri, one.description) for one in CATALOG.templates]
    return "\n".join(f"- `{uri}`: {beginning(text)}" for uri, text in rows)


def prompts() -> str:
    """Every prompt with its arguments."""
    lines = []
    for prompt in CATALOG.prompts:
        names = ", ".join(one.name if one.required else f"[{one.name}]" for one in prompt.arguments)
        lines.append(f"- `{prompt.name}` ({names}): {beginning(prompt.description)}")
    return "\n".join(lines)


def beginning(text: str) -> str:
    """The first sentence of a description, up to its list of details."""
    return re.split(r"[:,;] |(?<=\.) ", text)[0].rstrip(".") + "."


def commands() -> str:
    """Every command of `pharo-mcp`."""
    rows = [("`pharo-mcp`", "serve an MCP client on standard input and output")]
    rows += [(f"`pharo-mcp {command.name}`", command.help) for command in COMMANDS]
    return table(("command", "what it does"), rows)


def options() -> str:
    """Every option for serving."""
    rows = [("`--version`", "show the version and exit")]
    rows += [(f"`{option.flag}`", option.help) for option in SERVING]
    return table(("option", "what it does (environment variable)"), rows)


def statuses() -> str:
    """Every exit status."""
    return table(("exit status", "meaning"), [(str(number), meaning) for number, meaning in STATUSES])


def table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [headings, ("---",) * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
