"""From what an evaluation has come to, to the result of a tool.

Code, tests, loads, undos and what an image registers are evaluations: each can end with a value or an error,
go on, pause, or ask. `result_of` makes the request and words its outcome: the value or the error first, then
what to do next. `following` gives the request an id, by which the call is cancelled, followed and asked.
`tests_in` names the tests that a request is to run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from pharo_mcp.handlers import caller_of, pass_on, questions_of
from pharo_mcp.image.client import Caller, ImageClient
from pharo_mcp.image.connection import Outcome
from pharo_mcp.image.errors import AnswerLost, ImageError, RequestRefused, SmalltalkError
from pharo_mcp.image.hints import usable, usable_line
from pharo_mcp.image.replies.code import Undone
from pharo_mcp.image.replies.evaluations import Asking, Evaluation, Failure, Paused, Running, numbered
from pharo_mcp.image.replies.image import Loaded
from pharo_mcp.image.replies.registrations import Block, Called
from pharo_mcp.image.replies.testing import RanTests
from pharo_mcp.protocol.call import Call, ClientQuestion, Result
from pharo_mcp.protocol.catalog import (
    CallFailed,
    Content,
    ImageContent,
    LongWork,
    ResourceLink,
    TextContent,
    ToolError,
    ToolResult,
    Unfinished,
    content_in,
)
from pharo_mcp.strict_json import write_shape
from pharo_mcp.tools.reports import comparison_lines, flame_graph_uri, profile_lines, tests_lines
from pharo_mcp.tools.wording import (
    LONGEST_TEXT,
    busy_lines,
    changes_made,
    indented,
    listed,
    part_of,
    ranges,
    warned,
)

LONGEST_MESSAGE = 200
"""Characters of a line of the Transcript that a progress notification shows."""
LEAST_TRANSCRIPT = 500
"""Characters at the end of the Transcript that are shown beside any result."""
STRINGS = ("ByteString", "WideString")
"""Classes of strings. With quotes or lines in them they are shown as they are, without quotes around."""
PERSON = "of the person at this client"
WHOSE = {
    **dict.fromkeys(("confirmation", "text", "choice", "form"), PERSON),
    "model": "of this client's model",
    "roots": "of this client, which folders it works in",
}
"""Who is to answer a question, by its kind."""
AFFECTED = "affected"
"""In place of the names of tests: those that reach what changed."""


def tests_in(arguments: Mapping[str, Any]) -> Mapping[str, object]:
    """Return how a request names the tests that a tool's arguments ask for; nothing without tests.

    Raises:
        ToolError: If `affected` is not alone.
    """
    tests = arguments.get("tests", ())
    if AFFECTED not in tests:
        return {"tests": tests} if tests else {}
    if len(tests) > 1:
        raise ToolError("In tests, affected must be alone. Nothing was done.", "badRequest")
    return {"affected": True}


def following(image: ImageClient, call: Call) -> Caller:
    """Return the caller of an evaluation, whose progress the call reports if its sender wants that."""

    def report(running: Running) -> None:
        how_far = _how_far(running)
        call.report(how_far.progress, how_far.message, how_far.total)

    return caller_of(image, call, report if call.wants_progress else None)


def result_of(
    image: ImageClient,
    request: Callable[[], Outcome],
    offset: int = 0,
    length: int = LONGEST_TEXT,
) -> ToolResult:
    """Return the result of a request for an outcome: `length` characters from `offset` on.

    Raises:
        ImageError: If the request fails. An error of the evaluated code is a result.
        CallFailed: If the code itself says that its failure is not for the model.
    """
    try:
        outcome = request()
    except SmalltalkError as error:
        failure = error.failure
        if error.kind == "protocol":
            raise CallFailed(error.message) from error
        blocked = _blocked(image) if error.kind == "timeout" else ()
        text = [error.message, *blocked, *changes_made(failure.changes)]
        said = _blocks(text, failure.transcript, failure.transcript_length)
        profile = tuple(_profile(failure))
        return ToolResult(said + profile, is_error=True, error={**error.details, "kind": error.kind})
    except AnswerLost as lost:
        raise ToolError("\n".join((lost.message, *_blocked(image))), lost.kind, lost.details) from lost
    if isinstance(outcome, Called):
        return _called(outcome, offset, length)
    text = [*_lines(outcome, image, offset)]
    picture_of = outcome.picture if isinstance(outcome, Evaluation) else None
    pictures = (ImageContent(picture_of.png),) if picture_of else ()
    blocks = _blocks(text, outcome.transcript, outcome.transcript_length, pictures)
    if isinstance(outcome, Evaluation | RanTests) and not offset:
        blocks = (*blocks, *_profile(outcome))
    return ToolResult(blocks, outcome, unfinished=_unfinished(outcome))


def _unfinished(outcome: Outcome) -> Unfinished | None:
    """Return how far an outcome is that will be followed by another one.

    A paused evaluation is finished: whoever asked for the pause moves it on.
    """
    match outcome:
        case Running():
            return _how_far(outcome)
        case Asking():
            return Unfinished(outcome.elapsed, outcome.asks[0].text, asks=questions_of(outcome))
        case _:
            return None


def _how_far(running: Running) -> Unfinished:
    if running.progress is not None:
        return Unfinished(running.progress, running.message, running.total)
    last_line = "".join((running.transcript or "").rstrip().splitlines()[-1:])[:LONGEST_MESSAGE]
    return Unfinished(running.elapsed, _tests_so_far(running) or last_line or None)


def _tests_so_far(running: Running) -> str | None:
    if running.total is None or running.progress is not None:
        return None
    now = f", now {running.current}" if running.current else ""
    return f"{running.done or 0} of {running.total:g} tests done{now}"


def _lines(outcome: Outcome, image: ImageClient, offset: int) -> Iterator[str]:
    match outcome:
        case Evaluation():
            yield from _value(outcome, offset)
        case RanTests():
            yield from tests_lines(outcome)
        case Loaded():
            yield f"Loaded: {', '.join(outcome.loaded) or 'nothing new'}."
        case Undone():
            yield from undone_lines(outcome)
        case Running():
            yield from _progress(outcome, image)
        case Paused():
            yield from paused_lines(outcome)
        case Asking():
            yield from _asked(outcome)
    if outcome.warnings:
        yield from ("", "Warnings:", *outcome.warnings)
    if outcome.changes and not isinstance(outcome, Undone):
        yield from ("", *changes_made(outcome.changes))


def _value(evaluation: Evaluation, offset: int) -> Iterator[str]:
    """Yield the print string; what is cut begins with its length and the id of its object."""
    cut, named = "", _object(evaluation)
    if evaluation.length is not None:
        shown, at_least = len(evaluation.print_string), bool(evaluation.length_is_at_least)
        cut = part_of(offset, shown, evaluation.length, evaluation.evaluation, at_least=at_least)
        yield from (cut, *named, "")
    if evaluation.class_name in STRINGS and not cut and set("\n'") & set(evaluation.print_string[1:-1]):
        yield evaluation.print_string[1:-1].replace("''", "'")
        yield from ("", f"(a {evaluation.class_name})")
    else:
        yield evaluation.print_string
    if named and not cut:
        yield from ("", *named)
    if evaluation.picture:
        note = f" {evaluation.picture.note}" if evaluation.picture.note else ""
        yield from ("", f"Picture: {evaluation.picture.width} by {evaluation.picture.height} pixels.{note}")
    if evaluation.no_picture:
        yield from ("", f"No picture: {evaluation.no_picture}")


def _object(evaluation: Evaluation) -> tuple[str, ...]:
    if evaluation.object_id is None:
        return ()
    described = f"object_id: {evaluation.object_id}, of class {evaluation.class_name}"
    return (usable(f"{described}; inspect_object shows its parts."),)


def _progress(running: Running, image: ImageClient) -> Iterator[str]:
    so_far = _tests_so_far(running) or running.message
    yield (
        f"Still running after {running.elapsed:.1f} seconds{f', {so_far}' if so_far else ''}; "
        f"evaluation_id: {running.evaluation}"
    )
    yield usable(FOLLOW) or NOT_FOLLOWED
    yield from _blocked(image)


def _asked(asking: Asking) -> Iterator[str]:
    for question in asking.asks:
        yield f"Waiting for an answer {WHOSE[question.kind]}: {question.text}".removesuffix(": ")
    yield f"evaluation_id: {asking.evaluation}"
    yield from usable_line(FOLLOW)


def _blocked(image: ImageClient) -> Iterator[str]:
    """Yield what the evaluation may be waiting for: another process, or the image's user interface."""
    try:
        status = image.status()
    except ImageError:
        return
    if status.busy:
        yield from busy_lines(status.busy)
        return
    interface = status.user_interface
    if interface is None or not interface.present:
        return
    if interface.answers:
        if interface.dialogs:
            dialogs = ", ".join(interface.dialogs)
            yield f"Open in the image, perhaps by this code: {dialogs}. The user can answer it there."
        return
    titles = [f"the debugger '{title}'" for title in interface.debuggers]
    titles += [f"the dialog '{title}'" for title in interface.dialogs]
    yield (
        f"The user interface of the image is blocked by {' and '.join(titles)}: code that needs it continues "
        f"when the user closes {'it' if len(titles) == 1 else 'them'}."
        if titles
        else "The user interface of the image does not respond: its process is busy."
    )


