"""Resource templates for the source of a method, on either side of a class."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ResourceTemplate

ENCODED = "In a selector, `/`, `%`, `?` and `#` are percent-encoded, such as %2F for `/`."


def method_source_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for the instance side."""
    return _template(
        image,
        "instance",
        "pharo://class/{className}/method/{selector}",
        "Method Source",
        f"The source of a method of the live image, as text. {ENCODED}",
    )


def class_method_source_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for the class side."""
    return _template(
        image,
        "class",
        "pharo://class/{className}/class/method/{selector}",
        "Class Method Source",
        f"The source of a class-side method of the live image, as text. {ENCODED}",
    )


def _template(image: ImageClient, side: str, uri: str, name: str, description: str) -> ResourceTemplate:
    def read(parameters: Mapping[str, str], call: Call) -> str:
        return image.code.method(parameters["className"], parameters["selector"], side).source

    return ResourceTemplate(uri_template=uri, name=name, title=name, description=description, read=read)
