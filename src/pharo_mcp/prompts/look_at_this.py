"""Prompt `look-at-this`: ask about what the user handed over in the image."""

from collections.abc import Iterator, Mapping
from itertools import islice

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.failure import numbered
from pharo_mcp.image.replies.system import Handover
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Prompt, PromptArgument, PromptResult

from .code import fenced, prompt_of

NOTHING = """\
I have not handed over anything. Tell me how: in Pharo, the menu of a window has `Ask about this`, and the \
menu Pharo MCP has `Ask about the active window`."""
REQUEST = """\
Please look at what I handed over in Pharo: {kind} {title}. {object_id} is the id of what it showed then; \
`inspect_object` shows the objects, `debug_show` the frames of a debugger, and `get_status` lists the \
windows as they are now."""
EXPLAIN = "Explain what it is, what is wrong if anything is, and what you would do. Change nothing yet."

MOST = 15
"""Frames of a debugger that the prompt lists."""


def look_at_this_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        handover = image.status().handover
        paragraphs = [*_paragraphs(image, handover, arguments.get("question"))] if handover else [NOTHING]
        return prompt_of("What I handed over", paragraphs)

    return Prompt(
        name="look-at-this",
        title="Look at what I handed over",
        description="Asks about the window that the user handed over in Pharo, with what was selected there.",
        arguments=(PromptArgument("question", "What to do with it; the default is to explain it."),),
        render=render,
    )


def _paragraphs(image: ImageClient, handover: Handover, question: str | None) -> Iterator[str]:
    shown = image.inspect(handover.object_id)
    yield f"{REQUEST.format(**handover._asdict())} {question or EXPLAIN}"
    for part in shown.variables:
        of_id = f", id {part.object_id}" if part.object_id else ""
        yield f"{part.name}: {part.print_string} ({part.class_name}{of_id})"
    window = shown.window
    if window is None:
        return
    if window.stack:
        yield "Its stack:\n\n" + "\n".join(f"    {line}" for line in islice(numbered(window.stack), MOST))
    if window.frame is not None:
        yield f"Selected is frame {window.frame}."
    if window.text:
        yield f"Its text{', which is not accepted yet' if window.edited else ''}:\n\n{fenced(window.text)}"
    if window.selection and window.selection.text:
        yield f"Selected in it:\n\n{fenced(window.selection.text)}"
