"""Prompt `write-tests`: ask for tests of a class."""

from collections.abc import Iterator, Mapping

from pharo_mcp.image import ImageClient, UnknownClass
from pharo_mcp.protocol import Call, Prompt, PromptArgument, PromptResult

from .code import class_paragraphs, method_paragraphs, prompt_of, refused_is_a_wrong_argument

ASKED = """\
Work in the image: make or extend the test class with `define_class` and `compile_method`, one behaviour a \
test, with names that say what is expected; run them with `run_tests` after each; where one fails, say \
whether the test or the class is wrong before you change either."""


def write_tests_prompt(image: ImageClient) -> Prompt:
    """The prompt, for one image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        with refused_is_a_wrong_argument():
            details = image.code.class_details(arguments["className"])
            methods = [*method_paragraphs(image, details)]
        paragraphs = [
            f"Please write SUnit tests for the {details.kind} {details.name}. {ASKED}",
            *class_paragraphs(details),
            *methods,
            *_tests_so_far(image, f"{details.name}Test"),
        ]
        return prompt_of(f"Tests for {details.name}", paragraphs)

    return Prompt(
        name="write-tests",
        title="Write tests for a class",
        description="Asks for tests of a class, with its code and its present tests from the live image.",
        arguments=(PromptArgument("className", "Name of the class or trait to test.", required=True),),
        render=render,
    )


def _tests_so_far(image: ImageClient, name: str) -> Iterator[str]:
    try:
        tests = image.code.class_details(name)
    except UnknownClass:
        yield f"There is no class {name} yet: make it a subclass of TestCase."
        return
    yield f"Its tests so far are in {name}:"
    yield from class_paragraphs(tests)
    yield from method_paragraphs(image, tests)
