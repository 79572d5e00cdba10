"""Resource template `pharo://package/{packageName}`: a package as JSON."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ResourceTemplate

from .reading import as_json


def package_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.code.package(parameters["packageName"]))

    return ResourceTemplate(
        uri_template="pharo://package/{packageName}",
        name="Package",
        title="Package",
        description=(
            "A package of the live image: its classes by tag with the first line of their comments, its "
            "extension methods and its test classes, as one JSON object."
        ),
        read=read,
        mime_type="application/json",
    )
