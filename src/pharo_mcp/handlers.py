"""Between a call and the image: what the handlers of tools, resources and prompts share.

Who waits for an evaluation, who is asked and who answers; and what stands around every handler: its deadline,
the errors of the image in the words of the call, notices about the image, and the person's consent.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from typing import Any, TypeVar

from pharo_mcp.image.client import Caller, ImageClient, new_evaluation_id
from pharo_mcp.image.connection import ProgressListener, all_within
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.hints import session_without
from pharo_mcp.image.questions import Questions
from pharo_mcp.image.replies.evaluations import Asking
from pharo_mcp.protocol.call import (
    AskableClient,
    Call,
    ClientQuestion,
    ClientRequest,
    Result,
    answer_in,
    is_confirmed,
    request_for,
    why_declined,
)
from pharo_mcp.protocol.catalog import (
    Catalog,
    Complete,
    Completion,
    Handler,
    InvalidArguments,
    ResourceNotFound,
    TextContent,
    Tool,
    ToolError,
    ToolResult,
)
from pharo_mcp.strict_json import wire_name

CONFIRM_SECONDS = 30.0
"""How long a tool waits for the person to agree, which leaves it time to run before its call must be over."""

UNCONFIRMED = ("debug_step", "evaluate", "profile", "search", "stop_evaluation")
"""Destructive tools that ask nobody.

`evaluate`, `debug_step` and `profile` are called all the time, and people who are asked at each call soon
agree without reading; searching by example calls only methods that are known to be harmless; stopping
protects the image.
"""
LONGEST_ARGUMENT = 200
"""Characters of an argument that the person sees."""


def questions_of(asking: Asking) -> tuple[ClientQuestion, ...]:
    """Return the questions of an evaluation as the client is asked them."""
    return tuple(ClientQuestion(*question) for question in asking.asks)


class ClientAsker:
    """Asks a client; see `image.questions.Asker`."""

    def __init__(self, client: AskableClient, answers: Questions) -> None:
        self.can_ask = client.can_ask
        self.continues = client.evaluation is not None
        self._client = client
        self._answers = answers

    def ask(self, asking: Asking, seconds: float) -> bool:
        """See Asker. Raises InputRequired if the answers can only come with another request of the client."""
        questions = {question.id: question for question in questions_of(asking)}

        def on_result(request: ClientRequest, result: Result | None) -> None:
            pass_on(result, asking.evaluation, questions[request.name], self._answers)

        requests = [request_for(question) for question in questions.values()]
        return self._client.ask(requests, asking.evaluation, on_result, seconds)

    def withdraw(self, evaluation: str) -> None:
        """See Asker."""
        self._client.withdraw(evaluation)


def caller_of(image: ImageClient, call: Call, on_progress: ProgressListener | None = None) -> Caller:
    """Return the caller of an evaluation, which is stopped with the call and asks the call's client."""
    caller = caller_before(image, call, call.evaluation or call.work_id)
    asker = asker_of(call, image.questions)
    return caller._replace(on_progress=on_progress, asker=asker, wait_seconds=call.work_seconds)


def caller_before(image: ImageClient, call: Call, evaluation_id: str | None = None) -> Caller:
    """Return the caller of an evaluation that others follow in a call, and that is stopped with the call."""
    evaluation_id = evaluation_id or new_evaluation_id()
    call.on_cancel(partial(image.cancel, evaluation_id))
    return Caller(evaluation_id)


def asker_of(call: Call, answers: Questions) -> ClientAsker | None:
    """Return what passes the questions of an evaluation on to the client of a call, if it can be asked."""
    return ClientAsker(call.client, answers) if call.client else None


def pass_on(result: Result | None, evaluation: str, question: ClientQuestion, answers: Questions) -> None:
    """Pass the result of a client on to the evaluation that asked; None if the client has none."""
    why = "failed" if result is None else why_declined(result)
    if result is None or why:
        answers.decline(evaluation, question.id, why or "failed")
    else:
        answers.answer(evaluation, question.id, answer_in(question, result))


ToolHandler = Callable[[ImageClient, Mapping[str, Any], Call], ToolResult | Iterable[str]]
"""Does what a call asks for, with an image and checked arguments. Raises ImageError and ToolError."""


def run_handler(
    handler: ToolHandler, image: ImageClient, arguments: Mapping[str, Any], call: Call
) -> ToolResult:
    """Return the result of a handler that returns one, or that returns or yields the lines of its text."""
    answer = handler(image, arguments, call)
    return answer if isinstance(answer, ToolResult) else ToolResult.from_text("\n".join(answer))


Refusals = Mapping[str, type[Exception]]
"""The exceptions for kinds of image errors that are not tool errors."""

UNKNOWN = ("unknownClass", "unknownMethod", "unknownPackage")
NOT_FOUND: Refusals = dict.fromkeys((*UNKNOWN, "unknownEvaluation", "badRequest"), ResourceNotFound)
INVALID: Refusals = dict.fromkeys((*UNKNOWN, "badRequest"), InvalidArguments)

NO_NAMES: Mapping[str, str] = {}
NO_REFUSALS: Refusals = {}
Arguments = TypeVar("Arguments", bound=Mapping[str, object])
Answer = TypeVar("Answer")


