"""The endpoints of the companion: the path, the reply and the seconds of each.

`ImageClient.ask` sends a request to one of them, and returns its typed reply. Arguments have the names that
the companion gives them, with underscores in place of capitals; one that is None is omitted, so that the
companion's default applies. What they mean is in the comment of the endpoint's method in `pharo`.
"""

from functools import partial
from typing import NamedTuple, TypeVar

from pharo_mcp.image.connection import Endpoint, Outcome, outcome_in
from pharo_mcp.image.replies import code, evaluations, image, registrations
from pharo_mcp.strict_json import read_shape
from pharo_mcp.times import LONG_REQUEST_SECONDS, QUICK_REQUEST_SECONDS, REQUEST_SECONDS

Shape = TypeVar("Shape", bound=NamedTuple)


def endpoint(path: str, reply: type[Shape], seconds: float = REQUEST_SECONDS) -> Endpoint[Shape]:
    """Return the endpoint whose replies have that shape."""
    return Endpoint(path, partial(read_shape, reply), seconds)


def outcome_of(path: str) -> Endpoint[Outcome]:
    """Return the endpoint that replies what an evaluation has come to."""
    return Endpoint(path, outcome_in)


ACTIVITY = endpoint("/activity", image.Activity, QUICK_REQUEST_SECONDS)
APPLY = endpoint("/refactoring/apply", code.Refactoring, LONG_REQUEST_SECONDS)
BREAKPOINTS = endpoint("/breakpoints", evaluations.Breakpoints)
CHANGES = endpoint("/changes", code.ChangeLog)
CLASS = endpoint("/class", code.ClassDetails)
CODE = endpoint("/code", code.CodeText)
COMMIT = endpoint("/repository/commit", image.Committed, LONG_REQUEST_SECONDS)
COMPLETE = endpoint("/complete", code.Completed)
EDIT = endpoint("/code/edit", code.EditedCode, LONG_REQUEST_SECONDS)
EVENTS = endpoint("/events", image.Events)
EXPORT = endpoint("/package/export", image.Exported, LONG_REQUEST_SECONDS)
FIND_METHOD = endpoint("/method/find", code.MethodsByExample)
FRAME = endpoint("/debug", evaluations.PausedFrame)
IMPORT = endpoint("/package/import", image.Imported, LONG_REQUEST_SECONDS)
INSPECT = endpoint("/inspect", evaluations.Inspection)
INSPECT_TEST = endpoint("/inspect/test", evaluations.TestDraft)
METHOD = endpoint("/method", code.MethodSource)
MOVE_METHOD = endpoint("/method/move", code.Refactoring, LONG_REQUEST_SECONDS)
OBJECTS = endpoint("/objects", evaluations.FoundObjects, LONG_REQUEST_SECONDS)
PACKAGE = endpoint("/package", code.Package)
REFACTOR = endpoint("/refactoring", code.Refactoring, LONG_REQUEST_SECONDS)
REGISTRATIONS = endpoint("/registrations", registrations.RegisteredItems)
RENAME_CLASS = endpoint("/class/rename", code.Refactoring, LONG_REQUEST_SECONDS)
RENAME_METHOD = endpoint("/method/rename", code.Refactoring, LONG_REQUEST_SECONDS)
REPAIR = endpoint("/code/repair", code.Refactoring, LONG_REQUEST_SECONDS)
REPOSITORIES = endpoint("/repositories", image.Repositories, LONG_REQUEST_SECONDS)
REWRITE = endpoint("/code/rewrite", code.Refactoring, LONG_REQUEST_SECONDS)
SAVE = endpoint("/save", image.Saving)
SCREENSHOT = endpoint("/screenshot", image.Screenshot)
SEARCH = endpoint("/search", code.Search)
STACK = outcome_of("/debug")
STOP = endpoint("/stop", evaluations.Stopped)
USES = endpoint("/code/uses", code.NameUses, LONG_REQUEST_SECONDS)
VERSION = endpoint("/version", image.Version)
WORKSPACE = endpoint("/workspace", image.Workspace)
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
