"""The instructions that the server gives to a model at the beginning of a conversation."""

from typing import NamedTuple

INTRODUCTION = """\
These tools work in a live Pharo Smalltalk image: a running system of objects, whose windows the user \
often sees. There are no files to edit."""

LASTING = """\
What you define or evaluate takes effect at once and lasts until the user quits the image without saving \
it."""


class Instruction(NamedTuple):
    """How to work with the tools; `changing` ones are for sessions that can change the image."""

    text: str
    changing: bool = False


INSTRUCTIONS = (
    Instruction("If you can read resources, begin with skill://pharo-first-hour/SKILL.md."),
    Instruction("""\
Most tasks take few calls. Read all the code that a task names in one: `read_code` takes any packages, \
classes and methods. Ask what is open in another: `search` takes several names and kinds. Rely on the \
image, not on memory, for classes and selectors."""),
    Instruction(
        """\
Change code with `edit_code`, not `evaluate`: any number of classes and methods by one text, then \
tried and tested: {"text": "Object << #ShOrder slots: { #lines }; package: 'Shop'\\n\\nShOrder >> total \
[\\n\\t^ lines size\\n]", "tests": ["Shop-Tests"]}. If anything in it is wrong, nothing changes.""",
        changing=True,
    ),
    Instruction(
        """\
Run tests with each change, by `edit_code`, `evaluate` or `run_tests`, which also reads code: {"tests": \
["Shop-Tests"], "read": ["Shop", "Shop-Tests"]}. A failure comes with its stack; read the methods on it \
first. With on_error `pause` it stops there, to be corrected.""",
        changing=True,
    ),
    Instruction(
        """\
Try ideas with `evaluate`. It keeps undeclared variables. It can do whatever the image can: ask the user \
before you touch files, other images or the running program.""",
        changing=True,
    ),
    Instruction(
        """\
Answers are complete: what was changed, by its number, what failed, what else has a name. Do not list, \
search or read it again. `undo_change` undoes one change, or all after a number.""",
        changing=True,
    ),
    Instruction(
        """\
If an error reports that something may have run, check before you repeat it. Long work returns an \
evaluation_id for `get_evaluation`.""",
        changing=True,
    ),
    Instruction("Save the image only if the user asks.", changing=True),
    Instruction("""\
The image can offer tools, resources, prompts and skills of its own."""),
)

READ_ONLY_SESSION = """\
This session is read-only: tools that can change the image are not available, evaluating code and running \
tests included."""

NOT_LISTED = """\
Not listed, but callable: {tools}."""


def instructions(tools: str = "all", *, read_only: bool) -> str:
    """Return the instructions for a session with `--tools`; those about tools that it lacks are left out."""
    absent: frozenset[str] = frozenset()
    callable_too: list[str] = []
    if tools != "all":
        from pharo_mcp.tools.all import NAMES, TOOLS, chosen_tools  # here: the handshake does without

        absent = NAMES - {tool.name for tool in chosen_tools(tools).tools}
        if tools == "core":
            unlisted = (tool for tool in TOOLS if not tool.core)
            callable_too = [tool.name for tool in unlisted if tool.reads_only or not read_only]
    given = [
        each.text
        for each in INSTRUCTIONS
        if not (read_only and each.changing) and absent.isdisjoint(each.text.split("`"))
    ]
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(given, 1))
    paragraphs = [f"{INTRODUCTION} {READ_ONLY_SESSION if read_only else LASTING}", numbered]
    if callable_too:
        paragraphs.append(NOT_LISTED.format(tools=", ".join(callable_too)))
    return "\n\n".join(paragraphs)
