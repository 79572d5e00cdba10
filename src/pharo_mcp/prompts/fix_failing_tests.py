"""Prompt `fix-failing-tests`: run tests, and ask to fix those that fail."""

from collections.abc import Iterator, Mapping
from functools import partial

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors.refusals import UnknownMethod
from pharo_mcp.image.evaluations import new_evaluation_id
from pharo_mcp.image.replies.evaluation import Running
from pharo_mcp.image.replies.projects import RanTest, RanTests
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import InvalidArguments, Prompt, PromptArgument, PromptResult

from .code import fenced, prompt_of

REQUEST = """\
For each, read the methods on its stack with `read_code`, find the cause, and explain in one sentence \
whether the code or the test is wrong. Fix the cause, not the symptom, with `edit_code`. Run the test \
again with `run_tests`, and finally run all of them."""

MOST = 10
"""Failing tests whose source the prompt includes."""


def fix_failing_tests_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image. Rendering it runs the tests."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        class_name, package = arguments.get("className"), arguments.get("packageName")
        if (class_name is None) == (package is None):
            raise InvalidArguments("prompt fix-failing-tests needs either className or packageName")
        evaluation_id = new_evaluation_id()
        call.on_cancel(partial(image.cancel, evaluation_id))
        ran = image.projects.run_tests(
            class_name, package=package, only_failures=True, evaluation_id=evaluation_id
        )
        subject = class_name or f"package {package}"
        return prompt_of(f"Failing tests of {subject}", [*_paragraphs(image, subject, ran)])

    return Prompt(
        name="fix-failing-tests",
        title="Fix failing tests",
        description="Runs tests in the live image and asks to fix those that fail, with sources and stacks.",
        arguments=(
            PromptArgument("className", "Name of the test class to run."),
            PromptArgument("packageName", "Name of the package whose tests to run instead."),
        ),
        render=render,
    )


def _paragraphs(image: ImageClient, subject: str, ran: object) -> Iterator[str]:
    match ran:
        case RanTests(tests=()):
            yield (
                f"None of the {ran.total} tests of {subject} failed, so there is nothing to fix. Report "
                "that, and which tests did not run."
            )
        case RanTests():
            yield f"Please fix the failing tests of {subject}: {len(ran.tests)} of {ran.total}. {REQUEST}"
            for test in ran.tests[:MOST]:
                yield from _failing(image, test)
            if rest := [f"{test.class_name}>>{test.selector}" for test in ran.tests[MOST:]]:
                yield f"Further failing tests: {', '.join(rest)}"
        case Running():
            yield (
                f"The tests of {subject} are still running. Wait for them with `get_evaluation`, "
                f"evaluation_id {ran.evaluation}, and fix those that fail. {REQUEST}"
            )


def _failing(image: ImageClient, test: RanTest) -> Iterator[str]:
    cause = ": ".join(filter(None, (test.class_, test.message_text)))
    stack = "\n".join(f"    {frame}" for frame in test.stack or ())
    yield f"`{test.class_name}>>{test.selector}` ({test.outcome}): {cause}\n\n{stack}".rstrip()
    try:
        yield fenced(image.code.method(test.class_name, test.selector).source)
    except UnknownMethod:  # inherited from another test class
        return
