"""Resource `pharo://changes`: the changes made through these tools, as JSON."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Resource

from .reading import as_json

MOST = 100
"""The newest changes, which are returned."""


def changes_resource(image: ImageClient) -> Resource:
    """Make the resource for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.changes.log(limit=MOST, details=True))

    return Resource(
        uri="pharo://changes",
        name="Changes",
        title="Changes",
        description=(
            f"The last {MOST} changes that these tools made to the code of the live image, newest first, "
            "each with its source before and after, as one JSON object."
        ),
        read=read,
        mime_type="application/json",
    )
