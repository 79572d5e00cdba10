"""What an image offers by itself, what comes of using that, and what happens in the image, typed."""

from typing import NamedTuple


class OfferedTool(NamedTuple):
    """A tool, with the JSON Schema of its arguments."""

    name: str
    description: str
    input_schema: dict[str, object]
    title: str | None = None
    read_only: bool = False


class OfferedResource(NamedTuple):
    """Something that can be read under one URI."""

    uri: str
    name: str
    description: str
    mime_type: str = "text/plain"
    title: str | None = None


class OfferedTemplate(NamedTuple):
    """A family of resources: `{name}` in its URI stands for one value."""

    uri_template: str
    name: str
    description: str
    mime_type: str = "text/plain"
    title: str | None = None


class OfferedArgument(NamedTuple):
    """One blank of a prompt."""

    name: str
    description: str = ""
    required: bool = False


class OfferedPrompt(NamedTuple):
    """A prompt with blanks to fill."""

    name: str
    description: str
    arguments: tuple[OfferedArgument, ...] = ()
    title: str | None = None


class Registered(NamedTuple):
    """All that an image offers by itself; `revision` is another one when that is."""

    tools: tuple[OfferedTool, ...] = ()
    resources: tuple[OfferedResource, ...] = ()
    resource_templates: tuple[OfferedTemplate, ...] = ()
    prompts: tuple[OfferedPrompt, ...] = ()
    revision: str = ""
    warnings: tuple[str, ...] = ()


class Block(NamedTuple):
    """A piece of an answer: of type `text`, `image`, `audio` (`data` in base64) or `resource`."""

    type: str
    text: str | None = None
    data: str | None = None
    mime_type: str | None = None
    uri: str | None = None
    blob: str | None = None


class Said(NamedTuple):
    """A message of a prompt; the role is `user` or `assistant`."""

    role: str
    content: Block


class Called(NamedTuple):
    """What a tool or a resource answered (`contents`), or a prompt (`messages`).

    `event` is the last one that happened before the answer.
    """

    contents: tuple[Block, ...] = ()
    messages: tuple[Said, ...] = ()
    is_error: bool = False
    event: int | None = None
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()


class Event(NamedTuple):
    """Something that happened, by its kind.

    `offers`: what the image offers is another; `class`, `package`: one was changed; `log`: a message for
    whoever listens; `progress`: how far an evaluation says that it is.
    """

    event: int
    kind: str
    class_name: str | None = None
    package_name: str | None = None
    level: str | None = None
    logger: str | None = None
    data: object = None
    evaluation: str | None = None
    progress: float | None = None
    total: float | None = None
    message: str | None = None


class Events(NamedTuple):
    """What happened since the last question; `lost` if there was more than could be kept."""

    next: int
    events: tuple[Event, ...] = ()
    lost: bool = False
