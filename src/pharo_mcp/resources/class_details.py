"""Resource template `pharo://class/{className}`: a class as JSON."""

import json
from collections.abc import Mapping

from pharo_mcp.image import ImageClient, UnknownClass, write
from pharo_mcp.protocol import Call, ResourceNotFound, ResourceTemplate


def class_details_template(image: ImageClient) -> ResourceTemplate:
    """The template, for one image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        try:
            details = image.code.class_details(parameters["className"])
        except UnknownClass as unknown:
            raise ResourceNotFound(unknown.message) from unknown
        return json.dumps(write(details), ensure_ascii=False, indent=2)

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
