"""The tables of README.md, made from the code; cog puts them in."""

import subprocess
import sys
from typing import cast

from pharo_mcp.app.offers import offers_for
from pharo_mcp.cli.commands import COMMANDS
from pharo_mcp.cli.options import OPTIONS, VERSION
from pharo_mcp.image import Address, ImageClient, at

# Nothing here asks the image, so there need be none.
OFFERS = offers_for(ImageClient(at(Address(9, "none"))))


def tools() -> str:
    """Every tool with its arguments."""
    rows = [
        (
            f"`{tool.name}`",
            arguments(tool.input_schema.definition),
            first_sentence(tool.description),
            "no" if tool.annotations["readOnlyHint"] else "yes",
            "yes" if tool.listed else "no",
        )
        for tool in OFFERS.tools
    ]
    heads = ("tool", "arguments (**required**)", "what it does", "may change the image", "core")
    return table(heads, rows)


def resources() -> str:
    """Every resource and template."""
    rows = [(f"`{one.uri}`", one.name, one.mime_type, one.description) for one in OFFERS.resources]
    rows += [(f"`{one.uri_template}`", one.name, one.mime_type, one.description) for one in OFFERS.templates]
    return table(("resource", "name", "type", "what it holds"), rows)


def prompts() -> str:
    """Every prompt with its arguments."""
    rows = [
        (
            f"`{prompt.name}`",
            ", ".join(f"**{one.name}**" if one.required else one.name for one in prompt.arguments),
            prompt.description,
        )
        for prompt in OFFERS.prompts
    ]
    return table(("prompt", "arguments (**required**)", "what it asks for"), rows)


def commands() -> str:
    """Every command of `pharo-mcp`."""
    rows = [("`pharo-mcp`", "serve an MCP client on standard input and output")]
    rows += [(f"`pharo-mcp {command.name}`", command.help) for command in COMMANDS]
    return table(("command", "what it does"), rows)


def options() -> str:
    """Every option of serving."""
    rows = [(f"`{option.flag}`", option.help) for option in (VERSION, *OPTIONS)]
    return table(("option", "what it says (environment variable)"), rows)


def session() -> str:
    """What `pharo-mcp demo` prints from the first call on."""
    command = [sys.executable, "-m", "pharo_mcp", "demo"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    steps = printed.split("\n\n")
    return "```\n" + "\n\n".join(step for step in steps if '"tools/call"' in step) + "\n```"


def arguments(schema: dict[str, object]) -> str:
    """The arguments of a tool, in a table's cell."""
    required = cast(list[str], schema.get("required", []))
    names = cast(dict[str, object], schema.get("properties", {}))
    return ", ".join(f"**{name}**" if name in required else name for name in names)


def first_sentence(text: str) -> str:
    """What a description begins with."""
    return text.split(". ")[0].split(".\n")[0].rstrip(".").replace("\n", " ")


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
