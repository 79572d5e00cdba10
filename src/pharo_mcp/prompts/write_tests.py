"""Prompt `write-tests`: ask for tests of a class."""

from collections.abc import Iterator, Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors.refusals import UnknownClass
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Prompt, PromptArgument, PromptResult

from .code import class_paragraphs, method_paragraphs, prompt_of

REQUEST = """\
Work in the image: create or extend the test class with `edit_code`. Test one \
behavior per test, and name each test after what it expects. Run the tests with `run_tests` after each \
addition. If one fails, explain whether the test or the class is wrong before you change either."""


def write_tests_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        details = image.code.class_details(arguments["className"])
        paragraphs = [
            f"Please write SUnit tests for the {details.kind} {details.name}. {REQUEST}",
            *class_paragraphs(details),
            *method_paragraphs(image, details),
            *_tests_so_far(image, f"{details.name}Test"),
        ]
        return prompt_of(f"Tests for {details.name}", paragraphs)

    return Prompt(
        name="write-tests",
        title="Write tests for a class",
        description="Asks for tests of a class, with its code and existing tests from the live image.",
        arguments=(PromptArgument("className", "Name of the class or trait to test.", required=True),),
        render=render,
    )


def _tests_so_far(image: ImageClient, name: str) -> Iterator[str]:
    try:
        tests = image.code.class_details(name)
    except UnknownClass:
        yield f"There is no class {name} yet: create it as a subclass of TestCase."
        return
    yield f"Its existing tests are in {name}:"
    yield from class_paragraphs(tests)
    yield from method_paragraphs(image, tests)
