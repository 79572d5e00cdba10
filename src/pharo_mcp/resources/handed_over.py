"""Resource `pharo://handed-over`: what the user handed over, as JSON."""

import json
from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.shapes import write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Resource

HANDED_OVER = "pharo://handed-over"


def handed_over_resource(image: ImageClient) -> Resource:
    """Make the resource for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        handover = image.status().handover
        if handover is None:
            return "{}"
        shown = write(image.inspect(handover.object_id))
        return json.dumps({"handover": write(handover), "content": shown}, ensure_ascii=False, indent=2)

    return Resource(
        uri=HANDED_OVER,
        name="Handed over",
        title="Handed over",
        description=(
            "What the user handed over last, by `Ask about this` in the menu of a window: what it showed and "
            "what was selected then, with the ids of the objects, as one JSON object; empty if nothing."
        ),
        read=read,
        mime_type="application/json",
    )
