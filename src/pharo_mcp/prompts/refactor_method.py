"""Prompt `refactor-method`: ask to make a method better without changing what it does."""

from collections.abc import Mapping

from pharo_mcp.image import FoundMethod, ImageClient, Search
from pharo_mcp.protocol import Call, Prompt, PromptArgument, PromptResult

from .code import class_paragraphs, fenced, name_of, prompt_of, refused_is_a_wrong_argument

ASKED = """\
Keep what it does. First see which tests cover it, and run them with `run_tests`; write one if there is \
none. Then change it in small steps with `compile_method`, running the tests after each. In the end say what \
is better now, and how `undo_change` takes it back."""

MOST = 20
"""Senders that the prompt names."""


def refactor_method_prompt(image: ImageClient) -> Prompt:
    """The prompt, for one image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        class_name, selector = arguments["className"], arguments["selector"]
        with refused_is_a_wrong_argument():
            method = image.code.method(class_name, selector, arguments.get("side"))
            details = image.code.class_details(method.class_name, ("definition", "comment"))
        senders = image.code.search(selector, "senders", limit=MOST)
        name, goal = name_of(method.class_name, method.side, selector), arguments.get("goal")
        paragraphs = [
            f"Please refactor the method `{name}`. {ASKED}",
            *([f"What it should become: {goal}"] if goal else []),
            f"The method, in protocol {method.protocol}:\n\n{fenced(method.source)}",
            _senders(senders),
            *class_paragraphs(details),
        ]
        return prompt_of(f"Refactoring of {name}", paragraphs)

    return Prompt(
        name="refactor-method",
        title="Refactor a method",
        description="Asks to make a method better, with its source and senders from the live image.",
        arguments=(
            PromptArgument("className", "Name of the class or trait.", required=True),
            PromptArgument("selector", "Selector of the method.", required=True),
            PromptArgument("side", "`class` for the class side."),
            PromptArgument("goal", "What should be better, such as shorter or without duplication."),
        ),
        render=render,
    )


def _senders(senders: Search) -> str:
    names = [
        name_of(each.class_name, each.side, each.selector)
        for each in senders.items
        if isinstance(each, FoundMethod)
    ]
    if not names:
        return "Nobody sends its selector."
    more = " and others, which `search` finds" if senders.total > len(names) else ""
    return f"Its selector is sent by {', '.join(names)}{more}."
