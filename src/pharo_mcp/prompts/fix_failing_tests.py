"""Prompt `fix-failing-tests`: run tests, and ask to mend what fails."""

from collections.abc import Iterator, Mapping

from pharo_mcp.image import ImageClient, RanTest, RanTests, Running, UnknownMethod
from pharo_mcp.protocol import Call, InvalidArguments, Prompt, PromptArgument, PromptResult

from .code import fenced, prompt_of, refused_is_a_wrong_argument

ASKED = """\
For each, read what its stack names with `get_method`, find the cause, and say in a sentence what is wrong: \
the code or the test. Mend the cause, not the symptom, with `compile_method`, run the test again with \
`run_tests`, and in the end all of them."""

MOST = 10
"""Failing tests that the prompt carries with their source."""


def fix_failing_tests_prompt(image: ImageClient) -> Prompt:
    """The prompt, for one image. To fill it, the tests are run."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        class_name, package = arguments.get("className"), arguments.get("packageName")
        if (class_name is None) == (package is None):
            raise InvalidArguments("prompt fix-failing-tests needs either className or packageName")
        evaluation = image.new_evaluation(call.on_cancel)
        with refused_is_a_wrong_argument():
            ran = image.projects.run_tests(
                class_name, package=package, only_failures=True, evaluation=evaluation
            )
        subject = class_name or f"package {package}"
        return prompt_of(f"Failing tests of {subject}", [*_paragraphs(image, subject, ran)])

    return Prompt(
        name="fix-failing-tests",
        title="Fix failing tests",
        description="Runs tests in the live image and asks to mend what fails, with sources and stacks.",
        arguments=(
            PromptArgument("className", "Name of the test class to run."),
            PromptArgument("packageName", "Name of the package whose tests to run, instead."),
        ),
        render=render,
    )


def _paragraphs(image: ImageClient, subject: str, ran: object) -> Iterator[str]:
    match ran:
        case RanTests(tests=()):
            yield (
                f"None of the {ran.total} tests of {subject} fails, so there is nothing to mend. Say so, "
                "and what did not run."
            )
        case RanTests():
            yield f"Please mend the failing tests of {subject}: {len(ran.tests)} of {ran.total}. {ASKED}"
            for test in ran.tests[:MOST]:
                yield from _failing(image, test)
            if rest := [f"{test.class_name}>>{test.selector}" for test in ran.tests[MOST:]]:
                yield f"These fail, too: {', '.join(rest)}"
        case Running():
            yield (
                f"The tests of {subject} still run. Wait for them with `get_evaluation`, evaluation_id "
                f"{ran.evaluation}, and mend what fails. {ASKED}"
            )


def _failing(image: ImageClient, test: RanTest) -> Iterator[str]:
    cause = ": ".join(filter(None, (test.class_, test.message_text)))
    stack = "\n".join(f"    {frame}" for frame in test.stack or ())
    yield f"`{test.class_name}>>{test.selector}` ({test.outcome}): {cause}\n\n{stack}".rstrip()
    try:
        yield fenced(image.code.method(test.class_name, test.selector).source)
    except UnknownMethod:  # it is inherited
        return
