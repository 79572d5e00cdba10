"""Resource `pharo://system/status`: how the image is, as JSON."""

from collections.abc import Mapping

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Call, Resource

from .reading import as_json


def system_status_resource(image: ImageClient) -> Resource:
    """The resource, for one image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.status())

    return Resource(
        uri="pharo://system/status",
        name="System Status",
        title="System Status",
        description=(
            "How the live image is: versions, memory, how long it runs, what is evaluated in it, whether its "
            "user interface answers, as one JSON object."
        ),
        read=read,
        mime_type="application/json",
    )
