"""The resources: what can be read of an image by a URI; and the skills, which are read like them.

    @resource("pharo://system/version", "System Version")
    def system_version(image, parameters, call):
        "The name and version of the live Pharo system."
        ...

The docstring is the description that clients list. A URI with parameters declares a template.
`registered_resource` makes those that an image registers.

A skill of pharo-mcp is a SKILL.md in the folder `skills`. It begins with its name and description, in the
part of YAML that needs no YAML library to be read:

    ---
    name: pharo-debug
    description: How to find the cause of an error. Use when a test fails.
    ---

A value stands as it is, or in double quotes as in JSON.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from pharo_mcp.handlers import caller_of
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection import Endpoint
from pharo_mcp.image.errors import SmalltalkError
from pharo_mcp.image.replies.evaluations import Evaluation, Profile, Running
from pharo_mcp.image.replies.registrations import Block, Called, RegisteredResource, RegisteredSkill
from pharo_mcp.image.replies.testing import RanTests
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Resource, ResourceContents, ResourceNotFound, Skill
from pharo_mcp.strict_json import write_shape

TEXT, JSON, SVG = "text/plain", "application/json", "image/svg+xml"
Read = Callable[[ImageClient, Mapping[str, str], Call], str]
"""Returns the text at a URI with these parameters. Raises ImageError and ResourceNotFound."""


class BuiltInResource(NamedTuple):
    """A resource or a template as it is declared."""

    uri: str
    name: str
    mime_type: str
    read: Read

    def make(self, image: ImageClient) -> Resource:
        """Make the resource or template for an image."""
        description, read = " ".join((self.read.__doc__ or "").split()), partial(self.read, image)
        is_template = "{" in self.uri
        return Resource(self.uri, self.name, description, read, self.name, self.mime_type, is_template)


def resource(uri: str, name: str, mime_type: str = TEXT) -> Callable[[Read], BuiltInResource]:
    """Declare a resource or a template by the function that reads it; see BuiltInResource."""
    return partial(BuiltInResource, uri, name, mime_type)


def as_json(members: object) -> str:
    """Return indented JSON."""
    return json.dumps(members, ensure_ascii=False, indent=2)


def reply_of(endpoint: Endpoint[Any]) -> Endpoint[str]:
    """Return the endpoint with its replies as JSON, as the image sends them."""
    return Endpoint(endpoint.path, as_json, endpoint.seconds)


@resource("pharo://system/version", "System Version")
def system_version(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """The name and version of the live Pharo system, such as `Pharo 13.0`."""
    return image.ask(endpoints.VERSION).system


@resource("pharo://system/status", "System Status", JSON)
def system_status(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """The state of the live image: versions, memory, uptime, running evaluations, and whether its
    user interface responds, as one JSON object.
    """
    return as_json(write_shape(image.status()))


@resource("pharo://changes", "Changes", JSON)
def changes(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """The last 100 changes that these tools made to the code of the live image, newest first, each with its
    source before and after, as one JSON object.
    """
    return image.ask(reply_of(endpoints.CHANGES), limit=100, details=True)


HANDED_OVER = "pharo://handed-over"


@resource(HANDED_OVER, "Handed over", JSON)
def handed_over(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """What the user handed over last, by `Ask about this` in the menu of a window: what it showed and what
    was selected then, with the ids of the objects, as one JSON object; empty if nothing.
    """
    handover = image.status().handover
    if handover is None:
        return "{}"
    shown = image.ask(endpoints.INSPECT, object_id=handover.object_id)
    return as_json({"handover": write_shape(handover), "content": write_shape(shown)})


@resource("pharo://class/{className}", "Class Details", JSON)
def class_details(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """A class or trait of the live image: definition, comment, superclasses, subclasses, slots, class
    variables, traits, package, and selectors by protocol, as one JSON object.
    """
    return image.ask(reply_of(endpoints.CLASS), class_name=parameters["className"])


@resource("pharo://class/{className}/method/{selector}", "Method Source")
def method_source(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """The source of a method of the live image, as text. In a selector, `/`, `%`, `?` and `#` are
    percent-encoded, such as %2F for `/`.
    """
    return _method(image, parameters, "instance")


@resource("pharo://class/{className}/class/method/{selector}", "Class Method Source")
def class_method_source(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """The source of a class-side method of the live image, as text. In a selector, `/`, `%`, `?` and `#` are
    percent-encoded, such as %2F for `/`.
    """
    return _method(image, parameters, "class")


def _method(image: ImageClient, parameters: Mapping[str, str], side: str) -> str:
    class_name, selector = parameters["className"], parameters["selector"]
    return image.ask(endpoints.METHOD, class_name=class_name, selector=selector, side=side).source


@resource("pharo://package/{packageName}", "Package", JSON)
def package(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """A package of the live image: its classes by tag with the first line of their comments, its extension
    methods and its test classes, as one JSON object.
    """
    return image.ask(reply_of(endpoints.PACKAGE), package_name=parameters["packageName"])


MOST_CHARACTERS = 200_000
"""Characters of a print string that an image keeps."""


@resource("pharo://evaluation/{evaluationId}", "Evaluation")
def evaluation(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """The outcome of an evaluation, by the id that `evaluate` returned: the print string of its value, as
    much of it as the image keeps, or its error, or a note that it is still running.
    """
    try:
        outcome = image.follow(parameters["evaluationId"], max_characters=MOST_CHARACTERS)
    except SmalltalkError as error:
        return error.message
    match outcome:
        case Running():
            return f"Still running after {outcome.elapsed:.1f} seconds."
        case Evaluation():
            return outcome.print_string
        case Called(contents=[Block("text", str(text))]):
            return text
        case _:
            return as_json(write_shape(outcome))


@resource("pharo://evaluation/{evaluationId}/flame-graph", "Flame graph", SVG)
def flame_graph(image: ImageClient, parameters: Mapping[str, str], call: Call) -> str:
    """Where the time of an evaluation went, by the id that `profile` returned: its call tree as an SVG
    picture, in which each method is as wide as its part of the time.
    """
    evaluation_id = parameters["evaluationId"]
    profile = _profile_of(image, evaluation_id)
    if profile is None:
        raise ResourceNotFound(
            f"Evaluation {evaluation_id} has no profile: "
            "it is still running, or another tool than profile started it."
        )
    from pharo_mcp.pictures import flame_graph_svg  # here: few sessions draw, and XML is slow to import

    return flame_graph_svg(profile)


def _profile_of(image: ImageClient, evaluation_id: str) -> Profile | None:
    try:
        outcome = image.follow(evaluation_id)
    except SmalltalkError as error:
        return error.failure.profile
    return outcome.profile if isinstance(outcome, Evaluation | RanTests) else None


BUILT_IN = tuple(each for each in list(vars().values()) if isinstance(each, BuiltInResource))
"""In the order in which they are listed."""
RESOURCES = tuple(each for each in BUILT_IN if "{" not in each.uri)
TEMPLATES = tuple(each for each in BUILT_IN if each not in RESOURCES)


def registered_resource(image: ImageClient, registered: RegisteredResource) -> Resource:
    """Make the resource or template that an image registers."""
    template, mime_type = registered.uri_template, registered.mime_type
    kind = "resource" if template is None else "resourceTemplate"

    def read(parameters: Mapping[str, str], call: Call) -> tuple[ResourceContents, ...]:
        caller = caller_of(image, call)
        called = image.read_registered(kind, parameters, caller, uri=call.uri, uri_template=template)
        return tuple(_contents_of(block, call.uri, mime_type) for block in called.contents)

    return Resource(
        template or registered.uri or "",
        registered.name,
        registered.description,
        read,
        registered.title,
        mime_type,
        is_template=template is not None,
    )


def _contents_of(block: Block, uri: str, mime_type: str) -> ResourceContents:
    binary = block.blob or block.data
    text = block.text or "" if binary is None else None
    return ResourceContents(block.uri or uri, block.mime_type or mime_type, text, binary)


FOLDER = Path(__file__).parent / "skills"
BEGIN, END = "---\n", "\n---\n"


@cache
def built_in_skills() -> tuple[Skill, ...]:
    """Return the skills of pharo-mcp, the one to begin with first."""
    files = sorted(FOLDER.glob("*/SKILL.md"), key=lambda file: (file.parent.name != "pharo-first-hour", file))
    return tuple(skill_in(file.read_bytes().decode()) for file in files)


def skill_in(text: str) -> Skill:
    """Return the skill that is the text of a SKILL.md."""
    lines = text.removeprefix(BEGIN).partition(END)[0].splitlines()
    values = dict(line.split(": ", 1) for line in lines)
    name, description = (json.loads(word) if word.startswith('"') else word for word in values.values())
    return Skill(name, description, text)


def registered_skill(registered: RegisteredSkill) -> Skill:
    """Return the skill that an image registers."""
    pairs = (("name", registered.name), ("description", registered.description))
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in pairs]
    return Skill(
        registered.name, registered.description, BEGIN + "\n".join(lines) + END + f"\n{registered.text}\n"
    )