def _called(called: Called, offset: int, length: int) -> ToolResult:
    """Return one page of what something registered has returned, and which part it is unless it is all.

    All texts are counted as one text. Content that is not text is whole, on the first page.
    """
    blocks = called.contents or tuple(message.content for message in called.messages)
    shown = tuple(_shown_blocks(blocks, offset, length))
    whole, part = _text_length(blocks), _text_length(shown)
    which = "" if part == whole else part_of(offset, part, whole, called.evaluation)
    contents = (content_in(write_shape(block)) for block in shown)
    said = (which, "\n".join(warned(called.warnings)), *changes_made(called.changes))
    notes = [TextContent(note) for note in said if note]
    transcript = _transcript(called.transcript, called.transcript_length)
    return ToolResult((*contents, *notes, *transcript), called, is_error=called.is_error)


def _profile(profiled: Evaluation | RanTests | Failure) -> Iterator[Content]:
    """Yield the profile of what was profiled, with a link to its flame graph; or how its times compare."""
    if not isinstance(profiled, Failure) and profiled.comparison is not None:
        yield TextContent("\n".join(comparison_lines(profiled.comparison)))
    if profiled.profile is not None:
        yield TextContent("\n".join(profile_lines(profiled.profile, profiled.evaluation)))
        if profiled.evaluation and profiled.profile.samples:
            yield ResourceLink(flame_graph_uri(profiled.evaluation), "Flame graph", "image/svg+xml")


