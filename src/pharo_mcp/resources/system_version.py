"""Resource `pharo://system/version`: the name and version of the system."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Resource


def system_version_resource(image: ImageClient) -> Resource:
    """Make the resource for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return image.version().system

    return Resource(
        uri="pharo://system/version",
        name="System Version",
        title="System Version",
        description="The name and version of the live Pharo system, such as `Pharo 13.0`.",
        read=read,
    )
