"""What came of an evaluation, as text for a model: the cause or the value first, then what to do next."""

from collections.abc import Callable, Iterator

from pharo_mcp.image import (
    AnswerLost,
    Evaluation,
    ImageClient,
    ImageError,
    Running,
    SmalltalkError,
    schema_of,
    write,
)
from pharo_mcp.protocol import Call, Schema, TextContent, ToolError, ToolResult

Outcome = Evaluation | Running

OUTCOME = Schema({"type": "object", "anyOf": [schema_of(Evaluation), schema_of(Running)]})
"""What tools that answer an outcome answer to programs."""

LONGEST_MESSAGE = 200
"""Characters of a line of the Transcript that a progress notification shows."""


def result_of(image: ImageClient, ask: Callable[[], Outcome], offset: int = 0) -> ToolResult:
    """The result of asking an image for an outcome; `offset` is where its print string begins.

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
    text = [*_value(outcome, offset)] if isinstance(outcome, Evaluation) else [*_progress(outcome, image)]
    return ToolResult(_blocks(text, outcome.transcript, outcome.transcript_length), write(outcome))


def reporter(call: Call) -> Callable[[Running], None] | None:
    """Takes how far an evaluation is and reports it, if the sender of the call wants that."""

    def report(running: Running) -> None:
        written = (running.transcript or "").split()
        last = (running.transcript or "").rstrip().splitlines()[-1] if written else None
        call.report(running.elapsed, last and last[:LONGEST_MESSAGE])

    return report if call.wants_progress else None


def _value(evaluation: Evaluation, offset: int) -> Iterator[str]:
    yield evaluation.print_string
    for note in (_cut(evaluation, offset), _object(evaluation)):
        if note:
            yield from ("", note)
    if evaluation.warnings:
        yield from ("", "Warnings:", *evaluation.warnings)


def _cut(evaluation: Evaluation, offset: int) -> str | None:
    length, end = evaluation.length, offset + len(evaluation.print_string)
    if length is None:
        return None
    whole = f"{length:,}"
    if evaluation.length_is_at_least:
        whole = f"at least {whole} (printing was stopped there)"
    part = f"Characters {offset + 1:,} to {end:,} of {whole}."
    if end >= length or evaluation.evaluation is None:
        return part
    name = evaluation.evaluation
    return (
        f"{part} For the rest call get_evaluation with evaluation_id {name} and offset {end}, "
        f"or read the resource pharo://evaluation/{name}."
    )


def _object(evaluation: Evaluation) -> str | None:
    if evaluation.object_id is None:
        return None
    return (
        f"object_id: {evaluation.object_id}, of class {evaluation.class_name} "
        "(inspect_object shows its parts, evaluate takes it as receiver)"
    )


def _progress(running: Running, image: ImageClient) -> Iterator[str]:
    yield f"Still running after {running.elapsed:.1f} seconds; evaluation_id: {running.evaluation}"
    yield "get_evaluation with that id waits for it and answers its value, stop_evaluation ends it."
    yield from _blocked(image)
    if running.warnings:
        yield from ("", "Warnings:", *running.warnings)


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


def _blocks(lines: list[str], transcript: str | None, whole: int | None) -> tuple[TextContent, ...]:
    text = TextContent("\n".join(lines))
    if not transcript:
        return (text,)
    part = "" if whole is None else f" (the last {len(transcript):,} of {whole:,} characters)"
    return text, TextContent(f"Transcript{part}:\n{transcript}")
