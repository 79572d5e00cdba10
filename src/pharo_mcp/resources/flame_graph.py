"""Resource template `pharo://evaluation/{evaluationId}/flame-graph`: a profile as a picture."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors.smalltalk_error import SmalltalkError
from pharo_mcp.image.replies.evaluation import Evaluation
from pharo_mcp.image.replies.profile import Profile
from pharo_mcp.image.replies.projects import RanTests
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ResourceNotFound, ResourceTemplate


def flame_graph_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for an image, which keeps the profiles of its last evaluations."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        evaluation_id = parameters["evaluationId"]
        profile = _profile(image, evaluation_id)
        if profile is None:
            raise ResourceNotFound(
                f"Evaluation {evaluation_id} has no profile: "
                "it is still running, or another tool than profile started it."
            )
        # Here, because few sessions draw, and XML is slow to import.
        from pharo_mcp.pictures.flame_graph import flame_graph_svg

        return flame_graph_svg(profile)

    return ResourceTemplate(
        uri_template="pharo://evaluation/{evaluationId}/flame-graph",
        name="Flame graph",
        title="Flame graph",
        description=(
            "Where the time of an evaluation went, by the id that `profile` returned: its call tree as an "
            "SVG picture, in which each method is as wide as its part of the time."
        ),
        read=read,
        mime_type="image/svg+xml",
    )


def _profile(image: ImageClient, evaluation_id: str) -> Profile | None:
    try:
        outcome = image.follow(evaluation_id)
    except SmalltalkError as error:
        return error.failure.profile
    return outcome.profile if isinstance(outcome, Evaluation | RanTests) else None
