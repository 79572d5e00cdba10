"""The file of names that a check accepts.

One entry per line: a class (may be named, and sent anything), a selector (may be sent to anything), or
``Class>>selector`` or ``Class class>>selector`` (this class may be sent it). ``# `` begins a comment.
"""

import re
from pathlib import Path

COMMENT = re.compile(r"^\s*#(\s.*|$)|\s#.*")
BETWEEN = re.compile(r"\s*>>\s*#?")


def read_allowed(path: Path | None) -> frozenset[str]:
    """The entries of a file; none without a file."""
    if path is None:
        return frozenset()
    lines = (COMMENT.sub("", line).strip() for line in path.read_text("utf-8").splitlines())
    return frozenset(BETWEEN.sub(">>", line).lstrip("#") for line in lines if line)
