"""What an evaluation has come to."""

from pharo_mcp.image.replies.code import Undone
from pharo_mcp.image.replies.evaluations import Asking, Evaluation, Paused, Running
from pharo_mcp.image.replies.projects import Loaded, RanTests
from pharo_mcp.image.replies.system import Called
from pharo_mcp.image.shapes import read

Outcome = Evaluation | RanTests | Loaded | Called | Undone | Running | Paused | Asking
"""The result of code, tests, a load, something registered or an undo; or that it runs, is paused or asks."""


def outcome_in(value: object) -> Outcome:
    """The outcome that the value of a reply holds."""
    match value:
        case {"running": True}:
            return read(Running, value)
        case {"paused": dict()}:
            return read(Paused, value)
        case {"asks": [_, *_]}:
            return read(Asking, value)
        case {"contents": list()} | {"messages": list()}:
            return read(Called, value)
        case {"tests": list()}:
            return read(RanTests, value)
        case {"loaded": list()}:
            return read(Loaded, value)
        case {"undone": list()}:
            return read(Undone, value)
        case _:
            return read(Evaluation, value)
