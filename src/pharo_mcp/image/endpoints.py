"""The endpoints of the companion: the path, the reply and the seconds of each.

`ImageClient.ask` sends a request to one of them, and returns its typed reply. Arguments have the names that
the companion gives them, with underscores in place of capitals; one that is None is omitted, so that the
companion's default applies. What they mean is in the comment of the endpoint's class in
`pharo`.
"""

from collections.abc import Callable
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from pharo_mcp.image import replies
from pharo_mcp.image.shapes import read
from pharo_mcp.times import LONG_REQUEST_SECONDS, QUICK_REQUEST_SECONDS, REQUEST_SECONDS


def outcome_in(value: object) -> replies.Outcome:
    """Return the outcome that the value of a reply holds."""
    match value:
        case {"running": True}:
            return read(replies.Running, value)
        case {"paused": dict()}:
            return read(replies.Paused, value)
        case {"asks": [_, *_]}:
            return read(replies.Asking, value)
        case {"contents": list()} | {"messages": list()}:
            return read(replies.Called, value)
        case {"tests": list()}:
            return read(replies.RanTests, value)
        case {"loaded": list()}:
            return read(replies.Loaded, value)
        case {"undone": list()}:
            return read(replies.Undone, value)
        case _:
            return read(replies.Evaluation, value)


Reply = TypeVar("Reply")
Shape = TypeVar("Shape", bound=NamedTuple)


class Endpoint(NamedTuple, Generic[Reply]):
    """A path, what reads the value in a reply (or raises ShapeMismatch), and how long an answer may take."""

    path: str
    read: Callable[[object], Reply]
    seconds: float = REQUEST_SECONDS


def endpoint(path: str, reply: type[Shape], seconds: float = REQUEST_SECONDS) -> Endpoint[Shape]:
    """Return the endpoint whose replies have that shape."""
    return Endpoint(path, partial(read, reply), seconds)


def outcome_of(path: str) -> Endpoint[replies.Outcome]:
    """Return the endpoint that replies what an evaluation has come to."""
    return Endpoint(path, outcome_in)


ACTIVITY = endpoint("/activity", replies.Activity, QUICK_REQUEST_SECONDS)
BREAKPOINTS = endpoint("/breakpoints", replies.Breakpoints)
CHANGES = endpoint("/changes", replies.ChangeLog)
CLASS = endpoint("/class", replies.ClassDetails)
CODE = endpoint("/code", replies.CodeText)
COMMIT = endpoint("/repository/commit", replies.Committed, LONG_REQUEST_SECONDS)
COMPLETE = endpoint("/complete", replies.Completed)
EDIT = endpoint("/code/edit", replies.EditedCode, LONG_REQUEST_SECONDS)
EVENTS = endpoint("/events", replies.Events)
EXPORT = endpoint("/package/export", replies.Exported, LONG_REQUEST_SECONDS)
FIND_METHOD = endpoint("/method/find", replies.MethodsByExample)
FRAME = endpoint("/debug", replies.PausedFrame)
IMPORT = endpoint("/package/import", replies.Imported, LONG_REQUEST_SECONDS)
INSPECT = endpoint("/inspect", replies.Inspection)
METHOD = endpoint("/method", replies.MethodSource)
MOVE_METHOD = endpoint("/method/move", replies.Refactoring, LONG_REQUEST_SECONDS)
OBJECTS = endpoint("/objects", replies.FoundObjects, LONG_REQUEST_SECONDS)
PACKAGE = endpoint("/package", replies.Package)
REGISTRATIONS = endpoint("/registrations", replies.RegisteredItems)
RENAME_CLASS = endpoint("/class/rename", replies.Refactoring, LONG_REQUEST_SECONDS)
RENAME_METHOD = endpoint("/method/rename", replies.Refactoring, LONG_REQUEST_SECONDS)
REPOSITORIES = endpoint("/repositories", replies.Repositories, LONG_REQUEST_SECONDS)
SAVE = endpoint("/save", replies.Saving)
SCREENSHOT = endpoint("/screenshot", replies.Screenshot)
SEARCH = endpoint("/search", replies.Search)
STACK = outcome_of("/debug")
STOP = endpoint("/stop", replies.Stopped)
VERSION = endpoint("/version", replies.Version)
WORKSPACE = endpoint("/workspace", replies.Workspace)
# Evaluations, for `ImageClient.run`: their time is bounded by what their arguments say.
EVALUATE = outcome_of("/evaluate")
LOAD = outcome_of("/load")
PROFILE = outcome_of("/profile")
REGISTERED = outcome_of("/registrations/call")
TESTS = outcome_of("/tests")
UNDO = outcome_of("/undo")
# What goes on with an evaluation.
ANSWER = outcome_of("/answer")
EVALUATION = outcome_of("/evaluation")
STEP = outcome_of("/debug/step")
