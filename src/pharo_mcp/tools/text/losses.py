"""What an existing class loses by a new definition, as text."""

from collections.abc import Iterator, Sequence

from pharo_mcp.image.replies.changes import Loss

from .wording import count

NOUNS = {
    "slots": ("slot", "slots"),
    "classSlots": ("slot of the class side", "slots of the class side"),
    "classVariables": ("class variable", "class variables"),
    "traits": ("trait", "traits"),
    "superclass": ("superclass", "superclasses"),
    "methods": ("method no longer compiles", "methods no longer compile"),
}
"""One and several, by the kind of a loss."""


def losses_lines(losses: Sequence[Loss]) -> Iterator[str]:
    """Yield a line for each kind of loss: how many, which ones, and what goes with them."""
    for loss in losses:
        more = ", …" if len(loss.names) < loss.total else ""
        noun = count(loss.total, *NOUNS.get(loss.kind, (loss.kind, loss.kind)))
        yield f"    {noun}: {', '.join(loss.names)}{more}{_beside(loss)}"


def _beside(loss: Loss) -> str:
    if loss.instances is not None:
        return f" (values in {count(loss.instances, 'instance')})"
    return "" if loss.methods is None else f" (with {count(loss.methods, 'method')})"
