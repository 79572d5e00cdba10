"""Resources that an image registers, and families of them."""

from collections.abc import Mapping

from pharo_mcp.image import Block, ImageClient, OfferedResource, OfferedTemplate
from pharo_mcp.protocol import Call, Resource, ResourceContents, ResourceTemplate


def registered_resource(image: ImageClient, offered: OfferedResource) -> Resource:
    """The resource, for the image that registers it."""

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        return _read(image, offered, call, "resource", parameters)

    return Resource(offered.uri, offered.name, offered.description, read, offered.title, offered.mime_type)


def registered_template(image: ImageClient, offered: OfferedTemplate) -> ResourceTemplate:
    """The template, for the image that registers it."""
    template = offered.uri_template

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        return _read(image, offered, call, "resourceTemplate", parameters, uri_template=template)

    return ResourceTemplate(
        template, offered.name, offered.description, read, offered.title, offered.mime_type
    )


def _read(
    image: ImageClient,
    offered: OfferedResource | OfferedTemplate,
    call: Call,
    kind: str,
    parameters: Mapping[str, str],
    uri_template: str | None = None,
) -> tuple[ResourceContents, ...]:
    evaluation = image.new_evaluation(call.on_cancel)
    called = image.offering.answer(
        kind, parameters, uri=call.uri, uri_template=uri_template, evaluation=evaluation
    )
    return tuple(_contents(block, call.uri, offered.mime_type) for block in called.contents)


def _contents(block: Block, uri: str, mime_type: str) -> ResourceContents:
    binary = block.blob or block.data
    text = block.text or "" if binary is None else None
    return ResourceContents(block.uri or uri, block.mime_type or mime_type, text, binary)
