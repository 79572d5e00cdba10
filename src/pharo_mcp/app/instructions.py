"""The instructions that the server gives to a model at the beginning of a conversation."""

from pharo_mcp.tool_table import TOOLS

WORKING = """\
These tools work in a live Pharo Smalltalk image: a running system of objects, whose windows the user \
often sees. There are no files to edit. What you define or evaluate takes effect at once and lasts until \
the user quits the image, or longer if the user saves it.

1. Search before you write. `search` finds names, implementors, senders and text; `get_package`, \
`get_class` and `get_method` show existing code. Rely on the image, not on memory, for classes and \
selectors.
2. Change code one class or method at a time, with `define_class` and `compile_method` rather than \
`evaluate`. Source with a syntax error changes nothing. Keep methods short, comment classes, and give \
methods a protocol.
3. Run the tests with `run_tests` after each change: first the test class, then the package. A failure \
comes with its stack; read the methods on it before you change anything. Tests are methods of subclasses \
of TestCase, and their selectors begin with `test`.
4. Try ideas with `evaluate`. It keeps undeclared variables for later calls. It can do whatever the image \
can: ask the user before you touch files, other images or the running program.
5. Every change has a number. `undo_change` undoes one change, or all after a number; `list_changes` lists \
them. Code that the user has changed since then is never overwritten by an undo.
6. The first line of an error names its cause; the lines after it often name the next step. If it reports \
that something may have run, check before you repeat the call. Long work returns an evaluation_id to wait \
for.
7. Save the image only if the user asks for it."""

LACKING = """\
Only the most useful tools are listed. These can be called too: {tools}. To list them, the user starts \
pharo-mcp with --tools all (PHARO_MCP_TOOLS=all)."""

READERS = tuple(row.name for row in TOOLS if not row.core and row.reads_only)
"""The tools that are not core and change nothing."""
CHANGERS = tuple(row.name for row in TOOLS if not row.core and not row.reads_only)
"""The tools that are not core and may change something."""


READING = "This session is read-only: tools that could change the image are not available."


def instructions(*, all_tools: bool, read_only: bool) -> str:
    """Return the instructions for a session."""
    paragraphs = [WORKING]
    if read_only:
        paragraphs.append(READING)
    if not all_tools:
        paragraphs.append(LACKING.format(tools=", ".join(READERS if read_only else READERS + CHANGERS)))
    return "\n\n".join(paragraphs)
