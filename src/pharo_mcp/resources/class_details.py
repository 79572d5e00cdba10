"""Resource template `pharo://class/{className}`: a class as JSON."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ResourceTemplate

from .reading import as_json


def class_details_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.code.class_details(parameters["className"]))

    return ResourceTemplate(
        uri_template="pharo://class/{className}",
        name="Class Details",
        title="Class Details",
        description=(
            "A class or trait of the live image: definition, comment, superclasses, subclasses, slots, "
            "class variables, traits, package, and selectors by protocol, as one JSON object."
        ),
        read=read,
        mime_type="application/json",
    )
