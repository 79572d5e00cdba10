"""Asking the person before a tool destroys something, with `--confirm`."""

from collections.abc import Mapping

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.protocol.questions import is_confirmed
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult
from pharo_mcp.times import CONFIRM_SECONDS

UNCONFIRMED = ("debug_step", "evaluate", "profile", "search", "stop_evaluation")
"""Destructive tools that ask nobody.

`evaluate`, `debug_step` and `profile` are called all the time, and people who are asked at each call soon
agree without reading; searching by example calls only methods that are known to be harmless; stopping
protects the image.
"""
LONGEST_ARGUMENT = 200
"""Characters of an argument that the person sees."""


def confirming(catalog: Catalog, *, built_in: bool = True) -> Catalog:
    """A catalog whose destructive tools ask the person first, if the client can ask.

    Those that are built in change nothing with `preview`; what it means to others is not known.
    """
    return catalog._replace(
        tools=tuple(
            _confirmed(tool, has_preview=built_in) if asks_first(tool) else tool for tool in catalog.tools
        )
    )


def asks_first(tool: Tool) -> bool:
    """Whether a tool may destroy something, as MCP's annotations say; without any, it may."""
    hints = tool.annotations
    harmless = hints.get("readOnlyHint") or not hints.get("destructiveHint", True)
    return not harmless and tool.name not in UNCONFIRMED


def _confirmed(tool: Tool, *, has_preview: bool) -> Tool:
    def handler(arguments: Mapping[str, object], call: Call) -> ToolResult:
        if has_preview and arguments.get("preview") is True:
            return tool.handler(arguments, call)
        try:
            answer = is_confirmed(
                call,
                _question(tool, arguments, has_preview=has_preview),
                min(CONFIRM_SECONDS, call.remaining),
            )
        except TimeoutError as error:
            text = f"{tool.name} did not run: the person at the client did not confirm it in time. Ask again."
            raise ToolError(text, "unconfirmed") from error
        if answer is False:
            raise ToolError(
                f"{tool.name} did not run: the person at the client did not agree. Nothing was changed.",
                "unconfirmed",
            )
        return tool.handler(arguments, call)

    return tool._replace(handler=handler)


def _question(tool: Tool, arguments: Mapping[str, object], *, has_preview: bool) -> str:
    defaults = _defaults(tool)
    given = {name: each for name, each in arguments.items() if each != defaults.get(name)}
    if has_preview:
        given.pop("preview", None)
    words = ", ".join(f"{name} {_shortened(each)}" for name, each in given.items())
    return f"The assistant wants to use {tool.name}{f' with {words}' if words else ''}. Go on?"


def _defaults(tool: Tool) -> Mapping[str, object]:
    """The defaults of arguments; a property of a schema may be `true`, which allows anything."""
    properties = tool.input_schema.definition.get("properties")
    rules = properties.items() if isinstance(properties, Mapping) else ()
    return {name: rule.get("default") for name, rule in rules if isinstance(rule, Mapping)}


def _shortened(argument: object) -> str:
    text = str(argument)
    return text if len(text) <= LONGEST_ARGUMENT else f"{text[:LONGEST_ARGUMENT]}…"
