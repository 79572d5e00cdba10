"""Prompts: texts for the model that a person chooses, with arguments."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .call import Call
from .contents import Content
from .revisions import Revision, omit_none


class InvalidArguments(ValueError):
    """The arguments of a prompt are not valid; the message says why."""


class PromptArgument(NamedTuple):
    """One argument of a prompt."""

    name: str
    description: str
    required: bool = False
    title: str | None = None

    def encode(self, revision: Revision) -> dict[str, object]:
        """The wire form."""
        return omit_none(
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            required=self.required,
        )


class PromptMessage(NamedTuple):
    """One message of a prompt; `role` is `user` or `assistant`."""

    content: Content
    role: str = "user"

    def encode(self) -> dict[str, object]:
        """The wire form."""
        return {"role": self.role, "content": self.content.encode()}


class PromptResult(NamedTuple):
    """A prompt with its arguments filled in."""

    description: str
    messages: tuple[PromptMessage, ...]

    def encode(self) -> dict[str, object]:
        """The wire form."""
        return {"description": self.description, "messages": [message.encode() for message in self.messages]}


class Prompt(NamedTuple):
    """A prompt that a person can choose. `render` may raise ToolError or InvalidArguments."""

    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]
    render: Callable[[Mapping[str, str], Call], PromptResult]

    def get(self, arguments: Mapping[str, object], call: Call) -> PromptResult:
        """Fill in the arguments.

        Raises:
            InvalidArguments: If a required argument is missing, one is unknown, or a value is not a string.
            ToolError: If the image does not provide what the prompt contains.
        """
        known = {argument.name for argument in self.arguments}
        filled: dict[str, str] = {}
        for name, value in arguments.items():
            if name not in known:
                raise InvalidArguments(f"prompt {self.name} has no argument {name}")
            if not isinstance(value, str | None):
                raise InvalidArguments(f"argument {name} of prompt {self.name} must be a string")
            if value and not value.isspace():  # clients send null or '' for what was left out
                filled[name] = value
        for argument in self.arguments:
            if argument.required and argument.name not in filled:
                raise InvalidArguments(f"prompt {self.name} needs the argument {argument.name}")
        return self.render(filled, call)

    def encode(self, revision: Revision) -> dict[str, object]:
        """The wire form, as listed."""
        return omit_none(
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            arguments=[argument.encode(revision) for argument in self.arguments],
        )
