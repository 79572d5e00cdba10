"""Tool `search`: find classes, selectors, methods and text in the image."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code import (
    FoundClass,
    FoundMethod,
    FoundSelector,
    Search,
    SearchHints,
    method_name,
)
from pharo_mcp.image.replies.examples import MethodsByExample
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult

from .declaration import CURSOR, READS, choice, integer, names, schema_of_arguments, string
from .text.examples import example_lines
from .text.paging import offset_in, rest_after
from .text.wording import count, echo

DESCRIPTION = "Search the code of the live image, or of one package, class or hierarchy."

SCOPES = ("package", "hierarchy", "class_name")
KINDS = ("classes", "selectors", "implementors", "senders", "references", "source", "example")

ARGUMENTS = schema_of_arguments(
    ("query", "kind"),
    query=string("Name or text to search for; for `example`, the result, a literal."),
    kind=choice("What to search for; `example` finds methods by receiver, arguments and result.", *KINDS),
    match=choice(
        "Default: exact for implementors, senders, references, else substring. In a pattern `*` is any text.",
        "substring",
        "exact",
        "pattern",
    ),
    package=string("Package to search."),
    hierarchy=string("Class to search, with its subclasses."),
    class_name=string("Class to search."),
    receiver=string("For `example`: a literal such as `'abc'`."),
    arguments=names("For `example`: a literal for each argument."),
    cursor=CURSOR,
    limit=integer("Results per page.", maximum=500, default=50),
)

HINTED_KINDS = ("classes", "selectors", "implementors", "senders")

Found = FoundClass | FoundSelector | FoundMethod
FOUND = {
    "classes": ("class", "classes"),
    "selectors": ("selector", "selectors"),
    "implementors": ("implementor", "implementors"),
    "senders": ("sender", "senders"),
    "references": ("reference", "references"),
    "source": ("method", "methods"),
}
"""What each kind of search finds: one, and several."""

LONGEST_LINE = 160
"""Characters of a line of source that are shown."""
NOT_ALL = "The search was stopped before its end: limit it to a package, hierarchy or class."


def search_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def search(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        if len(arguments.keys() & SCOPES) > 1:
            raise ToolError(
                f"search accepts at most one of {', '.join(SCOPES)}. Nothing was searched.", "badRequest"
            )
        if arguments["kind"] == "example":
            return _by_example(image, arguments)
        options = {name: value for name, value in arguments.items() if name not in ("cursor", "class_name")}
        whole = image.code.search(**options, class_=arguments.get("class_name"), offset=offset_in(arguments))
        found = whole._replace(items=tuple(map(_shortened, whole.items)))
        return ToolResult.from_text("\n".join(_lines(found, arguments)), write(found))

    return Tool(
        name="search",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=search,
        annotations=READS,
        output_schema=Schema({"type": "object", "anyOf": [schema_of(Search), schema_of(MethodsByExample)]})
        if structured
        else None,
    )


def _by_example(image: ImageClient, arguments: Mapping[str, Any]) -> ToolResult:
    if "receiver" not in arguments:
        raise ToolError("An example needs a receiver. Nothing was searched.", "badRequest")
    given = arguments.get("arguments", ())
    found = image.code.find_method(arguments["receiver"], arguments["query"], given)
    return ToolResult.from_text("\n".join(example_lines(found, len(given))), write(found))


def _lines(found: Search, arguments: Mapping[str, Any]) -> Iterator[str]:
    one, many = FOUND[found.kind]
    if not found.total:
        yield f"No {many} found for {echo(arguments['query'])}."
        if found.at_least:
            yield NOT_ALL
            return
        if found.near:
            yield f"Similar names: {', '.join(found.near)}"
        yield from _advice(found.hints or SearchHints(), arguments)
        return
    least = "At least " if found.at_least else ""
    groups = _by_package(found.items)
    is_whole = len(found.items) == found.total and not found.at_least
    only = next(iter(groups)) if len(groups) == 1 and is_whole else None
    what = " (number of implementors)" if found.kind == "selectors" else f", all in {only}" if only else ""
    yield f"{least}{count(found.total, one, many)}{what}:"
    for package, items in groups.items():
        if package and not only:
            yield f"{package}:"
        yield from (f"    {_line(item)}" for item in items)
    if rest := rest_after(found.offset, len(found.items), found.total):
        yield rest
    if found.at_least:
        yield NOT_ALL


def _advice(hints: SearchHints, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield what would find more."""
    if hints == SearchHints():
        yield "Try a shorter query, another kind, or a wider scope."
    if hints.elsewhere:
        scope = next((each for each in SCOPES if each in arguments), None)
        place = arguments[scope] if scope else arguments["query"].partition(">>")[0].strip()
        yield f"{echo(place)} has none; {hints.elsewhere:,} elsewhere: omit {scope or 'the class'}."
    if hints.substring:
        yield f"match: substring finds {hints.substring:,}."
    kinds = [f"{kind} ({total:,})" for kind in HINTED_KINDS if (total := getattr(hints, kind))]
    if kinds:
        yield f"Other kinds find more: {', '.join(kinds)}."


def _by_package(items: Sequence[Found]) -> Mapping[str | None, Sequence[Found]]:
    """Return the methods by package, in the order of the first of each; None has what is not a method."""
    groups: dict[str | None, list[Found]] = {}
    for item in items:
        groups.setdefault(item.package if isinstance(item, FoundMethod) else None, []).append(item)
    return groups


def _line(item: Found) -> str:
    match item:
        case FoundClass():
            trait = "trait, " if item.kind == "trait" else ""
            comment = f": {item.comment}" if item.comment else ""
            return f"{item.class_name} ({trait}{item.package}){comment}"
        case FoundSelector():
            return f"{item.selector} ({item.implementors:,})"
        case FoundMethod():
            where = method_name(item.class_name, item.side, item.selector)
            return where if item.text is None else f"{where}, line {item.line}: {item.text}"


def _shortened(item: Found) -> Found:
    """Return a search result; of a long line of source only the beginning."""
    if not isinstance(item, FoundMethod) or item.text is None:
        return item
    line = item.text.strip()
    return item._replace(text=line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…")