def translate_errors(catalog: Catalog, image: ImageClient, absent: Set[str]) -> Catalog:
    """Return a catalog whose handlers translate image errors, keep to their deadlines, and append notices.

    What they say names no tool that is absent from the session.
    """
    within = partial(_within, absent)
    return catalog._replace(
        tools=tuple(_translated_tool(tool, image, within) for tool in catalog.tools),
        resources=tuple(
            each._replace(read=within(_translated(each.read, refusals=NOT_FOUND)))
            for each in catalog.resources
        ),
        templates=tuple(
            each._replace(read=within(_translated(each.read, refusals=NOT_FOUND)))
            for each in catalog.templates
        ),
        prompts=tuple(
            each._replace(render=within(_translated(each.render, refusals=INVALID)))
            for each in catalog.prompts
        ),
        complete=_translated_completion(catalog.complete),
    )


def _within(
    absent: Set[str], handler: Callable[[Arguments, Call], Answer]
) -> Callable[[Arguments, Call], Answer]:
    """Return a handler whose hints name no absent tools; most sessions have all tools."""
    return session_without(absent)(handler) if absent else handler


def _translated_tool(tool: Tool, image: ImageClient, within: Callable[[Handler], Handler]) -> Tool:
    work = tool.long_work
    return tool._replace(
        handler=within(_with_notices(_translated(tool.handler, _by_wire_name(tool)), image, tool)),
        long_work=work
        and work._replace(
            follow=within(_with_notices(_translated(work.follow), image, tool)),
            stop=_translated(work.stop),
        ),
    )


def _translated(
    answer: Callable[[Arguments, Call], Answer],
    names: Mapping[str, str] = NO_NAMES,
    refusals: Refusals = NO_REFUSALS,
) -> Callable[[Arguments, Call], Answer]:
    """Return a handler that keeps to its call's deadline and translates image errors.

    Args:
        answer: The handler.
        names: The names of its arguments by those that an image's refusals use for them.
        refusals: The exceptions for some kinds of image errors; all others become tool errors.
    """

    def translating(asked: Arguments, call: Call) -> Answer:
        _check_text(asked)
        try:
            with all_within(call.remaining):
                return answer(asked, call)
        except ImageError as error:
            message = _message_of(error, names)
            if refusal := refusals.get(error.kind):
                raise refusal(message) from error
            raise ToolError(message, error.kind, error.details) from error

    return translating


def _by_wire_name(tool: Tool) -> Mapping[str, str]:
    """Return the names of a tool's arguments by their names in an image, which are in camelCase."""
    return {wire_name(name): name for name in tool.input_schema.properties}


def _message_of(error: ImageError, names: Mapping[str, str]) -> str:
    """Return the error's message, with the names of arguments that the model knows."""
    if error.kind != "badRequest":
        return error.message
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), error.message)


def _translated_completion(complete: Complete) -> Complete:
    """Return the same for completions."""

    def translating(name: str, begun: str, filled: Mapping[str, str], call: Call) -> Completion:
        def answer(words: Mapping[str, str], call: Call) -> Completion:
            return complete(name, begun, filled, call)

        completed: Completion = _translated(answer)({**filled, name: begun}, call)
        return completed

    return translating


def _check_text(asked: Mapping[str, object]) -> None:
    """Refuse unpaired surrogates, which JSON can express and text cannot contain; name the argument."""
    for name, word in asked.items():
        try:
            str(word).encode()
        except UnicodeEncodeError as error:
            raise ToolError(
                f"`{name}` is not valid Unicode: character {error.start + 1} is an unpaired surrogate. "
                "Nothing ran.",
                "badRequest",
            ) from error


def _with_notices(
    handler: Callable[[Arguments, Call], ToolResult], image: ImageClient, tool: Tool
) -> Callable[[Arguments, Call], ToolResult]:
    """Return a handler that appends notices about the image to its results and errors."""

    def appending(asked: Arguments, call: Call) -> ToolResult:
        try:
            result = handler(asked, call)
        except ToolError as error:
            words = "\n\n".join((error.message, *_notices(image, tool)))
            raise ToolError(words, error.kind, error.details) from error
        notices = _notices(image, tool)
        if not notices:
            return result
        return result._replace(contents=(*result.contents, *map(TextContent, notices)))

    return appending


def _notices(image: ImageClient, tool: Tool) -> list[str]:
    notices = [image.take_notice()]
    if not tool.annotations.get("readOnlyHint") and image.are_several() and image.current_image:
        notices.append(f"Image: {image.current_image}")
    return [notice for notice in notices if notice]


def confirming(catalog: Catalog, *, built_in: bool = True) -> Catalog:
    """Return a catalog whose destructive tools ask the person first, if the client can ask.

    Those that are built in change nothing with `preview`; what it means to others is not known.
    """
    return catalog._replace(
        tools=tuple(
            _confirmed(tool, has_preview=built_in) if asks_first(tool) else tool for tool in catalog.tools
        )
    )


def asks_first(tool: Tool) -> bool:
    """Return whether a tool may destroy something, as MCP's annotations say; without any, it may."""
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
    return {name: rules.get("default") for name, rules in tool.input_schema.properties.items()}


def _shortened(argument: object) -> str:
    text = str(argument)
    return text if len(text) <= LONGEST_ARGUMENT else f"{text[:LONGEST_ARGUMENT]}…"
