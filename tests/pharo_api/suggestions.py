"""Names that a misspelt one may stand for."""

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 2
LEAST_SIMILAR = 0.75


def suggestion(word: str, words: Iterable[str]) -> str:
    """`` (did you mean ...?)``, or nothing where no name is similar."""
    near = sorted(each for each in words if may_be_meant(each, word))
    best = get_close_matches(word, near, MOST, LEAST_SIMILAR)
    return f" (did you mean {' or '.join(best)}?)" if best else ""


def may_be_meant(name: str, word: str) -> bool:
    """Whether a name is worth comparing closely: as many arguments, about as long, alike at one end."""
    if name.count(":") != word.count(":") or abs(len(name) - len(word)) > 3:
        return False
    return name[:2].lower() == word[:2].lower() or name[-4:] == word[-4:]
