"""Tools that find and read code."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.hints import usable
from pharo_mcp.image.replies import code
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent, ToolError, ToolResult
from pharo_mcp.tools.declaration import (
    CLASS_NAME,
    CURSOR,
    READS,
    choice,
    choices,
    integer,
    names,
    schema_of_arguments,
    string,
    tool,
)
from pharo_mcp.tools.wording import (
    bounded,
    class_uri,
    count,
    echo,
    indented,
    listed,
    method_uri,
    offset_in,
    rest_after,
    shortened,
)

SCOPES = ("package", "hierarchy", "class_name")
Found = code.FoundDocumentation | code.FoundClass | code.FoundSelector | code.FoundMethod
FOUND = {
    "documentation": ("documented place", "documented places"),
    "usage": ("use", "uses"),
    "classes": ("class", "classes"),
    "selectors": ("selector", "selectors"),
    "implementors": ("implementor", "implementors"),
    "senders": ("sender", "senders"),
    "references": ("reference", "references"),
    "source": ("method", "methods"),
}
"""What each kind of search finds: one, and several."""
HINTED_KINDS = ("classes", "selectors", "implementors", "senders")
LONGEST_LINE = 160
"""Characters of a line of source that are shown."""
LONGEST_USE = 2_000
"""Characters of the source of a use."""
NARROWER = "Limit the search to a package, hierarchy or class."
NOT_ALL = f"The search was stopped before its end. {NARROWER}"


@tool(
    "browse",
    schema_of_arguments(
        ("query", "kind"),
        query=string(
            "Name to search for, or several separated by spaces; for `documentation` words, several "
            "queries with `;` between; for `source` a text, for `example` the result, a literal."
        ),
        kind=choices(
            "What to search for, one kind or several. `documentation`: comments, their examples, tests, "
            "help; `usage`: the shortest methods that use a selector or class, with source; `references` of "
            "a selector are its senders; `example`, alone, finds methods by receiver, arguments and result.",
            *FOUND,
            "example",
            minItems=1,
        ),
        match=choice(
            "Default: exact for implementors, senders, references, else substring. In a pattern `*` is any "
            "text.",
            "substring",
            "exact",
            "pattern",
        ),
        package=string("Package to search, or `Shop*`."),
        hierarchy=string("Class to search, with its subclasses."),
        class_name=string("Class to search."),
        receiver=string("For `example`: a literal such as `'abc'`."),
        arguments=names("For `example`: a literal for each argument."),
        cursor=CURSOR,
        limit=integer("Results per page; default: 50; `documentation` 8, `usage` 3.", maximum=500),
    ),
    READS,
    core=True,
)
def search(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Search code and documentation for several names and kinds at once: in the live image, or in one
    package, class or hierarchy.
    """
    if len(arguments.keys() & SCOPES) > 1:
        raise _refused(f"search accepts at most one of {', '.join(SCOPES)}.")
    kinds = arguments["kind"]
    if "example" in kinds:
        if len(kinds) > 1:
            raise _refused("example cannot be combined with other kinds.")
        return _by_example(image, arguments)
    searches = _searches(arguments["query"], kinds)
    if len(searches) > MOST_SEARCHES:
        raise _refused(
            f"These names and kinds need {len(searches)} searches; a call makes at most {MOST_SEARCHES}."
        )
    if len(searches) == 1:
        [(name, kind)] = searches
        return _found_lines(_found(image, arguments, name, kind), arguments)
    if "cursor" in arguments:
        raise _refused("A cursor needs one name and one kind.")
    return (line for name, kind in searches for line in _section(image, arguments, name, kind))


NAME = re.compile(r"\S+(?: class)? ?>> ?\S+|\S+")
MOST_SEARCHES = 50
"""Names times kinds of a call."""


def _refused(reason: str) -> ToolError:
    return ToolError(f"{reason} Nothing was searched.", "badRequest")


def _searches(query: str, kinds: Sequence[str]) -> Sequence[tuple[str, str]]:
    """Return what to search for, each name with a kind: those of a name together, none twice."""
    searches = dict.fromkeys(
        (name, _kind_for(name, kind)) for kind in kinds for name in _names_in(query, kind)
    )
    names = [name for name, _ in searches]
    return sorted(searches, key=lambda search: names.index(search[0]))


