"""Resource template `pharo://evaluation/{evaluationId}`: the whole kept print string."""

from collections.abc import Mapping

from pharo_mcp.image import Block, Called, Evaluation, ImageClient, Outcome, Running, SmalltalkError
from pharo_mcp.protocol import Call, ResourceTemplate

from .reading import as_json, missing_is_not_found

MOST = 200_000
"""Characters that an image keeps of a print string."""


def evaluation_template(image: ImageClient) -> ResourceTemplate:
    """The template, for one image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        try:
            with missing_is_not_found():
                return _text(image.follow(parameters["evaluationId"], max_characters=MOST))
        except SmalltalkError as error:
            return error.message

    return ResourceTemplate(
        uri_template="pharo://evaluation/{evaluationId}",
        name="Evaluation",
        title="Evaluation",
        description=(
            "What came of an evaluation, by the id that `evaluate` answered: the whole print string of its "
            "value, as far as the image keeps it, or its error, or that it still runs."
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
