"""The endpoints of the companion: the path, the reply and the seconds of each.

`ImageClient.ask` sends a request to one of them, and returns its typed reply. Arguments have the names that
the companion gives them, with underscores in place of capitals; one that is None is omitted, so that the
companion's default applies. What they mean is in the comment of the endpoint's class in
`pharo`.
"""

from collections.abc import Callable
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from pharo_mcp.image.replies.code import (
    ChangeLog,
    ClassDetails,
    CodeText,
    Completed,
    EditedCode,
    MethodsByExample,
    MethodSource,
    Package,
    Refactoring,
    Saving,
    Search,
    Undone,
)
from pharo_mcp.image.replies.evaluations import (
    Asking,
    Breakpoints,
    Evaluation,
    Inspection,
    Paused,
    PausedFrame,
    Running,
    Workspace,
)
from pharo_mcp.image.replies.projects import (
    Committed,
    Exported,
    Imported,
    Loaded,
    RanTests,
    Repositories,
    Screenshot,
)
from pharo_mcp.image.replies.system import Activity, Called, FoundObjects, RegisteredItems, Version
from pharo_mcp.image.shapes import read
from pharo_mcp.times import LONG_REQUEST_SECONDS, QUICK_REQUEST_SECONDS, REQUEST_SECONDS

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


ACTIVITY = endpoint("/activity", Activity, QUICK_REQUEST_SECONDS)
BREAKPOINTS = endpoint("/breakpoints", Breakpoints)
CHANGES = endpoint("/changes", ChangeLog)
CLASS = endpoint("/class", ClassDetails)
CODE = endpoint("/code", CodeText)
COMMIT = endpoint("/repository/commit", Committed, LONG_REQUEST_SECONDS)
COMPLETE = endpoint("/complete", Completed)
EDIT = endpoint("/code/edit", EditedCode, LONG_REQUEST_SECONDS)
EXPORT = endpoint("/package/export", Exported, LONG_REQUEST_SECONDS)
FIND_METHOD = endpoint("/method/find", MethodsByExample)
FRAME = endpoint("/debug", PausedFrame)
IMPORT = endpoint("/package/import", Imported, LONG_REQUEST_SECONDS)
INSPECT = endpoint("/inspect", Inspection)
METHOD = endpoint("/method", MethodSource)
MOVE_METHOD = endpoint("/method/move", Refactoring, LONG_REQUEST_SECONDS)
OBJECTS = endpoint("/objects", FoundObjects, LONG_REQUEST_SECONDS)
PACKAGE = endpoint("/package", Package)
REGISTRATIONS = endpoint("/registrations", RegisteredItems)
RENAME_CLASS = endpoint("/class/rename", Refactoring, LONG_REQUEST_SECONDS)
RENAME_METHOD = endpoint("/method/rename", Refactoring, LONG_REQUEST_SECONDS)
REPOSITORIES = endpoint("/repositories", Repositories, LONG_REQUEST_SECONDS)
SAVE = endpoint("/save", Saving)
SCREENSHOT = endpoint("/screenshot", Screenshot)
SEARCH = endpoint("/search", Search)
STACK: Endpoint[Outcome] = Endpoint("/debug", outcome_in)
VERSION = endpoint("/version", Version)
WORKSPACE = endpoint("/workspace", Workspace)
# Evaluations, for `ImageClient.run`: their time is bounded by what their arguments say.
EVALUATE: Endpoint[Outcome] = Endpoint("/evaluate", outcome_in)
LOAD: Endpoint[Outcome] = Endpoint("/load", outcome_in)
PROFILE: Endpoint[Outcome] = Endpoint("/profile", outcome_in)
REGISTERED: Endpoint[Outcome] = Endpoint("/registrations/call", outcome_in)
TESTS: Endpoint[Outcome] = Endpoint("/tests", outcome_in)
UNDO: Endpoint[Outcome] = Endpoint("/undo", outcome_in)
