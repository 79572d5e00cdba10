"""Tools that evaluate Smalltalk, follow and stop that, and look at the objects it returns."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pharo_mcp.handlers import asker_of, caller_before
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.hints import usable
from pharo_mcp.image.replies.evaluations import Inspection, Stopped, TestDraft, WindowContent, numbered
from pharo_mcp.image.replies.image import Handover
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent, ToolError, ToolResult
from pharo_mcp.times import MAX_EVALUATION_SECONDS, WAIT_SECONDS
from pharo_mcp.tools.declaration import (
    ANYTHING,
    DESTROYS,
    READS,
    Property,
    any_string,
    choice,
    flag,
    integer,
    names_of_tests,
    number,
    schema_of_arguments,
    string,
    tool,
    wait_seconds,
)
from pharo_mcp.tools.outcomes import following, result_of, tests_in
from pharo_mcp.tools.wording import LONGEST_ASKED, LONGEST_TEXT, indented, part_line

FOLLOW_SECONDS = 20
"""The wait of `get_evaluation` for an evaluation that is still running, unless the caller says otherwise."""


def _properties(limit: float) -> Mapping[str, Property]:
    """Return the arguments of `evaluate` in a session with that time limit in seconds."""
    return {
        "expression": any_string(
            "Smalltalk statements, separated by periods.",
            maxLength=600_000,  # the image accepts this many, however they are escaped
        ),
        "timeout_seconds": number(
            "Seconds until the evaluation is terminated.",
            exclusiveMinimum=0,
            maximum=MAX_EVALUATION_SECONDS,
            default=limit,
        ),
        "wait_seconds": wait_seconds(
            "Seconds to wait before returning an evaluation_id instead", default=WAIT_SECONDS
        ),
        "max_characters": integer(
            "Longest result to return, at most 200,000.", minimum=1, maximum=LONGEST_ASKED, default=3_000
        ),
        "workspace": string("Workspace that keeps the variables.", default="default"),
        "reset_workspace": flag("Remove the workspace's variables and all object ids first.", default=False),
        "tests": names_of_tests(" afterwards, if the evaluation succeeds"),
        "receiver": string("object_id of the object to use as `self`."),
        "error_id": string("Id of an error or paused evaluation, to evaluate in its stack."),
        "frame": integer("Frame in error_id's stack.", minimum=1),
        "picture": flag("Add a picture of the value.", default=False),
        "process": choice(
            "Process to evaluate in; `ui` can open windows.", "background", "ui", default="background"
        ),
        "on_error": choice(
            "Report an error, pause on it, or open the user's debugger.",
            "report",
            "pause",
            "debug",
            default="report",
        ),
    }


@tool(
    "evaluate",
    lambda image: schema_of_arguments(("expression",), **_properties(image.limit)),
    ANYTHING,
    core=True,
    takes_long=True,
)
def evaluate(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Evaluate Smalltalk in the live image; returns the print string of the last value. Undeclared
    variables are kept. To change code, use edit_code.
    """
    options = {name: value for name, value in arguments.items() if name != "tests"}
    selection = tests_in(arguments)
    if options.pop("reset_workspace"):
        image.ask(endpoints.WORKSPACE, workspace=options["workspace"], reset=True)
    if not selection:
        return result_of(image, partial(image.evaluate, caller=following(image, call), **options))
    result = result_of(image, partial(image.evaluate, caller=caller_before(image, call), **options))
    if result.is_error:
        return result._replace(contents=(*result.contents, TextContent("No tests were run.")))
    run = partial(image.run, endpoints.TESTS, following(image, call), **selection)
    return result.followed_by(result_of(image, run))