def _blocks(
    lines: list[str], transcript: str | None, length: int | None, pictures: tuple[ImageContent, ...] = ()
) -> tuple[Content, ...]:
    text = "\n".join(lines)
    return TextContent(text), *pictures, *_transcript(transcript, length, LONGEST_TEXT - len(text))


def _transcript(
    transcript: str | None, length: int | None, room: int = LONGEST_TEXT
) -> tuple[TextContent, ...]:
    """Return the end of the Transcript, as much as there is room for beside the rest of a result."""
    if not transcript:
        return ()
    shown = transcript[-max(room, LEAST_TRANSCRIPT) :]
    whole = length or len(transcript)
    part = "" if len(shown) == whole else f" (the last {len(shown):,} of {whole:,} characters)"
    return (TextContent(f"Transcript{part}:\n{shown}"),)


def _shown_blocks(blocks: Sequence[Block], offset: int, length: int) -> Iterator[Block]:
    first, last = offset, offset + length
    for block in blocks:
        if block.text:
            text = block.text[max(0, first) : max(0, last)]
            first, last = first - len(block.text), last - len(block.text)
            if text:
                yield block._replace(text=text)
        elif not offset:
            yield block


def _text_length(blocks: Sequence[Block]) -> int:
    return sum(len(block.text or "") for block in blocks)


MOST_PLACES = 20
"""Classes and methods that are named after an undo."""


def undone_lines(undone: Undone) -> Iterator[str]:
    """Yield what was undone, how to undo that, and what is sent but no longer implemented."""
    if undone.undone_by is not None:
        yield usable(f"It is already undone; undo_change {undone.undone_by} redoes it.")
    elif not undone.undone:
        yield usable("There was nothing to undo. list_changes shows which changes are already undone.")
    else:
        redo = f"; undo_change {max(undone.changes)} redoes it" if undone.changes else ""
        places = listed([*dict.fromkeys(map(str, undone.places))], MOST_PLACES)
        yield usable(f"Undone {ranges(undone.undone)}{places and f': {places}'}{redo}.")
        if undone.no_implementors:
            yield f"Sent, but no longer implemented: {', '.join(undone.no_implementors)}"


FOLLOW = "get_evaluation waits for its result; stop_evaluation stops it."
NOT_FOLLOWED = (
    "It goes on, but no tool of this session waits for its result: keep such results in a variable."
)
USERS = "debugger"
"""The kind of pause of a debugger that the user has open."""


def paused_lines(paused: Paused) -> Iterator[str]:
    """Yield the reason, the stack, and the variables of the user's own frames."""
    why = paused.paused
    if why.kind == USERS:
        yield f"A debugger of the user's: {why.message_text}"
    else:
        yield ": ".join(filter(None, ("Paused" if why.class_ else None, why.class_, why.message_text)))
    if paused.current:
        yield f"Test: {paused.current}, after {paused.done} of {paused.total} tests"
    yield "Stack:"
    yield from indented(numbered(why.stack))
    yield from map(str, why.frames)
    if why.kind == USERS:
        if why.selected_frame:
            yield f"The user has selected frame {why.selected_frame}."
        yield usable(
            f"evaluation_id: {paused.evaluation}; debug_show shows a frame; evaluate takes the id as "
            "error_id. Only the user can go on there."
        )
        return
    if not why.resumable:
        yield f"{why.class_ or 'The error'} cannot be resumed: skip it by over, or restart, return, retry."
    yield usable(
        f"evaluation_id: {paused.evaluation}; debug_show shows a frame; debug_step goes on; stop_evaluation "
        "ends it; evaluate takes the id as error_id."
    )


def long_work(image: ImageClient) -> LongWork:
    """Return how the evaluations of an image are followed and stopped; see LongWork."""

    def follow(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        try:
            return result_of(image, partial(image.follow, **arguments))
        except RequestRefused as refused:
            if refused.kind == "unknownEvaluation":
                raise
            # What was asked for by the call, not by following it.
            return ToolResult.from_error(refused.message, refused.kind, refused.details)

    def stop(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        return ToolResult.from_text(", ".join(image.stop(arguments["evaluation_id"]).stopped))

    def answer(evaluation: str, question: ClientQuestion, result: Result | None) -> None:
        pass_on(result, evaluation, question, image.questions)

    return LongWork(follow, stop, answer)
