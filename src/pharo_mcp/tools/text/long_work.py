"""The work of calls that goes on after they were answered: evaluations, by the ids of their calls."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors.refusals import RequestRefused, UnknownEvaluation
from pharo_mcp.protocol.call import Call, Result
from pharo_mcp.protocol.questions import ClientQuestion, pass_on
from pharo_mcp.protocol.tools import LongWork, ToolResult

from .outcomes import result_of


def long_work(image: ImageClient, *, structured: bool = False) -> LongWork:
    """Return how the evaluations of an image are followed and stopped; see LongWork."""

    def follow(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        try:
            result = result_of(image, partial(image.follow, **arguments))
        except UnknownEvaluation:
            raise
        except RequestRefused as refused:  # what was asked for by the call, not by following it
            return ToolResult.from_error(refused.message, refused.kind, refused.details)
        return result if structured else result._replace(structured=None)

    def stop(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        return ToolResult.from_text(", ".join(image.stop(arguments["evaluation_id"]).stopped))

    def answer(evaluation: str, question: ClientQuestion, result: Result | None) -> None:
        pass_on(result, evaluation, question, image.questions)

    return LongWork(follow, stop, answer)
