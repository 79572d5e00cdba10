"""Resource `pharo://system/status`: the state of the image, as JSON."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Resource

from .reading import as_json


def system_status_resource(image: ImageClient) -> Resource:
    """Make the resource for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.status())

    return Resource(
        uri="pharo://system/status",
        name="System Status",
        title="System Status",
        description=(
            "The state of the live image: versions, memory, uptime, running evaluations, and whether its "
            "user interface responds, as one JSON object."
        ),
        read=read,
        mime_type="application/json",
    )
