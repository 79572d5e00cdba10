"""A quick look at source, which tells without a parser that a method sends a message."""

from __future__ import annotations

import re
from functools import lru_cache

TAKES_A_PARSER = re.compile(r"[\"'$#|<{]")
"""Comments, strings, characters, literals, temporaries and pragmas: what a name means there is not plain."""


def surely_sends(source: str, selector: str) -> bool:
    """Whether it is plain that the source of a method sends a unary message; if not, it may do so, too."""
    if not selector.isidentifier() or TAKES_A_PARSER.search(source):
        return False
    return _sends(selector).search(source) is not None


@lru_cache(maxsize=16)
def _sends(selector: str) -> re.Pattern[str]:
    """An expression begins, with a variable or number that gets the message."""
    return re.compile(rf"[\^.(\[]\s*\w+\s+{selector}(?![\w:])")
