"""The registrations of an image, the results of using them, and the events of an image, typed."""

from typing import NamedTuple


class RegisteredTool(NamedTuple):
    """A tool, with the JSON Schema of its arguments; `needs_task` if its calls take too long to wait for."""

    name: str
    description: str
    input_schema: dict[str, object]
    title: str | None = None
    read_only: bool = False
    needs_task: bool | None = None


class RegisteredResource(NamedTuple):
    """A resource with a fixed URI."""

    uri: str
    name: str
    description: str
    mime_type: str = "text/plain"
    title: str | None = None


class RegisteredTemplate(NamedTuple):
    """A resource template: `{name}` in its URI stands for one value."""

    uri_template: str
    name: str
    description: str
    mime_type: str = "text/plain"
    title: str | None = None


class RegisteredArgument(NamedTuple):
    """One argument of a prompt."""

    name: str
    description: str = ""
    required: bool = False


class RegisteredPrompt(NamedTuple):
    """A prompt with its arguments."""

    name: str
    description: str
    arguments: tuple[RegisteredArgument, ...] = ()
    title: str | None = None


class RegisteredItems(NamedTuple):
    """All registrations of an image; `revision` changes whenever they do."""

    tools: tuple[RegisteredTool, ...] = ()
    resources: tuple[RegisteredResource, ...] = ()
    resource_templates: tuple[RegisteredTemplate, ...] = ()
    prompts: tuple[RegisteredPrompt, ...] = ()
    revision: str = ""
    warnings: tuple[str, ...] = ()


class Block(NamedTuple):
    """A part of a result: of type `text`, `image`, `audio` (`data` in base64) or `resource`."""

    type: str
    text: str | None = None
    data: str | None = None
    mime_type: str | None = None
    uri: str | None = None
    blob: str | None = None


class PromptMessage(NamedTuple):
    """A message of a prompt; the role is `user` or `assistant`."""

    role: str
    content: Block


class Called(NamedTuple):
    """The result of a tool or a resource (`contents`), or of a prompt (`messages`).

    `event` is the number of the last event before the result.
    """

    contents: tuple[Block, ...] = ()
    messages: tuple[PromptMessage, ...] = ()
    is_error: bool = False
    event: int | None = None
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()


class ImageEvent(NamedTuple):
    """An event in an image, by its kind.

    `registrations`: they have changed; `class`, `package`: one was changed; `log`: a log message for clients;
    `progress`: the progress that an evaluation reports.
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
    """The events since the last request; `lost` if there were more than the image keeps."""

    next: int
    events: tuple[ImageEvent, ...] = ()
    lost: bool = False
