"""What came of an evaluation, as text for a model: the cause or the value first, then what to do next."""

from collections.abc import Callable, Iterator
from typing import get_args

from pharo_mcp.image import (
    AnswerLost,
    Called,
    Evaluation,
    ImageClient,
    ImageError,
    Loaded,
    Outcome,
    RanTests,
    Running,
    SmalltalkError,
    schema_of,
    write,
)
from pharo_mcp.protocol import Call, Schema, TextContent, ToolError, ToolResult, content_in

from .contents import blocks_of, page_of
from .paging import part_of
from .ran_tests import as_told, tests_lines
from .wording import LONGEST_TEXT, warned

Tell = Callable[[Running], None]
Ask = Callable[[str, Tell | None], Outcome]
"""Asks an image for an evaluation under an id, with what is to be told how far it is."""

LONGEST_MESSAGE = 200
"""Characters of a line of the Transcript that a progress notification shows."""


def outcome_schema() -> Schema:
    """What tools that answer an outcome answer to programs."""
    return Schema({"type": "object", "anyOf": [schema_of(each) for each in get_args(Outcome)]})


def result_of_new(image: ImageClient, call: Call, ask: Ask) -> ToolResult:
    """The result of a new evaluation, which ends when its call is cancelled, and is reported on.

    Raises:
        ImageError: See result_of.
    """
    evaluation = image.new_evaluation(call.on_cancel)
    return result_of(image, lambda: ask(evaluation, reporter(call)))


def result_of(
    image: ImageClient, ask: Callable[[], Outcome], offset: int = 0, most: int = LONGEST_TEXT
) -> ToolResult:
    """The result of asking an image for an outcome, of `most` characters from `offset` on.

    Raises:
        ImageError: If there is none, save for what evaluated code did: that is a result, too.
    """
    try:
        outcome = ask()
    except SmalltalkError as error:
        failure = error.failure
        text = [error.message, *(_blocked(image) if error.kind == "timeout" else ())]
        blocks = _blocks(text, failure.transcript, failure.transcript_length)
        return ToolResult(blocks, is_error=True)
    except AnswerLost as lost:
        raise ToolError("\n".join((lost.message, *_blocked(image))), lost.kind, lost.details) from lost
    if isinstance(outcome, Called):
        return _called(outcome, offset, most)
    blocks = _blocks([*_lines(outcome, image, offset)], outcome.transcript, outcome.transcript_length)
    return ToolResult(blocks, write(as_told(outcome) if isinstance(outcome, RanTests) else outcome))


def reporter(call: Call) -> Tell | None:
    """Takes how far an evaluation is and reports it, if the sender of the call wants that."""

    def report(running: Running) -> None:
        if running.progress is not None:
            call.report(running.progress, running.message, running.total)
        else:
            call.report(running.elapsed, _tests_so_far(running) or _last_line(running.transcript))

    return report if call.wants_progress else None


def _tests_so_far(running: Running) -> str | None:
    if running.total is None or running.progress is not None:
        return None
    now = f", now {running.current}" if running.current else ""
    return f"{running.done or 0} of {running.total:g} tests done{now}"


def _last_line(transcript: str | None) -> str | None:
    written = (transcript or "").rstrip()
    return written.splitlines()[-1][:LONGEST_MESSAGE] if written else None


def _lines(outcome: Outcome, image: ImageClient, offset: int) -> Iterator[str]:
    match outcome:
        case Evaluation():
            yield from _value(outcome, offset)
        case RanTests():
            yield from tests_lines(outcome)
        case Loaded():
            yield f"Loaded: {', '.join(outcome.loaded) or 'nothing new'}."
        case Running():
            yield from _progress(outcome, image)
    if outcome.warnings:
        yield from ("", "Warnings:", *outcome.warnings)


def _value(evaluation: Evaluation, offset: int) -> Iterator[str]:
    yield evaluation.print_string
    for note in (_cut(evaluation, offset), _object(evaluation)):
        if note:
            yield from ("", note)


def _cut(evaluation: Evaluation, offset: int) -> str | None:
    if evaluation.length is None:
        return None
    shown, at_least = len(evaluation.print_string), bool(evaluation.length_is_at_least)
    return part_of(offset, shown, evaluation.length, evaluation.evaluation, at_least=at_least)


def _object(evaluation: Evaluation) -> str | None:
    if evaluation.object_id is None:
        return None
    return (
        f"object_id: {evaluation.object_id}, of class {evaluation.class_name} (evaluate takes it as receiver)"
    )


def _progress(running: Running, image: ImageClient) -> Iterator[str]:
    so_far = _tests_so_far(running)
    yield (
        f"Still running after {running.elapsed:.1f} seconds{f', {so_far}' if so_far else ''}; "
        f"evaluation_id: {running.evaluation}"
    )
    yield "get_evaluation with that id waits for it and answers its value, stop_evaluation ends it."
    yield from _blocked(image)


def _blocked(image: ImageClient) -> Iterator[str]:
    """A sentence if the image's user interface may be what an evaluation waits for."""
    try:
        interface = image.status().user_interface
    except ImageError:
        return
    if interface is None or not interface.present or interface.answers:
        return
    titles = [f"the debugger '{title}'" for title in interface.debuggers]
    titles += [f"the dialog '{title}'" for title in interface.dialogs]
    yield (
        f"The user interface of the image is blocked by {' and '.join(titles)}: code that needs it goes on "
        "when the user has closed that."
        if titles
        else "The user interface of the image does not answer: something keeps its process busy."
    )


def _called(called: Called, offset: int, most: int) -> ToolResult:
    page, part = page_of(called, offset, most)
    contents = (content_in(write(block)) for block in blocks_of(page))
    notes = [TextContent(note) for note in (part, "\n".join(warned(called.warnings))) if note]
    transcript = _transcript(called.transcript, called.transcript_length)
    return ToolResult((*contents, *notes, *transcript), write(page), is_error=called.is_error)


def _blocks(lines: list[str], transcript: str | None, whole: int | None) -> tuple[TextContent, ...]:
    return TextContent("\n".join(lines)), *_transcript(transcript, whole)


def _transcript(transcript: str | None, whole: int | None) -> tuple[TextContent, ...]:
    if not transcript:
        return ()
    part = "" if whole is None else f" (the last {len(transcript):,} of {whole:,} characters)"
    return (TextContent(f"Transcript{part}:\n{transcript}"),)
