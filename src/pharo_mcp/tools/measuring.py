"""Tools that run tests, and find out what takes memory and time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.hints import usable_line
from pharo_mcp.image.replies.evaluations import ClassMemory, FoundObject, FoundObjects
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent, ToolError, ToolResult
from pharo_mcp.times import MAX_EVALUATION_SECONDS, TESTS_SECONDS, WAIT_SECONDS
from pharo_mcp.tools.browsing import LONGEST_CODE, result_of_reading
from pharo_mcp.tools.declaration import (
    ADDS,
    ANYTHING,
    ON_ERROR,
    READS,
    choice,
    flag,
    integer,
    names,
    names_of_tests,
    number,
    schema_of_arguments,
    string,
    tool,
    wait_seconds,
)
from pharo_mcp.tools.outcomes import AFFECTED, following, result_of, tests_in
from pharo_mcp.tools.wording import count, indented


@tool(
    "test",
    schema_of_arguments(
        tests=names_of_tests(),
        since=integer("For affected tests: only changes after this number.", minimum=0),
        mutants=flag(
            "After the tests, change methods in small ways, one at a time, and list what no test notices.",
            default=False,
        ),
        mutate=names("Packages, classes or methods to change for mutants; omit for what changed."),
        read=names("Packages, classes or methods to read in the same call."),
        coverage=names("Packages whose coverage to report."),
        against=integer("Number of a change: compare each test's time with the time before it.", minimum=1),
        slower_than=number(
            "With against: a test fails if it takes more than this many times as long; default: 1.5.",
            exclusiveMinimum=1,
            maximum=1000,
        ),
        only_failures=flag("Leave out passing tests.", default=True),
        timeout_seconds=number(
            "Seconds until the run is terminated.", maximum=MAX_EVALUATION_SECONDS, default=TESTS_SECONDS
        ),
        test_timeout_seconds=number("Seconds until a test is terminated.", default=10),
        on_error=ON_ERROR,
    ),
    ADDS,
    core=True,
    takes_long=True,
)
def run_tests(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Run tests: those of packages and classes, single ones, or those that changes affect; may return an
    evaluation_id.
    """
    options = _selection(arguments)
    result = result_of(image, partial(image.run, endpoints.TESTS, following(image, call), **options))
    if items := arguments.get("read"):
        told = sum(len(each.text) for each in result.contents if isinstance(each, TextContent))
        room = max(LONGEST_CODE - told, LONGEST_CODE // 2)
        return result.followed_by(
            result_of_reading(image.ask(endpoints.CODE, items=items, max_characters=room))
        )
    return result


def _selection(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of the request: which tests to run, and what else to do.

    `since` asks for the affected tests, `mutate` for mutants. Mutants and times need no selection of tests.

    Raises:
        ToolError: If it is not clear which tests to run, or what to compare them with.
    """
    omitted = ("read", "tests")
    options = {name: each for name, each in arguments.items() if name not in omitted and each is not False}
    options |= {"only_failures": arguments["only_failures"], **tests_in(arguments)}
    if "slower_than" in options and "against" not in options:
        raise ToolError("slower_than needs against, the number of a change. No tests were run.", "badRequest")
    if "mutate" in options:
        options["mutants"] = True
    elif "since" in options:
        options[AFFECTED] = True
    if "since" in options and "tests" in options:
        raise ToolError("since is for affected tests: omit it, or tests. No tests were run.", "badRequest")
    if not options.keys() & {"tests", AFFECTED, "mutants", "against"}:
        raise ToolError(
            "run_tests needs tests: names of packages, classes or tests, or affected. No tests were run.",
            "badRequest",
        )
    return options


@tool(
    "insight",
    schema_of_arguments(
        ("relation",),
        relation=choice(
            "compare lists what grew since the mark; its first call sets that.",
            "instances",
            "subinstances",
            "holders",
            "path_to_root",
            "compare",
        ),
        class_name=string("Class; for path_to_root, any of its instances."),
        object_id=string("Id of the object, if not of a class."),
        mark=string("Name of a mark."),
        limit=integer("Results at most.", minimum=0, maximum=100, default=20),
    ),
    READS,
)
def find_objects(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Find objects in memory, who holds them (leaks), and what grows."""
    _check_relation(arguments)
    return found_lines(image.ask(endpoints.OBJECTS, **arguments))


def _check_relation(arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that do not belong together.

    Raises:
        ToolError: If it is not clear what to look for.
    """
    relation, given = arguments["relation"], arguments.keys() & {"class_name", "object_id"}
    if relation == "compare" and given:
        raise ToolError("compare looks at all classes: omit class_name and object_id.", "badRequest")
    if relation != "compare" and len(given) != 1:
        raise ToolError(
            f"{relation} needs either class_name or object_id, an id that an answer named.", "badRequest"
        )
    if relation != "compare" and "mark" in arguments:
        raise ToolError("Only compare has a mark: omit mark.", "badRequest")


def found_lines(found: FoundObjects) -> Iterator[str]:
    """Yield what was found, as its relation asks for, and what was not looked at."""
    if found.relation == "compare" or found.count_ is not None or found.visited is not None:
        yield from LINES[found.relation](found)
    elif found.subject:
        yield _object(found.subject)
    yield from found.notes


def _instances(found: FoundObjects) -> Iterator[str]:
    included = ", those of subclasses included" if found.relation == "subinstances" else ""
    total = f"{count(found.count_ or 0, 'instance')}, {count(found.bytes or 0, 'byte')}"
    yield f"{_subject(found).print_string}: {total}{included}"
    if found.classes:
        yield "Most bytes:"
        yield from indented(
            f"{each.class_name}: {each.count_:,}, {each.bytes:,} bytes" for each in found.classes
        )
    if found.items:
        first = "The first:" if len(found.items) == 1 else f"The first {len(found.items):,}:"
        yield "Instances:" if len(found.items) == found.count_ else first
        yield from indented(f"{_object(each)}, {each.bytes:,} bytes" for each in found.items)


def _holders(found: FoundObjects) -> Iterator[str]:
    total = found.count_ or 0
    verb = "holds" if total == 1 else "hold"
    yield f"{count(total, 'object')} {verb} {_object(_subject(found))}{':' if found.items else '.'}"
    yield from indented((f"{_object(each)}, by {each.by}" for each in found.items), total - len(found.items))
    if len(found.items) < total:
        yield "To see more, raise limit (at most 100)."
    if found.own:
        yield f"pharo-mcp holds it, too: {', '.join(found.own)}."


RESET = {"the object table", "the stacks of errors", "a workspace"}
"""What pharo-mcp keeps in an image until its workspace is reset."""


def _path_to_root(found: FoundObjects) -> Iterator[str]:
    subject = _object(_subject(found))
    if found.root is None:
        yield f"Nothing was found that keeps {subject} alive."
    elif found.is_ours:
        yield f"Only pharo-mcp keeps {subject} alive: {', '.join(found.own)}."
        if RESET.issuperset(found.own):
            yield from usable_line("evaluate with reset_workspace: true frees it.")
    elif not found.items:
        yield f"{subject} needs nothing to keep it alive: it is {found.root}."
    else:
        yield f"{subject} is kept alive by {found.root}:"
        for depth, each in enumerate(found.items, 1):
            yield f"{'  ' * min(depth, 12)}{each.by} -> {_object(each)}"


def _comparison(found: FoundObjects) -> Iterator[str]:
    total = f"{count(found.count_ or 0, 'object')}, {found.bytes or 0:,} bytes"
    if found.grew is None:
        yield f"Mark {found.mark} is set: {total}. Call compare again to see what has grown since."
        return
    yield f"Since mark {found.mark}: {_change(found)}; now {total}."
    yield from _changes("Grew", found.grew)
    yield from _changes("Shrank", found.shrank or ())


def _changes(heading: str, classes: Sequence[ClassMemory]) -> Iterator[str]:
    yield f"{heading}:" if classes else f"{heading}: nothing."
    yield from indented(f"{each.class_name}: {_change(each)}; now {each.count_:,}" for each in classes)


def _change(grown: ClassMemory | FoundObjects) -> str:
    changes = ((grown.count_change or 0, "object"), (grown.bytes_change or 0, "byte"))
    return ", ".join(f"{each:+,} {noun if abs(each) == 1 else noun + 's'}" for each, noun in changes)


def _subject(found: FoundObjects) -> FoundObject:
    return found.subject or FoundObject("", "")


def _object(found: FoundObject) -> str:
    object_id = f", {found.object_id}" if found.object_id else ""
    return f"{found.print_string} ({found.class_name}{object_id})"


LINES: Mapping[str, Callable[[FoundObjects], Iterator[str]]] = {
    "instances": _instances,
    "subinstances": _instances,
    "holders": _holders,
    "path_to_root": _path_to_root,
    "compare": _comparison,
}
"""The text of each relation."""


@tool(
    "insight",
    schema_of_arguments(
        expression=string("Expression to evaluate; or tests.", maxLength=600_000),
        tests=names("Packages, classes or tests (`ShOrderTest>>testTotal`) to run."),
        timeout_seconds=number(
            "Seconds until the evaluation is terminated.", exclusiveMinimum=0, maximum=MAX_EVALUATION_SECONDS
        ),
        wait_seconds=wait_seconds("Seconds to wait before returning an evaluation_id"),
        process=choice("Process to evaluate in; `ui` is that of the windows.", "background", "ui"),
        against=integer("Number of a change: compare the time with the time before it."),
    ),
    ANYTHING,
    takes_long=True,
)
def profile(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Report where time goes while an expression or tests run, or compare it with earlier code."""
    options = dict(arguments)
    if ("expression" in options) == bool(options.get("tests")):
        raise ToolError("profile needs either expression or tests. Nothing ran.", "badRequest")
    limit = image.limit if options.keys() & {"expression", "against"} == {"expression"} else TESTS_SECONDS
    asked = {"timeout_seconds": limit, "wait_seconds": WAIT_SECONDS, **options}
    return result_of(image, partial(image.run, endpoints.PROFILE, following(image, call), **asked))
