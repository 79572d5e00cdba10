"""The exit statuses of all commands."""

SUCCESS = 0
FAILURE = 1
INVALID_USAGE = 2
INTERNAL_ERROR = 70
BROKEN_PIPE = 141

STATUSES = (
    (SUCCESS, "success; for a list, also if it is empty"),
    (FAILURE, "failure: standard error says why, and what to do next"),
    (INVALID_USAGE, "invalid usage: unknown options, commands, tools or values"),
    (INTERNAL_ERROR, "internal error: a bug in pharo-mcp"),
    (130, "interrupted by Ctrl-C (128 + SIGINT)"),
    (BROKEN_PIPE, "nobody reads the output any more (128 + SIGPIPE)"),
    (143, "terminated (128 + SIGTERM)"),
)
"""Every exit status with its meaning.

`practice` and `launch` also end with the status of their image: 128 + its number if a signal has ended that.
"""


def brief(meaning: str) -> str:
    """The first words of a meaning."""
    return meaning.partition(":")[0].partition(";")[0]
