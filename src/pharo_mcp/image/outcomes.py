"""What an evaluation has come to."""

from .replies.changes import Undone
from .replies.debugging import Paused
from .replies.evaluation import Asking, Evaluation, Running
from .replies.projects import Loaded, RanTests
from .replies.registrations import Called
from .replies.shapes import read

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
