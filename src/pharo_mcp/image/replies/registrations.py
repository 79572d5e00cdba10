"""What is replied about the tools, resources, prompts and skills that an image registers, and by them."""

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
    """A resource with a `uri`, or a template: `{name}` in its `uri_template` stands for one value."""

    name: str
    description: str
    uri: str | None = None
    uri_template: str | None = None
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


class RegisteredSkill(NamedTuple):
    """Instructions for a kind of work; `text` is Markdown."""

    name: str
    description: str
    text: str


class RegisteredItems(NamedTuple):
    """All registrations of an image."""

    tools: tuple[RegisteredTool, ...] = ()
    resources: tuple[RegisteredResource, ...] = ()
    resource_templates: tuple[RegisteredResource, ...] = ()
    prompts: tuple[RegisteredPrompt, ...] = ()
    skills: tuple[RegisteredSkill, ...] = ()
    warnings: tuple[str, ...] = ()


class Block(NamedTuple):
    """A part of a result: of type `text`, `image`, `audio` (`data` in base64) or `resource`."""

    type: str
    text: str | None = None
    data: str | None = None
    mime_type: str | None = None
    uri: str | None = None
    blob: str | None = None


class RegisteredMessage(NamedTuple):
    """A message of a prompt; the role is `user` or `assistant`."""

    role: str
    content: Block


class Called(NamedTuple):
    """The result of a tool or a resource (`contents`), or of a prompt (`messages`).

    `event` is the number of the last event before the result.
    """

    contents: tuple[Block, ...] = ()
    messages: tuple[RegisteredMessage, ...] = ()
    is_error: bool = False
    event: int | None = None
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()
