"""Prompt `refactor-method`: ask for a refactoring of a method."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code import FoundMethod, Search, method_name
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Prompt, PromptArgument, PromptResult

from .code import class_paragraphs, fenced, prompt_of

REQUEST = """\
Do not change its behavior. First find the tests that cover it and run them with `run_tests`; write one if \
there is none. Then change the method in small steps with `edit_code`, and run the tests after each \
step. Finally, describe the improvement, and how to undo it with `undo_change`."""

MOST = 20
"""Senders that the prompt lists."""


def refactor_method_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        class_name, selector = arguments["className"], arguments["selector"]
        method = image.code.method(class_name, selector, arguments.get("side"))
        details = image.code.class_details(method.class_name, ("definition", "comment"))
        senders = image.code.search(selector, "senders", limit=MOST)
        name, goal = method_name(method.class_name, method.side, selector), arguments.get("goal")
        paragraphs = [
            f"Please refactor the method `{name}`. {REQUEST}",
            *([f"Goal: {goal}"] if goal else []),
            f"The method, in protocol {method.protocol}:\n\n{fenced(method.source)}",
            _senders(senders),
            *class_paragraphs(details),
        ]
        return prompt_of(f"Refactoring of {name}", paragraphs)

    return Prompt(
        name="refactor-method",
        title="Refactor a method",
        description="Asks for a refactoring of a method, with its source and senders from the live image.",
        arguments=(
            PromptArgument("className", "Name of the class or trait.", required=True),
            PromptArgument("selector", "Selector of the method.", required=True),
            PromptArgument("side", "`instance` (the default) or `class` side."),
            PromptArgument("goal", "Goal of the refactoring, such as shorter methods or no duplication."),
        ),
        render=render,
    )


def _senders(senders: Search) -> str:
    names = [
        method_name(each.class_name, each.side, each.selector)
        for each in senders.items
        if isinstance(each, FoundMethod)
    ]
    if not names:
        return "Its selector has no senders."
    more = " and others, which `search` lists" if senders.total > len(names) else ""
    return f"Senders of its selector: {', '.join(names)}{more}."