def _kind_for(name: str, kind: str) -> str:
    """Return the kind; references of a selector are its senders."""
    is_selector = name.rpartition(">>")[2].lstrip()[:1].islower()
    return "senders" if kind == "references" and is_selector else kind


def _names_in(query: str, kind: str) -> Sequence[str]:
    """Return what to search for: the names in a query, or what is between semicolons, or the whole text."""
    match kind:
        case "source":
            found = []
        case "documentation":
            found = [part.strip() for part in query.split(";") if part.strip()]
        case _:
            found = NAME.findall(query)
    return found or [query]


def _section(image: ImageClient, arguments: Mapping[str, Any], name: str, kind: str) -> Iterator[str]:
    """Yield what is found by one search of several."""
    sought = f"{name} in source" if kind == "source" else name
    first, *lines = _found_lines(_found(image, arguments, name, kind), {**arguments, "query": sought})
    # A keyword selector ends in a colon of its own.
    yield first if first.startswith("No ") else f"{echo(sought).removesuffix(':')}: {first}"
    yield from lines


def _found(image: ImageClient, arguments: Mapping[str, Any], name: str, kind: str) -> code.Search:
    options = {option: value for option, value in arguments.items() if option not in ("cursor", "class_name")}
    return image.ask(
        endpoints.SEARCH,
        **{**options, "query": name, "kind": kind},
        class_=arguments.get("class_name"),
        offset=offset_in(arguments),
    )


def _by_example(image: ImageClient, arguments: Mapping[str, Any]) -> Iterator[str]:
    if "receiver" not in arguments:
        raise ToolError("An example needs a receiver. Nothing was searched.", "badRequest")
    given = arguments.get("arguments", ())
    found = image.ask(
        endpoints.FIND_METHOD, receiver=arguments["receiver"], result=arguments["query"], arguments=given
    )
    return example_lines(found, len(given))


def _found_lines(found: code.Search, arguments: Mapping[str, Any]) -> Iterator[str]:
    one, many = FOUND[found.kind]
    if not found.total:
        yield f"No {many} found for {echo(arguments['query'])}."
        if found.at_least:
            yield NOT_ALL
            return
        hints = found.hints or code.SearchHints()
        if found.near and not hints.elsewhere:
            yield f"Similar names: {', '.join(found.near)}"
        yield from _advice(hints, arguments)
        return
    least = "At least " if found.at_least else ""
    groups = _by_package(found.items)
    is_whole = len(found.items) == found.total and not found.at_least
    only = next(iter(groups)) if len(groups) == 1 and is_whole else None
    yield f"{least}{count(found.total, one, many)}{_what_is_counted(found, only)}:"
    for package, items in groups.items():
        if package and not only:
            yield f"{package}:"
        yield from indented(line for item in items for line in _lines_of(item))
    if rest := rest_after(found.offset, len(found.items), found.total):
        yield rest
    if found.unknown:
        yield f"Nothing has {', '.join(found.unknown)}."
    if found.unread:
        yield f"{count(found.unread, 'method')} with some of the words not read. {NARROWER}"
    elif found.at_least:
        yield NOT_ALL


def _what_is_counted(found: code.Search, package: str | None) -> str:
    if found.kind == "selectors":
        return " (number of implementors)"
    if found.complete == 0:
        return ", none with all words; try synonyms"
    if found.complete is not None and found.complete < found.total:
        return f", {found.complete:,} with all words"
    return f", all in {package}" if package else ""