@tool(
    "evaluate",
    schema_of_arguments(
        ("evaluation_id",),
        evaluation_id=string("Id from the earlier call."),
        wait_seconds=wait_seconds("Seconds to wait for the end", default=FOLLOW_SECONDS),
        offset=integer("Characters to skip.", default=0),
        max_characters=integer("Longest result to return.", maximum=LONGEST_ASKED, default=LONGEST_TEXT),
    ),
    READS,
    core=True,
)
def get_evaluation(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Wait for a running evaluation or tests, or return the next part of a long result."""
    options = dict(arguments)
    evaluation_id = options.pop("evaluation_id")
    asker = asker_of(call, image.questions)
    page = arguments["offset"], arguments["max_characters"]
    return result_of(image, lambda: image.follow(evaluation_id, **options, asker=asker), *page)


@tool(
    "evaluate",
    schema_of_arguments(
        evaluation_id=string("Id from the earlier call."),
        all=flag("Stop all evaluations.", default=False),
        interrupt=flag(
            "Suspend the other process that keeps the image busy, as the user can with Cmd-.", default=False
        ),
    ),
    DESTROYS,
    core=True,
)
def stop_evaluation(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Stop an evaluation or tests, or interrupt what blocks them. What was done is not undone."""
    evaluation_id = arguments.get("evaluation_id")
    if [evaluation_id is not None, arguments["all"], arguments["interrupt"]].count(True) != 1:
        raise ToolError(
            "stop_evaluation needs one of evaluation_id, all: true and interrupt: true. Nothing was stopped.",
            "badRequest",
        )
    if arguments["interrupt"]:
        yield _interrupted(image.interrupt())
        return
    stopped = image.stop(evaluation_id)
    if call.client:
        for each in stopped.stopped:
            call.client.withdraw(each)
    if stopped.stopped:
        yield f"Stopped: {', '.join(stopped.stopped)}. What was done until then is not undone."
    if stopped.frozen:
        yield (
            "Stopped in the middle of its ensure: blocks, because it could not be terminated: "
            f"{', '.join(stopped.frozen)}. "
            "It no longer runs, but may hold locks until the image is restarted."
        )
    if not stopped.stopped and not stopped.frozen:
        yield f"No evaluation {'with that id ' if evaluation_id else ''}was running. Nothing was stopped."


def _interrupted(stopped: Stopped) -> str:
    if stopped.interrupted is None:
        return (
            "Nothing was interrupted: no process keeps evaluations from running, or it is one of theirs. "
            "stop_evaluation stops that by its id."
        )
    return (
        f"Interrupted: {stopped.interrupted}. The process is suspended, not ended. If the image has windows, "
        "a debugger is open on it there, and the user interface goes on in a new process."
    )


@tool(
    "evaluate",
    schema_of_arguments(
        object_id=string("Id of the object, such as o-17."),
        error_id=string("Id of an error or paused evaluation, to show a frame of its stack."),
        frame=integer("Frame in error_id's stack.", minimum=1),
        as_test=flag("Instead, write a test that reproduces the error.", default=False),
        path={
            "type": "array",
            "items": {"type": ["string", "integer"]},
            "default": [],
            "description": "Path to another object: variable names, indexes from 1, keys as printed "
            "(#a, 'b').",
        },
        offset=integer("Elements to skip.", minimum=0, default=0),
        limit=integer("Elements per page.", minimum=1, maximum=500, default=50),
    ),
    READS,
    core=True,
)
def inspect_object(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Show an object: class, instance variables and elements, with their ids. Or a window: its text, and
    what is selected in it.
    """
    if len(arguments.keys() & {"object_id", "error_id"}) != 1:
        raise ToolError(
            "inspect_object needs either object_id or error_id: use one that an answer named.", "badRequest"
        )
    options = dict(arguments)
    if not options.pop("as_test"):
        return _inspected(image.ask(endpoints.INSPECT, **options), arguments["offset"])
    if "error_id" not in options:
        raise ToolError("A test is written of an error: give its error_id.", "badRequest")
    return _drafted(
        image.ask(endpoints.INSPECT_TEST, error_id=options["error_id"], frame=options.get("frame"))
    )


def _drafted(draft: TestDraft) -> Iterator[str]:
    yield draft.text
    if draft.missing:
        yield f"Missing, so fill in: {', '.join(draft.missing)}."
    yield f"It sends the message of frame {draft.frame} again. Nothing was changed."


def _inspected(inspection: Inspection, offset: int) -> Iterator[str]:
    if inspection.window:
        yield from window_lines(inspection.window)
        yield from ("", *(part_line(each) for each in inspection.variables))
        yield _where(inspection)
        return
    yield inspection.print_string
    yield f"Class: {inspection.class_name}"
    yield _where(inspection)
    if inspection.size is not None:
        yield f"Size: {inspection.size:,}"
    yield from ("", "Instance variables:" if inspection.variables else "Instance variables: (none)")
    yield from indented(map(part_line, inspection.variables))
    if inspection.elements:
        end, count = offset + len(inspection.elements), inspection.element_count
        yield from ("", f"Elements {offset + 1:,} to {end:,} of {count:,}:")
        yield from indented(map(part_line, inspection.elements))
        if end < count:
            yield f"For more elements, use offset {end}."


def _where(inspection: Inspection) -> str:
    """Return the id of the object, or the path of one that has no id."""
    if inspection.path and not inspection.found_id:
        return f"Object: {inspection.object_id}, path {' '.join(map(str, inspection.path))}"
    return f"object_id: {inspection.found_id or inspection.object_id}"


def handed_over(handover: Handover) -> str:
    """Return what was handed over, and its id."""
    shown = usable(f", which inspect_object shows as {handover.object_id}")
    return f"{handover.kind} {handover.title}{shown}"


def window_lines(window: WindowContent) -> Iterator[str]:
    """Yield the kind and title, the stack of a debugger, the text, and what is selected in it."""
    yield f"{window.kind.capitalize()} {window.title}{', active' if window.active else ''}"
    if window.field is not None:
        yield f"Selected field: {window.field}"
    if window.stack:
        yield "Stack:"
        yield from indented(numbered(window.stack))
    if window.frame is not None:
        yield f"Selected frame: {window.frame}"
    if window.text is None:
        return
    yield from ("", f"Text{', not accepted' if window.edited else ''}:")
    yield from indented(window.text.splitlines())
    if window.text_length is not None and window.text_length > len(window.text):
        yield f"    … of {window.text_length:,} characters"
    if window.selection and window.selection.text:
        yield f"Selected, characters {window.selection.from_} to {window.selection.to}:"
        yield from indented(window.selection.text.splitlines())
