"""The prompts: requests of a person to a model, with the code of the image that they are about.

A built-in prompt is a function that makes it for an image, in `PROMPTS`; `registered_prompt` makes those
that an image registers.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.image.evaluations import new_evaluation_id
from pharo_mcp.image.replies.code import (
    ClassDetails,
    FoundMethod,
    MethodProtocol,
    Package,
    Search,
    method_name,
)
from pharo_mcp.image.replies.evaluations import Running, numbered
from pharo_mcp.image.replies.projects import RanTest, RanTests
from pharo_mcp.image.replies.system import Handover, RegisteredPrompt
from pharo_mcp.image.shapes import write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import InvalidArguments, Prompt, PromptArgument, PromptMessage, PromptResult
from pharo_mcp.protocol.questions import asker_of
from pharo_mcp.protocol.tools import TextContent, content_in

MOST_METHODS = 60
"""Methods whose source a prompt includes."""
MOST_CHARACTERS = 40_000
"""Characters of source after which a prompt includes no further method."""


def prompt_of(description: str, paragraphs: Sequence[str]) -> PromptResult:
    """Return a prompt of one message."""
    return PromptResult(description, (PromptMessage(TextContent("\n\n".join(paragraphs))),))


def fenced(source: str) -> str:
    """Return Smalltalk source as a code block of Markdown."""
    return f"```smalltalk\n{source}\n```"


def class_paragraphs(details: ClassDetails) -> list[str]:
    """Return the definition and the comment of a class."""
    return [
        f"The definition of {details.name}, from the image:\n\n{fenced(details.definition or '')}",
        f"Its comment:\n\n{details.comment}" if details.comment else "It has no comment.",
    ]


def code_paragraphs(image: ImageClient, details: ClassDetails) -> Iterator[str]:
    """Yield the definition, the comment and the methods of a class."""
    yield from class_paragraphs(details)
    yield from method_paragraphs(image, details)


def method_paragraphs(image: ImageClient, details: ClassDetails) -> Iterator[str]:
    """Yield the methods of both sides with their sources, as many as fit; then the names of the others."""
    selectors = [
        (side, selector)
        for side, protocols in (("instance", details.protocols), ("class", details.class_protocols))
        for selector in _selectors(protocols)
    ]
    if not selectors:
        yield "It has no methods."
        return
    room, shown = MOST_CHARACTERS, 0
    for side, selector in selectors[:MOST_METHODS]:
        if room <= 0:
            break
        source = image.ask(endpoints.METHOD, class_name=details.name, selector=selector, side=side).source
        room, shown = room - len(source), shown + 1
        yield f"`{method_name(details.name, side, selector)}`\n\n{fenced(source)}"
    if rest := [method_name(details.name, *each) for each in selectors[shown:]]:
        yield f"Further methods, whose source `read_code` shows: {', '.join(rest)}"


def package_paragraphs(package: Package) -> Iterator[str]:
    """Yield the contents of a package."""
    for tag in package.tags:
        classes = [
            f"- {each.class_name}{' (trait)' if each.kind == 'trait' else ''}: {each.comment or 'no comment'}"
            for each in tag.classes
        ]
        yield "\n".join(
            (f"Classes tagged {tag.name}:" if tag.name else "Classes without a tag:", "", *classes)
        )
    if package.extensions:
        extensions = [
            f"- {each.class_name}{' class' if each.side == 'class' else ''}: {', '.join(each.selectors)}"
            for each in package.extensions
        ]
        yield "\n".join(("Its extension methods:", "", *extensions))
    tests = ", ".join(package.test_classes)
    yield f"Test classes: {tests}" if tests else "It has no test classes."


def _selectors(protocols: Sequence[MethodProtocol] | None) -> Iterator[str]:
    for protocol in protocols or ():
        yield from protocol.selectors


EXPLORE = """\
Explain its purpose, its most important classes and how they work together, and where to start reading or \
changing it. Its contents in the image are below; read the important classes with \
`read_code`, and find their users with `search`."""


def explore_package_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        package = image.ask(endpoints.PACKAGE, package_name=arguments["packageName"])
        asked = f"Please give me a tour of the package {package.name}. {EXPLORE}"
        return prompt_of(f"Tour of {package.name}", [asked, *package_paragraphs(package)])

    return Prompt(
        name="explore-package",
        title="Explore a package",
        description="Asks for a tour of a package, with its contents from the live image.",
        arguments=(PromptArgument("packageName", "Name of the package to explore.", required=True),),
        render=render,
    )


EXPLAIN = """\
Explain its purpose, the classes it works with, and its most important methods. Give a short example of \
its use, and run the example with `evaluate` first. Its code in the image is below; `search` finds its \
users."""


def explain_class_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        details = image.ask(endpoints.CLASS, class_name=arguments["className"])
        paragraphs = [
            f"Please explain the {details.kind} {details.name}. {EXPLAIN}",
            f"Its superclasses: {' > '.join(details.superclasses or ()) or 'none'}.",
            *code_paragraphs(image, details),
        ]
        return prompt_of(f"Explanation of {details.name}", paragraphs)

    return Prompt(
        name="explain-class",
        title="Explain a class",
        description="Asks for an explanation of a class, with its code from the live image.",
        arguments=(PromptArgument("className", "Name of the class or trait to explain.", required=True),),
        render=render,
    )


REVIEW = """\
Consider its name, comment, slots, protocols, place in the hierarchy, and methods; its code in the image \
is below. Report what is good, what is wrong, and what you would change, most important first. Do not \
change anything yet."""


def review_class_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        details = image.ask(endpoints.CLASS, class_name=arguments["className"])
        focus = arguments.get("focus")
        paragraphs = [
            f"Please review the {details.kind} {details.name}. {REVIEW}",
            *([f"Focus on: {focus}"] if focus else []),
            *code_paragraphs(image, details),
        ]
        return prompt_of(f"Code review for {details.name}", paragraphs)

    return Prompt(
        name="review-class",
        title="Review a class",
        description="Asks for a review of a class, with its code from the live image.",
        arguments=(
            PromptArgument("className", "Name of the class or trait to review.", required=True),
            PromptArgument("focus", "Focus of the review, such as naming or error handling."),
        ),
        render=render,
    )


WRITE_TESTS = """\
Work in the image: create or extend the test class with `edit_code`. Test one \
behavior per test, and name each test after what it expects. Run the tests with `run_tests` after each \
addition. If one fails, explain whether the test or the class is wrong before you change either."""


def write_tests_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        details = image.ask(endpoints.CLASS, class_name=arguments["className"])
        paragraphs = [
            f"Please write SUnit tests for the {details.kind} {details.name}. {WRITE_TESTS}",
            *code_paragraphs(image, details),
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
        tests = image.ask(endpoints.CLASS, class_name=name)
    except RequestRefused as refused:
        if refused.kind != "unknownClass":
            raise
        yield f"There is no class {name} yet: create it as a subclass of TestCase."
        return
    yield f"Its existing tests are in {name}:"
    yield from code_paragraphs(image, tests)


FIX = """\
For each, read the methods on its stack with `read_code`, find the cause, and explain in one sentence \
whether the code or the test is wrong. Fix the cause, not the symptom, with `edit_code`. Run the test \
again with `run_tests`, and finally run all of them."""
MOST_FAILING = 10
"""Failing tests whose source the prompt includes."""


def fix_failing_tests_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image. Rendering it runs the tests."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        class_name, package = arguments.get("className"), arguments.get("packageName")
        if (class_name is None) == (package is None):
            raise InvalidArguments("prompt fix-failing-tests needs either className or packageName")
        evaluation_id = new_evaluation_id()
        call.on_cancel(partial(image.cancel, evaluation_id))
        ran = image.run(
            endpoints.TESTS,
            class_name=class_name,
            package=package,
            only_failures=True,
            evaluation_id=evaluation_id,
        )
        subject = class_name or f"package {package}"
        return prompt_of(f"Failing tests of {subject}", [*_test_paragraphs(image, subject, ran)])

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


def _test_paragraphs(image: ImageClient, subject: str, ran: object) -> Iterator[str]:
    match ran:
        case RanTests(tests=()):
            yield (
                f"None of the {ran.total} tests of {subject} failed, so there is nothing to fix. Report "
                "that, and which tests did not run."
            )
        case RanTests():
            yield f"Please fix the failing tests of {subject}: {len(ran.tests)} of {ran.total}. {FIX}"
            for test in ran.tests[:MOST_FAILING]:
                yield from _failing(image, test)
            if rest := [f"{test.class_name}>>{test.selector}" for test in ran.tests[MOST_FAILING:]]:
                yield f"Further failing tests: {', '.join(rest)}"
        case Running():
            yield (
                f"The tests of {subject} are still running. Wait for them with `get_evaluation`, "
                f"evaluation_id {ran.evaluation}, and fix those that fail. {FIX}"
            )


def _failing(image: ImageClient, test: RanTest) -> Iterator[str]:
    cause = ": ".join(filter(None, (test.class_, test.message_text)))
    stack = "\n".join(f"    {frame}" for frame in test.stack or ())
    yield f"`{test.class_name}>>{test.selector}` ({test.outcome}): {cause}\n\n{stack}".rstrip()
    try:
        yield fenced(image.ask(endpoints.METHOD, class_name=test.class_name, selector=test.selector).source)
    except RequestRefused as refused:
        if refused.kind != "unknownMethod":  # then it is inherited from another test class
            raise


REFACTOR = """\
Do not change its behavior. First find the tests that cover it and run them with `run_tests`; write one if \
there is none. Then change the method in small steps with `edit_code`, and run the tests after each \
step. Finally, describe the improvement, and how to undo it with `undo_change`."""
MOST_SENDERS = 20
"""Senders that the prompt lists."""


def refactor_method_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        class_name, selector = arguments["className"], arguments["selector"]
        method = image.ask(
            endpoints.METHOD, class_name=class_name, selector=selector, side=arguments.get("side")
        )
        details = image.ask(endpoints.CLASS, class_name=method.class_name, include=("definition", "comment"))
        senders = image.ask(endpoints.SEARCH, query=selector, kind="senders", limit=MOST_SENDERS)
        name, goal = method_name(method.class_name, method.side, selector), arguments.get("goal")
        paragraphs = [
            f"Please refactor the method `{name}`. {REFACTOR}",
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


NOTHING_HANDED_OVER = """\
I have not handed over anything. Tell me how: in Pharo, the menu of a window has `Ask about this`, and the \
menu Pharo MCP has `Ask about the active window`."""
LOOK = """\
Please look at what I handed over in Pharo: {kind} {title}. {object_id} is the id of what it showed then; \
`inspect_object` shows the objects, `debug_show` the frames of a debugger, and `get_status` lists the \
windows as they are now."""
EXPLAIN_IT = "Explain what it is, what is wrong if anything is, and what you would do. Change nothing yet."
MOST_FRAMES = 15
"""Frames of a debugger that the prompt lists."""


def look_at_this_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        handover = image.status().handover
        paragraphs = (
            [*_handover_paragraphs(image, handover, arguments.get("question"))]
            if handover
            else [NOTHING_HANDED_OVER]
        )
        return prompt_of("What I handed over", paragraphs)

    return Prompt(
        name="look-at-this",
        title="Look at what I handed over",
        description="Asks about the window that the user handed over in Pharo, with what was selected there.",
        arguments=(PromptArgument("question", "What to do with it; the default is to explain it."),),
        render=render,
    )


def _handover_paragraphs(image: ImageClient, handover: Handover, question: str | None) -> Iterator[str]:
    shown = image.ask(endpoints.INSPECT, object_id=handover.object_id)
    yield f"{LOOK.format(**handover._asdict())} {question or EXPLAIN_IT}"
    for part in shown.variables:
        of_id = f", id {part.object_id}" if part.object_id else ""
        yield f"{part.name}: {part.print_string} ({part.class_name}{of_id})"
    window = shown.window
    if window is None:
        return
    if window.stack:
        yield "Its stack:\n\n" + "\n".join(
            f"    {line}" for line in islice(numbered(window.stack), MOST_FRAMES)
        )
    if window.frame is not None:
        yield f"Selected is frame {window.frame}."
    if window.text:
        yield f"Its text{', which is not accepted yet' if window.edited else ''}:\n\n{fenced(window.text)}"
    if window.selection and window.selection.text:
        yield f"Selected in it:\n\n{fenced(window.selection.text)}"


def registered_prompt(image: ImageClient, registered: RegisteredPrompt) -> Prompt:
    """Make the prompt that an image registers."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        evaluation_id = call.evaluation or new_evaluation_id()
        call.on_cancel(partial(image.cancel, evaluation_id))
        called = image.read_registered(
            "prompt",
            arguments,
            name=registered.name,
            evaluation_id=evaluation_id,
            asker=asker_of(call, image.questions),
        )
        messages = (PromptMessage(content_in(write(each.content)), each.role) for each in called.messages)
        return PromptResult(registered.description, tuple(messages))

    arguments = (PromptArgument(each.name, each.description, each.required) for each in registered.arguments)
    return Prompt(
        registered.name, registered.title or registered.name, registered.description, tuple(arguments), render
    )


PROMPTS = (
    explore_package_prompt,
    explain_class_prompt,
    review_class_prompt,
    write_tests_prompt,
    fix_failing_tests_prompt,
    refactor_method_prompt,
    look_at_this_prompt,
)
"""In the order in which they are listed."""