def _advice(hints: code.SearchHints, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield what would find more."""
    if hints.elsewhere:
        scope = next((each for each in SCOPES if each in arguments), None)
        place = arguments[scope] if scope else arguments["query"].partition(">>")[0].strip()
        yield f"{echo(place)} has none; {hints.elsewhere:,} elsewhere: omit {scope or 'the class'}."
    if hints.substring:
        yield f"match: substring finds {hints.substring:,}."
    others = [kind for kind in HINTED_KINDS if kind not in arguments["kind"]]
    kinds = [f"{kind} ({total:,})" for kind in others if (total := getattr(hints, kind))]
    if kinds:
        yield f"Other kinds find more: {', '.join(kinds)}."
    if hints.package:
        yield usable(f"{hints.package} is a package; read_code reads it.")


def _by_package(items: Sequence[Found]) -> Mapping[str | None, Sequence[Found]]:
    """Return the methods by package, in the order of the first of each; None has what is in an order of its
    own, or is not a method.
    """
    groups: dict[str | None, list[Found]] = {}
    for item in items:
        package = item.package if isinstance(item, code.FoundMethod) and item.source is None else None
        groups.setdefault(package, []).append(item)
    return groups


def _lines_of(item: Found) -> Iterator[str]:
    match item:
        case code.FoundClass():
            trait = "trait, " if item.kind == "trait" else ""
            comment = f": {item.comment}" if item.comment else ""
            yield f"{item.class_name} ({trait}{item.package}){comment}"
        case code.FoundSelector():
            yield f"{item.selector} ({item.implementors:,})"
        case code.FoundMethod():
            yield from _method_lines(item)
        case code.FoundDocumentation():
            yield from _documentation_lines(item)


def _method_lines(item: code.FoundMethod) -> Iterator[str]:
    where = code.method_name(item.class_name, item.side, item.selector)
    if item.source is not None:
        uri = method_uri(item.class_name, item.side, item.selector)
        yield f"{where} ({item.package}):"
        yield from indented(bounded(item.source, uri, LONGEST_USE).splitlines())
    elif item.text is None:
        yield where
    else:
        yield f"{where}, line {item.line}: {shortened(item.text.strip(), LONGEST_LINE)}"


def _documentation_lines(item: code.FoundDocumentation) -> Iterator[str]:
    """Yield where it is, with a line of it, and its examples with what they do in this image."""
    where = f"package {item.package}" if item.kind == "package" else item.class_name or ""
    if item.selector is not None:
        where = code.method_name(where, item.side, item.selector)
    kind = f"{item.kind} " if item.kind in CODE_KINDS else ""
    package = "" if item.kind == "package" else f" ({item.package})"
    line = f", line {item.line}" if item.line else ""
    missing = f" (without: {', '.join(item.missing)})" if item.missing else ""
    yield f"{kind}{where}{package}{line}: {shortened(item.text.strip(), LONGEST_LINE)}{missing}"
    yield from indented(map(_example_outcome, item.examples or ()))


CODE_KINDS = ("test", "example", "page")
"""Documentation that is code, or a page of help made by code."""


def _example_outcome(example: code.TriedExample) -> str:
    source = shortened(" ".join(example.source.split()), LONGEST_LINE)
    match example.outcome:
        case "holds":
            return f"{source} (holds)"
        case "differs":
            return f"{source} (does not hold here: answers {example.print_string})"
        case "failed":
            return f"{source} (fails here: {example.message_text})"
        case _:
            return f"{source} (not tried)"


def _example_line(item: code.MethodByExample) -> str:
    line = f"{code.method_name(item.class_name, None, item.selector)}: {item.expression}"
    return line if item.print_string is None else f"{line} (answers {item.print_string})"


MOST_NOT_TRIED = 20
"""Selectors that were not tried and are shown."""


def example_lines(found: code.MethodsByExample, arguments: int) -> Iterator[str]:
    """Yield the methods that answer the result, what was tried, and what was not."""
    if found.total:
        verb = "answers" if found.total == 1 else "answer"
        yield f"{count(found.total, 'method')} {verb} the result:"
        more = found.total - len(found.items)
        yield from indented(map(_example_line, found.items), more)
        if more:
            yield "An example with another result finds fewer."
    else:
        yield "No method that was tried answers the result. search finds methods by parts of their names."
    yield (
        f"Tried: {count(found.tried, 'message')}, of which {found.failed:,} signalled an error; only methods "
        "that are known to have no side effects, on copies."
    )
    if found.unfinished is not None:
        yield f"Took too long, so nothing was tried after it: {found.unfinished}"
    elif not found.complete:
        yield "The time was over before all of these were tried."
    if found.not_tried.total:
        names = listed(found.not_tried.names, MOST_NOT_TRIED, total=found.not_tried.total)
        yield (
            f"Not tried: {found.not_tried.total:,} other selectors with {count(arguments, 'argument')} that "
            f"{found.receiver_class} understands: {names}"
        )


LONGEST_CODE = 30_000
"""Characters of a page: a package of usual size is read in one call. Some clients cut what is longer."""


@tool(
    "browse",
    schema_of_arguments(
        items=names(
            "What to read: `Shop` (a package or class), `Shop-*` (packages), `ShOrder>>total`, "
            "`ShOrder class>>new`, `ShOrder>>accessing` (a protocol). Omit it to list all packages."
        ),
        detail=choice(
            "`source`, or `outline`: names, first lines of comments, counts. Default: source; outline for a "
            "package or class longer than an answer.",
            "source",
            "outline",
        ),
        max_characters=integer("Longest text to return, at most 30,000.", minimum=1, default=LONGEST_CODE),
        cursor=CURSOR,
    ),
    READS,
    core=True,
)
def read_code(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Read code as text: whole packages, classes, protocols and methods, as many as needed in one call.
    edit_code takes text of the same form. run_tests can read code, too, in the same call.
    """
    return result_of_reading(
        image.ask(
            endpoints.CODE,
            items=arguments.get("items", ()),
            detail=arguments.get("detail"),
            offset=offset_in(arguments),
            max_characters=min(arguments["max_characters"], LONGEST_CODE),
        )
    )


def result_of_reading(read: code.CodeText) -> ToolResult:
    """Return code as a result; it is an error if nothing of what was asked for exists."""
    text = TextContent("\n\n".join(_parts(read)))
    return ToolResult((text,), is_error=bool(read.missing) and not read.total)


def _parts(read: code.CodeText) -> Iterator[str]:
    """Yield what was not found, the code, and how to go on."""
    if read.missing:
        yield "\n".join(map(_missing, read.missing))
    if read.text:
        yield read.text
    if read.outlined:
        yield (
            f"In outline, because it is longer than an answer: {', '.join(read.outlined)}. Read its classes "
            "or methods by name, or all of it, page by page, with detail: source."
        )
    if read.superclasses:
        yield "\n".join(("Superclasses (with slots):", *read.superclasses))
    if read.omitted:
        yield f"Not shown (package metadata, subclasses of PackageManifest): {', '.join(read.omitted)}"
    if rest := rest_after(read.offset, read.shown, read.total, "more definitions and methods"):
        yield rest


def _missing(item: code.MissingItem) -> str:
    near = f" Similar names: {', '.join(item.near)}." if item.near else ""
    return item.message_text + near


PARTS = ("definition", "comment", "hierarchy", "variables", "methods")
MOST_NAMES = 100
"""Names in a line. Object has hundreds of subclasses; `search` lists them all, with its hierarchy."""


@tool(
    "browse",
    schema_of_arguments(
        ("class_name",),
        class_name=CLASS_NAME,
        include=choices("Parts to return; omit for all.", *PARTS),
    ),
    READS,
    core=True,
)
def get_class(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Show a class or trait: definition, comment, hierarchy, selectors by protocol."""
    details = image.ask(
        endpoints.CLASS, class_name=arguments["class_name"], include=arguments.get("include") or None
    )
    yield f"{details.name}, a {details.kind} in package {details.package}" + (
        f", tag {details.tag}" if details.tag else ""
    )
    if details.definition is not None:
        yield from ("", "Definition:", bounded(details.definition, class_uri(details.name)))
    if details.comment is not None:
        yield from ("", "Comment:", bounded(details.comment, class_uri(details.name)) or "(none)")
    names = [*_names(details)]
    yield from ("", *names) if names else ()
    yield from _methods("Methods", details.protocols)
    yield from _methods("Class-side methods", details.class_protocols)


def _names(details: code.ClassDetails) -> Iterator[str]:
    for title, known, separator in (
        ("Superclasses", details.superclasses, " > "),
        ("Subclasses", details.subclasses, ", "),
        ("Traits", details.traits, ", "),
        ("Slots", details.slots, ", "),
        ("Class-side slots", details.class_slots, ", "),
        ("Class variables", details.class_variables, ", "),
    ):
        if known is not None:
            yield f"{title}: {listed(known, MOST_NAMES, separator) or '(none)'}"


def _methods(title: str, protocols: Sequence[code.MethodProtocol] | None) -> Iterator[str]:
    if protocols is None:
        return
    yield from ("", f"{title}:" if protocols else f"{title}: (none)")
    yield from indented(f"{protocol.name}: {', '.join(protocol.selectors)}" for protocol in protocols)
