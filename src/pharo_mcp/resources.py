"""The resources: what can be read of an image by a URI.

A built-in one is a function that makes it for an image, in `RESOURCES` or `TEMPLATES`;
`registered_resource` and `registered_template` make those that an image registers.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.endpoints import Outcome
from pharo_mcp.image.errors import SmalltalkError
from pharo_mcp.image.evaluations import new_evaluation_id
from pharo_mcp.image.replies.evaluations import Evaluation, Profile, Running
from pharo_mcp.image.replies.projects import RanTests
from pharo_mcp.image.replies.system import Block, Called, RegisteredResource, RegisteredTemplate
from pharo_mcp.image.shapes import write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Resource, ResourceContents, ResourceNotFound, ResourceTemplate
from pharo_mcp.protocol.questions import asker_of


def as_json(reply: NamedTuple) -> str:
    """Return a reply of the image as indented JSON."""
    return json.dumps(write(reply), ensure_ascii=False, indent=2)


def system_version_resource(image: ImageClient) -> Resource:
    """Make the resource for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return image.ask(endpoints.VERSION).system

    return Resource(
        uri="pharo://system/version",
        name="System Version",
        title="System Version",
        description="The name and version of the live Pharo system, such as `Pharo 13.0`.",
        read=read,
    )


def system_status_resource(image: ImageClient) -> Resource:
    """Make the resource for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.status())

    return Resource(
        uri="pharo://system/status",
        name="System Status",
        title="System Status",
        description=(
            "The state of the live image: versions, memory, uptime, running evaluations, and whether its "
            "user interface responds, as one JSON object."
        ),
        read=read,
        mime_type="application/json",
    )


MOST_CHANGES = 100
"""The newest changes, which are returned."""


def changes_resource(image: ImageClient) -> Resource:
    """Make the resource for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.ask(endpoints.CHANGES, limit=MOST_CHANGES, details=True))

    return Resource(
        uri="pharo://changes",
        name="Changes",
        title="Changes",
        description=(
            f"The last {MOST_CHANGES} changes that these tools made to the code of the live image, newest "
            "first, each with its source before and after, as one JSON object."
        ),
        read=read,
        mime_type="application/json",
    )


HANDED_OVER = "pharo://handed-over"


def handed_over_resource(image: ImageClient) -> Resource:
    """Make the resource for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        handover = image.status().handover
        if handover is None:
            return "{}"
        shown = write(image.ask(endpoints.INSPECT, object_id=handover.object_id))
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


def class_details_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.ask(endpoints.CLASS, class_name=parameters["className"]))

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


ENCODED = "In a selector, `/`, `%`, `?` and `#` are percent-encoded, such as %2F for `/`."


def method_source_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for the instance side."""
    return _method_template(
        image,
        "instance",
        "pharo://class/{className}/method/{selector}",
        "Method Source",
        f"The source of a method of the live image, as text. {ENCODED}",
    )


def class_method_source_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for the class side."""
    return _method_template(
        image,
        "class",
        "pharo://class/{className}/class/method/{selector}",
        "Class Method Source",
        f"The source of a class-side method of the live image, as text. {ENCODED}",
    )


def _method_template(
    image: ImageClient, side: str, uri: str, name: str, description: str
) -> ResourceTemplate:
    def read(parameters: Mapping[str, str], call: Call) -> str:
        return image.ask(
            endpoints.METHOD, class_name=parameters["className"], selector=parameters["selector"], side=side
        ).source

    return ResourceTemplate(uri_template=uri, name=name, title=name, description=description, read=read)


def package_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        return as_json(image.ask(endpoints.PACKAGE, package_name=parameters["packageName"]))

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


MOST_CHARACTERS = 200_000
"""Characters of a print string that an image keeps."""


def evaluation_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for an image."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        try:
            return _outcome_text(image.follow(parameters["evaluationId"], max_characters=MOST_CHARACTERS))
        except SmalltalkError as error:
            return error.message

    return ResourceTemplate(
        uri_template="pharo://evaluation/{evaluationId}",
        name="Evaluation",
        title="Evaluation",
        description=(
            "The outcome of an evaluation, by the id that `evaluate` returned: the print string of its "
            "value, as much of it as the image keeps, or its error, or a note that it is still running."
        ),
        read=read,
    )


def _outcome_text(outcome: Outcome) -> str:
    match outcome:
        case Running():
            return f"Still running after {outcome.elapsed:.1f} seconds."
        case Evaluation():
            return outcome.print_string
        case Called(contents=[Block("text", str(text))]):
            return text
        case _:
            return as_json(outcome)


def flame_graph_template(image: ImageClient) -> ResourceTemplate:
    """Make the template for an image, which keeps the profiles of its last evaluations."""

    def read(parameters: Mapping[str, str], call: Call) -> str:
        evaluation_id = parameters["evaluationId"]
        profile = _profile_of(image, evaluation_id)
        if profile is None:
            raise ResourceNotFound(
                f"Evaluation {evaluation_id} has no profile: "
                "it is still running, or another tool than profile started it."
            )
        # Here, because few sessions draw, and XML is slow to import.
        from pharo_mcp.pictures import flame_graph_svg

        return flame_graph_svg(profile)

    return ResourceTemplate(
        uri_template="pharo://evaluation/{evaluationId}/flame-graph",
        name="Flame graph",
        title="Flame graph",
        description=(
            "Where the time of an evaluation went, by the id that `profile` returned: its call tree as an "
            "SVG picture, in which each method is as wide as its part of the time."
        ),
        read=read,
        mime_type="image/svg+xml",
    )


def _profile_of(image: ImageClient, evaluation_id: str) -> Profile | None:
    try:
        outcome = image.follow(evaluation_id)
    except SmalltalkError as error:
        return error.failure.profile
    return outcome.profile if isinstance(outcome, Evaluation | RanTests) else None


def registered_resource(image: ImageClient, registered: RegisteredResource) -> Resource:
    """Make the resource that an image registers."""

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        return _read_registered(image, registered, call, "resource", parameters)

    return Resource(
        registered.uri, registered.name, registered.description, read, registered.title, registered.mime_type
    )


def registered_template(image: ImageClient, registered: RegisteredTemplate) -> ResourceTemplate:
    """Make the template that an image registers."""
    template = registered.uri_template

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        return _read_registered(
            image, registered, call, "resourceTemplate", parameters, uri_template=template
        )

    return ResourceTemplate(
        template, registered.name, registered.description, read, registered.title, registered.mime_type
    )


def _read_registered(
    image: ImageClient,
    registered: RegisteredResource | RegisteredTemplate,
    call: Call,
    kind: str,
    parameters: Mapping[str, str],
    uri_template: str | None = None,
) -> tuple[ResourceContents, ...]:
    evaluation_id = call.evaluation or new_evaluation_id()
    call.on_cancel(partial(image.cancel, evaluation_id))
    called = image.read_registered(
        kind,
        parameters,
        uri=call.uri,
        uri_template=uri_template,
        evaluation_id=evaluation_id,
        asker=asker_of(call, image.questions),
    )
    return tuple(_contents_of(block, call.uri, registered.mime_type) for block in called.contents)


def _contents_of(block: Block, uri: str, mime_type: str) -> ResourceContents:
    binary = block.blob or block.data
    text = block.text or "" if binary is None else None
    return ResourceContents(block.uri or uri, block.mime_type or mime_type, text, binary)


RESOURCES = (system_version_resource, system_status_resource, changes_resource, handed_over_resource)
TEMPLATES = (
    class_details_template,
    method_source_template,
    class_method_source_template,
    package_template,
    evaluation_template,
    flame_graph_template,
)
