"""The prompts: requests of a person to a model, with the code of the image that they are about.

    @prompt("Explore a package", PromptArgument("packageName", "Name of the package.", required=True))
    def explore_package(image, arguments, call):
        "Asks for a tour of a package."
        ...

The name of the function is the prompt's, with dashes; its docstring is the description that clients list. It
returns the heading of the filled-in prompt and its paragraphs. `registered_prompt` makes those that an image
registers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from pharo_mcp.handlers import caller_of
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection import Outcome
from pharo_mcp.image.replies.code import FoundMethod, method_name
from pharo_mcp.image.replies.evaluations import Running, numbered
from pharo_mcp.image.replies.image import Handover
from pharo_mcp.image.replies.registrations import RegisteredPrompt
from pharo_mcp.image.replies.testing import RanTest, RanTests
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import (
    InvalidArguments,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptResult,
    TextContent,
    content_in,
)
from pharo_mcp.strict_json import write_shape

Rendered = tuple[str, Iterable[str]]
"""The heading and the paragraphs of a prompt."""
Render = Callable[[ImageClient, Mapping[str, str], Call], Rendered]
"""Fills in a prompt with these arguments. Raises ImageError."""


class BuiltInPrompt(NamedTuple):
    """A prompt as it is declared. One that `runs_code` does not exist in a read-only session."""

    title: str
    arguments: tuple[PromptArgument, ...]
    render: Render
    runs_code: bool

    def make(self, image: ImageClient) -> Prompt:
        """Make the prompt for an image: one message of the person."""

        def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
            heading, paragraphs = self.render(image, arguments, call)
            return PromptResult(heading, (PromptMessage(TextContent("\n\n".join(paragraphs))),))

        name = self.render.__name__.replace("_", "-")
        description = " ".join((self.render.__doc__ or "").split())
        return Prompt(name, self.title, description, self.arguments, render)


def prompt(
    title: str, *arguments: PromptArgument, runs_code: bool = False
) -> Callable[[Render], BuiltInPrompt]:
    """Declare a prompt by the function that renders it; see BuiltInPrompt."""
    return lambda render: BuiltInPrompt(title, arguments, render, runs_code)


MOST_CHARACTERS = 40_000
"""Characters of source that a prompt includes."""


def fenced(source: str) -> str:
    """Return Smalltalk source as a code block of Markdown."""
    return f"```smalltalk\n{source}\n```"


def class_code(image: ImageClient, class_name: str) -> Iterator[str]:
    """Yield the comment, definition and methods of a class, as much as fits, and how much is left out."""
    code = image.ask(endpoints.CODE, items=(class_name,), detail="source", max_characters=MOST_CHARACTERS)
    yield f"{class_name} in the image:\n\n{fenced(code.text)}"
    if rest := code.total - code.shown:
        yield f"{rest:,} further methods are left out; `read_code` shows them."


EXPLORE = """\
Explain its purpose, its most important classes and how they work together, and where to start reading or \
changing it. Its contents in the image are below; read the important classes with \
`read_code`, and find their users with `search`."""


@prompt("Explore a package", PromptArgument("packageName", "Name of the package to explore.", required=True))
def explore_package(image: ImageClient, arguments: Mapping[str, str], call: Call) -> Rendered:
    """Asks for a tour of a package, with its contents from the live image."""
    name = arguments["packageName"]
    package = image.ask(endpoints.PACKAGE, package_name=name)
    paragraphs = [f"Please give me a tour of the package {package.name}. {EXPLORE}"]
    for tag in package.tags:
        classes = [
            f"- {each.class_name}{' (trait)' if each.kind == 'trait' else ''}: {each.comment or 'no comment'}"
            for each in tag.classes
        ]
        heading = f"Classes tagged {tag.name}:" if tag.name else "Classes without a tag:"
        paragraphs.append("\n".join((heading, "", *classes)))
    if package.extensions:
        extensions = [
            f"- {each.class_name}{' class' if each.side == 'class' else ''}: {', '.join(each.selectors)}"
            for each in package.extensions
        ]
        paragraphs.append("\n".join(("Its extension methods:", "", *extensions)))
    tests = ", ".join(package.test_classes)
    paragraphs.append(f"Test classes: {tests}" if tests else "It has no test classes.")
    return f"Tour of {package.name}", paragraphs


EXPLAIN = """\
Explain its purpose, the classes it works with, and its most important methods. Give a short example of \
its use, and run the example with `evaluate` first. Its code in the image is below; `search` finds its \
users."""


@prompt(
    "Explain a class", PromptArgument("className", "Name of the class or trait to explain.", required=True)
)
def explain_class(image: ImageClient, arguments: Mapping[str, str], call: Call) -> Rendered:
    """Asks for an explanation of a class, with its code from the live image."""
    details = image.ask(endpoints.CLASS, class_name=arguments["className"], include=("hierarchy",))
    return f"Explanation of {details.name}", (
        f"Please explain the {details.kind} {details.name}. {EXPLAIN}",
        f"Its superclasses: {' > '.join(details.superclasses or ()) or 'none'}.",
        *class_code(image, details.name),
    )


REVIEW = """\
Consider its name, comment, slots, protocols, place in the hierarchy, and methods; its code in the image \
is below. Report what is good, what is wrong, and what you would change, most important first. Do not \
change anything yet."""


@prompt(
    "Review a class",
    PromptArgument("className", "Name of the class or trait to review.", required=True),
    PromptArgument("focus", "Focus of the review, such as naming or error handling."),
)
def review_class(image: ImageClient, arguments: Mapping[str, str], call: Call) -> Rendered:
    """Asks for a review of a class, with its code from the live image."""
    details = image.ask(endpoints.CLASS, class_name=arguments["className"], include=("hierarchy",))
    return f"Code review for {details.name}", (
        f"Please review the {details.kind} {details.name}. {REVIEW}",
        *_named("Focus on", arguments.get("focus")),
        *class_code(image, details.name),
    )


def _named(name: str, value: str | None) -> Iterator[str]:
    if value:
        yield f"{name}: {value}"


WRITE_TESTS = """\
Work in the image: create or extend the test class with `edit_code`. Test one \
behavior per test, and name each test after what it expects. Run the tests with `run_tests` after each \
addition. If one fails, explain whether the test or the class is wrong before you change either."""


@prompt(
    "Write tests for a class",
    PromptArgument("className", "Name of the class or trait to test.", required=True),
)
def write_tests(image: ImageClient, arguments: Mapping[str, str], call: Call) -> Rendered:
    """Asks for tests of a class, with its code and existing tests from the live image."""
    details = image.ask(endpoints.CLASS, class_name=arguments["className"], include=("hierarchy",))
    tests = image.ask(
        endpoints.CODE, items=(f"{details.name}Test",), detail="source", max_characters=MOST_CHARACTERS
    )
    return f"Tests for {details.name}", (
        f"Please write SUnit tests for the {details.kind} {details.name}. {WRITE_TESTS}",
        *class_code(image, details.name),
        f"Its existing tests:\n\n{fenced(tests.text)}"
        if tests.total
        else f"There is no class {details.name}Test yet: create it as a subclass of TestCase.",
    )


FIX = """\
For each, read the methods on its stack with `read_code`, find the cause, and explain in one sentence \
whether the code or the test is wrong. Fix the cause, not the symptom, with `edit_code`. Run the test \
again with `run_tests`, and finally run all of them."""
MOST_FAILING = 10
"""Failing tests whose source the prompt includes."""


@prompt(
    "Fix failing tests",
    PromptArgument("className", "Name of the test class to run."),
    PromptArgument("packageName", "Name of the package whose tests to run instead."),
    runs_code=True,
)
def fix_failing_tests(image: ImageClient, arguments: Mapping[str, str], call: Call) -> Rendered:
    """Runs tests in the live image and asks to fix those that fail, with sources and stacks."""
    class_name, package = arguments.get("className"), arguments.get("packageName")
    if (class_name is None) == (package is None):
        raise InvalidArguments("prompt fix-failing-tests needs either className or packageName")
    caller = caller_of(image, call)._replace(asker=None)
    ran = image.run(endpoints.TESTS, caller, tests=[class_name or package], only_failures=True)
    subject = class_name or f"package {package}"
    return f"Failing tests of {subject}", _test_paragraphs(image, subject, ran)


def _test_paragraphs(image: ImageClient, subject: str, ran: Outcome) -> Iterator[str]:
    match ran:
        case RanTests(tests=()):
            yield (
                f"None of the {ran.total} tests of {subject} failed, so there is nothing to fix. Report "
                "that, and which tests did not run."
            )
        case RanTests():
            yield f"Please fix the failing tests of {subject}: {len(ran.tests)} of {ran.total}. {FIX}"
            yield from map(_failing, ran.tests[:MOST_FAILING])
            names = [f"{test.class_name}>>{test.selector}" for test in ran.tests]
            if code := image.ask(endpoints.CODE, items=names[:MOST_FAILING]).text:
                yield f"Their code:\n\n{fenced(code)}"
            if rest := names[MOST_FAILING:]:
                yield f"Further failing tests: {', '.join(rest)}"
        case Running():
            yield (
                f"The tests of {subject} are still running. Wait for them with `get_evaluation`, "
                f"evaluation_id {ran.evaluation}, and fix those that fail. {FIX}"
            )


def _failing(test: RanTest) -> str:
    cause = ": ".join(filter(None, (test.class_, test.message_text)))
    stack = "\n".join(f"    {frame}" for frame in test.stack or ())
    return f"`{test.class_name}>>{test.selector}` ({test.outcome}): {cause}\n\n{stack}".rstrip()


REFACTOR = """\
Do not change its behavior. First find the tests that cover it and run them with `run_tests`; write one if \
there is none. Then change the method in small steps with `edit_code`, and run the tests after each \
step. Finally, describe the improvement, and how to undo it with `undo_change`."""
MOST_SENDERS = 20
"""Senders that the prompt lists."""


@prompt(
    "Refactor a method",
    PromptArgument("className", "Name of the class or trait.", required=True),
    PromptArgument("selector", "Selector of the method.", required=True),
    PromptArgument("side", "`instance` (the default) or `class` side."),
    PromptArgument("goal", "Goal of the refactoring, such as shorter methods or no duplication."),
)
def refactor_method(image: ImageClient, arguments: Mapping[str, str], call: Call) -> Rendered:
    """Asks for a refactoring of a method, with its source and senders from the live image."""
    selector, side = arguments["selector"], arguments.get("side")
    method = image.ask(endpoints.METHOD, class_name=arguments["className"], selector=selector, side=side)
    details = image.ask(endpoints.CLASS, class_name=method.class_name, include=("definition", "comment"))
    name = method_name(method.class_name, method.side, selector)
    return f"Refactoring of {name}", (
        f"Please refactor the method `{name}`. {REFACTOR}",
        *_named("Goal", arguments.get("goal")),
        f"The method, in protocol {method.protocol}:\n\n{fenced(method.source)}",
        _senders(image, selector),
        f"The definition of its class:\n\n{fenced(details.definition or '')}",
        *_named("The comment of its class", details.comment),
    )


def _senders(image: ImageClient, selector: str) -> str:
    senders = image.ask(endpoints.SEARCH, query=selector, kind="senders", limit=MOST_SENDERS)
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


@prompt(
    "Look at what I handed over",
    PromptArgument("question", "What to do with it; the default is to explain it."),
)
def look_at_this(image: ImageClient, arguments: Mapping[str, str], call: Call) -> Rendered:
    """Asks about the window that the user handed over in Pharo, with what was selected there."""
    handover = image.status().handover
    paragraphs = (
        _handover_paragraphs(image, handover, arguments.get("question"))
        if handover
        else (NOTHING_HANDED_OVER,)
    )
    return "What I handed over", paragraphs


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


PROMPTS = tuple(each for each in list(vars().values()) if isinstance(each, BuiltInPrompt))
"""In the order in which they are listed."""


def registered_prompt(image: ImageClient, registered: RegisteredPrompt) -> Prompt:
    """Make the prompt that an image registers."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        called = image.read_registered("prompt", arguments, caller_of(image, call), name=registered.name)
        messages = (
            PromptMessage(content_in(write_shape(each.content)), each.role) for each in called.messages
        )
        return PromptResult(registered.description, tuple(messages))

    arguments = (PromptArgument(each.name, each.description, each.required) for each in registered.arguments)
    return Prompt(
        registered.name, registered.title or registered.name, registered.description, tuple(arguments), render
    )
