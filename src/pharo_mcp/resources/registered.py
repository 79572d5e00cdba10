"""Resources and resource templates that are registered in an image."""

from collections.abc import Mapping
from functools import partial

from pharo_mcp.image import Block, ImageClient, RegisteredResource, RegisteredTemplate, new_evaluation_id
from pharo_mcp.protocol import Call, Resource, ResourceContents, ResourceTemplate


def registered_resource(image: ImageClient, offered: RegisteredResource) -> Resource:
    """Make the resource that an image registers."""

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        return _read(image, offered, call, "resource", parameters)

    return Resource(offered.uri, offered.name, offered.description, read, offered.title, offered.mime_type)


def registered_template(image: ImageClient, offered: RegisteredTemplate) -> ResourceTemplate:
    """Make the template that an image registers."""
    template = offered.uri_template

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        return _read(image, offered, call, "resourceTemplate", parameters, uri_template=template)

    return ResourceTemplate(
        template, offered.name, offered.description, read, offered.title, offered.mime_type
    )


def _read(
    image: ImageClient,
    offered: RegisteredResource | RegisteredTemplate,
    call: Call,
    kind: str,
    parameters: Mapping[str, str],
    uri_template: str | None = None,
) -> tuple[ResourceContents, ...]:
    evaluation_id = new_evaluation_id()
    call.on_cancel(partial(image.cancel, evaluation_id))
    called = image.registrations.answer(
        kind, parameters, uri=call.uri, uri_template=uri_template, evaluation_id=evaluation_id
    )
    return tuple(_contents(block, call.uri, offered.mime_type) for block in called.contents)


def _contents(block: Block, uri: str, mime_type: str) -> ResourceContents:
    binary = block.blob or block.data
    text = block.text or "" if binary is None else None
    return ResourceContents(block.uri or uri, block.mime_type or mime_type, text, binary)
