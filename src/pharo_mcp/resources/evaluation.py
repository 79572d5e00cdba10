"""Resource template `pharo://evaluation/{evaluationId}`: the outcome of an evaluation."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors.smalltalk_error import SmalltalkError
from pharo_mcp.image.outcomes import Outcome
from pharo_mcp.image.replies.evaluation import Evaluation, Running
from pharo_mcp.image.replies.registrations import Block, Called
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ResourceTemplate

from .reading import as_json

MOST = 200_000
"""Characters of a print string that an image keeps."""


def evaluation_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        try:
            return _text(image.follow(parameters["evaluationId"], max_characters=MOST))
        except SmalltalkError as error:
            return error.message

    return ResourceTemplate(
        uri_template="pharo://evaluation/{evaluationId}",
        name="Evaluation",
        title="Evaluation",
        description=(
            "The outcome of an evaluation, by the id that `evaluate` returned: the print string of its "
            "value, as much of it as the image keeps, or its error, or a note that it is still running."
        ),
        read=read,
    )


def _text(outcome: Outcome) -> str:
    match outcome:
        case Running():
            return f"Still running after {outcome.elapsed:.1f} seconds."
        case Evaluation():
            return outcome.print_string
        case Called(contents=[Block("text", str(text))]):
            return text
        case _:
            return as_json(outcome)
