"""Suggestions for misspelt words."""

from collections.abc import Iterable
from difflib import get_close_matches

ALIKE = 0.7
"""How similar a word must be, between 0 and 1, to be suggested."""


def similar(word: str, known: Iterable[str]) -> str:
    """A question to append, whether the most similar known word was meant; empty if none is similar."""
    found = get_close_matches(word, list(known), n=1, cutoff=ALIKE)
    return f" (did you mean {found[0]}?)" if found else ""
