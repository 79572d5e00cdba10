"""What a model is told about working in a live image, before it has called anything."""

WORKING = """\
These tools work in a live Pharo Smalltalk image: a running system of objects, whose windows the user often \
sees. There are no files to edit: what you define or evaluate is in effect at once and stays, until the user \
saves the image or leaves it.

1. Search before you write. `search` finds names, implementors, senders and text; `get_package`, `get_class` \
and `get_method` read what is there. The image, not memory, knows its classes and selectors.
2. Change code by class and method, with `define_class` and `compile_method`, rather than by `evaluate`. A \
syntax error changes nothing. Keep methods short, comment classes, file methods under a protocol.
3. Run tests after each change, with `run_tests`: first the test class, then the package. A failure comes \
with its stack; read the methods it names before you change anything. Write tests as subclasses of \
TestCase with selectors that begin with `test`.
4. Try ideas with `evaluate`. It keeps undeclared variables, and can do whatever the image can: ask the user \
before you touch files, other images or the running program.
5. Every change has a number. `undo_change` takes one back, or all above a number; `list_changes` lists \
them. What the user changed meanwhile is never undone.
6. An error names its cause in the first line and often the next step. When it says that something may have \
run, look before you repeat it. What takes longer than a call answers an evaluation_id to wait for.
7. Never save the image unless the user asks for it."""

LACKING = """\
Only the tools of most use are listed. The others are {tools}; the user gets them listed by starting \
pharo-mcp with --tools all (PHARO_MCP_TOOLS=all)."""

READERS = (
    "inspect_object",
    "list_packages",
    "list_repositories",
    "take_screenshot",
    "get_status",
    "get_version",
    "list_images",
)
"""The tools that are not core and only read; literals, since the handshake does not wait for the tools."""
CHANGERS = (
    "reset_workspace",
    "remove_class",
    "remove_method",
    "rename_class",
    "rename_method",
    "move_method",
    "save_image",
    "load_project",
    "export_package",
    "import_package",
)
"""And those that may change something."""


READING = "This session may only read: what could change the image is not offered."


def instructions(*, all_tools: bool, read_only: bool) -> str:
    """What the server says of itself to the model."""
    paragraphs = [WORKING]
    if read_only:
        paragraphs.append(READING)
    if not all_tools:
        paragraphs.append(LACKING.format(tools=", ".join(READERS if read_only else READERS + CHANGERS)))
    return "\n\n".join(paragraphs)
