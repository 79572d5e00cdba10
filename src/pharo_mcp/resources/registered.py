"""Resources and resource templates that are registered in an image."""

from collections.abc import Mapping
from functools import partial

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.evaluations import new_evaluation_id
from pharo_mcp.image.replies.registrations import Block, RegisteredResource, RegisteredTemplate
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Resource, ResourceContents, ResourceTemplate
from pharo_mcp.protocol.questions import asker_of


def registered_resource(image: ImageClient, registered: RegisteredResource) -> Resource:
    """Make the resource that an image registers."""

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        return _read(image, registered, call, "resource", parameters)

    return Resource(
        registered.uri, registered.name, registered.description, read, registered.title, registered.mime_type
    )


def registered_template(image: ImageClient, registered: RegisteredTemplate) -> ResourceTemplate:
    """Make the template that an image registers."""
    template = registered.uri_template

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        return _read(image, registered, call, "resourceTemplate", parameters, uri_template=template)

    return ResourceTemplate(
        template, registered.name, registered.description, read, registered.title, registered.mime_type
    )


def _read(
    image: ImageClient,
    registered: RegisteredResource | RegisteredTemplate,
    call: Call,
    kind: str,
    parameters: Mapping[str, str],
    uri_template: str | None = None,
) -> tuple[ResourceContents, ...]:
    evaluation_id = call.evaluation or new_evaluation_id()
    call.on_cancel(partial(image.cancel, evaluation_id))
    called = image.registrations.answer(
        kind,
        parameters,
        uri=call.uri,
        uri_template=uri_template,
        evaluation_id=evaluation_id,
        asker=asker_of(call, image.questions),
    )
    return tuple(_contents(block, call.uri, registered.mime_type) for block in called.contents)


def _contents(block: Block, uri: str, mime_type: str) -> ResourceContents:
    binary = block.blob or block.data
    text = block.text or "" if binary is None else None
    return ResourceContents(block.uri or uri, block.mime_type or mime_type, text, binary)
