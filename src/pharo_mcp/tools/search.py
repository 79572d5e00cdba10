"""Tool `search`: find classes, selectors, methods and text in the image."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import FoundClass, FoundMethod, FoundSelector, ImageClient, Search, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult

from .arguments import CURSOR, arguments, choice, integer, name, text
from .hints import READS
from .paging import offset_in, rest_after
from .wording import count, echo, method_name

DESCRIPTION = """\
Find code in the live image before you write any: classes, selectors, implementors, senders, references to a \
class, text in source; everywhere, or in a package, class or hierarchy (a class and its subclasses)."""

SCOPES = ("package", "hierarchy", "class_name")
KINDS = ("classes", "selectors", "implementors", "senders", "references", "source")

ARGUMENTS = arguments(
    ("query", "kind"),
    query=name("What to find."),
    kind=choice("Of what.", *KINDS),
    match=choice("In a pattern `*` is anything.", "substring", "exact", "pattern", default="substring"),
    package=text("Only there."),
    hierarchy=text("Only there."),
    class_name=text("Only there."),
    cursor=CURSOR,
    limit=integer("In a page.", maximum=500, default=50),
)

Found = FoundClass | FoundSelector | FoundMethod
FOUND = {
    "classes": ("class", "classes", "get_class shows one."),
    "selectors": ("selector", "selectors", "search with kind implementors shows who has one."),
    "implementors": ("implementor", "implementors", "get_method shows one."),
    "senders": ("sender", "senders", "get_method shows one."),
    "references": ("reference", "references", "get_method shows one."),
    "source": ("method", "methods", "get_method shows one."),
}
"""What each kind of search finds, and what to do with it."""

LONGEST_LINE = 160
"""Characters of a line of source that are shown."""
NOT_ALL = "Not everything was looked at: search in one package, hierarchy or class."


def search_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def search(given: Mapping[str, Any], call: Call) -> ToolResult:
        if len(given.keys() & SCOPES) > 1:
            raise ToolError(f"Nothing was looked for: give at most one of {', '.join(SCOPES)}.", "badRequest")
        asked = {word: value for word, value in given.items() if word not in ("cursor", "class_name")}
        whole = image.code.search(**asked, class_=given.get("class_name"), offset=offset_in(given))
        found = whole._replace(items=tuple(map(_shortened, whole.items)))
        return ToolResult.from_text("\n".join(_lines(found, echo(given["query"]))), write(found))

    return Tool(
        name="search",
        title="Search code",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=search,
        annotations=READS,
        output_schema=Schema(schema_of(Search)) if structured else None,
    )


def _lines(found: Search, query: str) -> Iterator[str]:
    one, many, next_step = FOUND[found.kind]
    if not found.total:
        yield f"Nothing was found: no {many} for {query}."
        if found.at_least:
            yield NOT_ALL
            return
        if found.near:
            yield f"Similar names: {', '.join(found.near)}"
        yield "Try a shorter query, another kind, or a wider scope."
        return
    least = "At least " if found.at_least else ""
    yield f"{least}{count(found.total, one, many)} for {query}. {next_step}"
    yield from (f"    {_line(item)}" for item in found.items)
    if rest := rest_after(found.offset, len(found.items), found.total):
        yield rest
    if found.at_least:
        yield NOT_ALL


def _line(item: Found) -> str:
    match item:
        case FoundClass():
            trait = "trait, " if item.kind == "trait" else ""
            comment = f": {item.comment}" if item.comment else ""
            return f"{item.class_name} ({trait}{item.package}){comment}"
        case FoundSelector():
            return f"{item.selector} ({count(item.implementors, 'implementor')})"
        case FoundMethod():
            where = f"{method_name(item.class_name, item.side, item.selector)} ({item.package})"
            return where if item.text is None else f"{where} line {item.line}: {item.text}"


def _shortened(item: Found) -> Found:
    """Of a method only as much of the line that was found as is shown."""
    if not isinstance(item, FoundMethod) or item.text is None:
        return item
    line = item.text.strip()
    return item._replace(text=line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…")
