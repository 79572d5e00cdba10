"""Tools that change code, list and undo the changes, and save the image with them."""

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from pharo_mcp.handlers import caller_before
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection import Endpoint, Outcome
from pharo_mcp.image.errors import ImageError, RequestCancelled, RequestRefused, SmalltalkError
from pharo_mcp.image.hints import usable
from pharo_mcp.image.replies.code import Change, ChangeLog, EditedCode, Loss, Refactoring, method_name
from pharo_mcp.image.replies.evaluations import Failure
from pharo_mcp.migrations.rules import NEWEST, OLDEST
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ToolError, ToolResult
from pharo_mcp.strict_json import read_shape
from pharo_mcp.tools.declaration import (
    CLASS_NAME,
    CONFIRM,
    CURSOR,
    DESTROYS,
    PREVIEW,
    READS,
    SELECTOR,
    SIDE,
    choice,
    flag,
    integer,
    names,
    names_of_tests,
    schema_of_arguments,
    string,
    tool,
)
from pharo_mcp.tools.migrating import find_lost_names, migration_lines
from pharo_mcp.tools.outcomes import AFFECTED, following, result_of, tests_in
from pharo_mcp.tools.wording import (
    bounded,
    changes_made,
    count,
    how_many_fit,
    indented,
    listed,
    offset_in,
    rest_after,
    warned,
)

TEXT = string(
    "Class definitions and methods, in any order and number: `Object << #ShOrder slots: { #lines }; package: "
    "'Shop'`, before it its comment in double quotes, `ShOrder >> total [ ^ lines size ]`, "
    "`ShOrder class >> of: x [ … ]`; or a Tonel file. `{ #category : 'adding' }` is the protocol of "
    "the next method and of new ones after it. Without it, a method keeps its own or gets Pharo's suggestion."
)


@tool(
    "change",
    schema_of_arguments(
        text=TEXT,
        remove=names("Classes and methods to remove: `ShOld`, `ShLine>>amount`."),
        evaluate=string("Expression to evaluate after the change."),
        tests=names_of_tests(" after the change"),
        preview=flag("Only show what would change, as a diff.", default=False),
        keep_going=flag("Apply the valid parts even if others have errors.", default=False),
        confirm={
            "type": "boolean",
            "description": "Also change kernel code, and remove what other code still uses.",
        },
    ),
    DESTROYS,
    core=True,
)
def edit_code(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Define classes and add or replace methods with one text, then optionally evaluate and run tests.
    Everything is checked first: an error anywhere leaves all as it was. What the text omits stays.
    Undone as one change.
    """
    options = {name: value for name, value in arguments.items() if name not in ("evaluate", "tests")}
    expression, selection = arguments.get("evaluate"), tests_in(arguments)
    if not options.get("text") and not options.get("remove"):
        raise ToolError("edit_code needs text or remove. Nothing was changed.", "badRequest")
    edited = _edited(image, options)
    result = ToolResult.from_text("\n".join(edited_lines(edited)))._replace(is_error=bool(edited.failures))
    if expression and not edited.preview:
        evaluate = partial(image.evaluate, expression, caller=caller_before(image, call))
        result = result.followed_by(_after_the_change(image, evaluate))
    if AFFECTED in selection:
        selection = {**selection, "since": min(edited.changes) - 1} if edited.changes else {}
    if selection and not edited.preview:
        run = partial(image.run, endpoints.TESTS, following(image, call), **selection)
        result = result.followed_by(_after_the_change(image, run))
    warnings = "\n".join(warned(edited.warnings, MOST_WARNINGS))
    return result.followed_by(ToolResult.from_text(warnings)) if warnings else result


def _after_the_change(image: ImageClient, request: Callable[[], Outcome]) -> ToolResult:
    """Return the result of a request; also that it failed, since the change before it has to be reported."""
    try:
        return result_of(image, request)
    except RequestCancelled:
        raise
    except (ImageError, ToolError) as error:
        return ToolResult.from_error(error.message, error.kind, error.details)


def _edited(image: ImageClient, options: Mapping[str, Any]) -> EditedCode:
    """Return what the edit did.

    Raises:
        ToolError: If anything is wrong with the text: all of it.
    """
    try:
        return image.ask(endpoints.EDIT, **{"text": "", "remove": (), **options})
    except (SmalltalkError, RequestRefused) as error:
        failures = error.failure.failures
        if not failures:
            raise
        advice = "" if len(failures) == 1 else "With keep_going: true, the valid parts are applied."
        lines = ["Nothing was changed.", *failure_lines(failures), "", advice]
        raise ToolError("\n".join(lines).rstrip(), error.kind, error.details) from error


MOST_NAMES, MOST_METHODS = 100, 12
"""Classes and methods that are named; others are counted."""
MOST_WARNINGS = 5
MOST_FAILURES = 30


def edited_lines(edited: EditedCode) -> Iterator[str]:
    """Yield what was lost first, then what was done, what was not, and the number of the change."""
    for each in edited.classes:
        if each.losses:
            yield f"{each.class_name} {'would lose' if edited.preview else 'has lost'}:"
            yield from losses_lines(each.losses)
    yield from _preview(edited) if edited.preview else _done(edited)
    yield from failure_lines(edited.failures)
    yield from changes_made(edited.changes)


def failure_lines(failures: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield each failure of an edit: the class or method, what is wrong, and where in the text."""
    for failure in (read_shape(Failure, each) for each in failures[:MOST_FAILURES]):
        yield ""
        cause = SmalltalkError(failure, " ").message.rstrip()
        yield f"{failure.item}: {cause}" if failure.item else cause
    if len(failures) > MOST_FAILURES:
        yield from ("", f"… and {len(failures) - MOST_FAILURES:,} more")


def _done(edited: EditedCode) -> Iterator[str]:
    if not edited.changes and not edited.failures:
        yield f"Nothing to change: the image already has all {count(edited.unchanged, 'part')} of this text."
        return
    for verb, created in (("Created", True), ("Changed", False)):
        yield from _named(verb, [each.name for each in edited.classes if each.created is created])
    for verb, created in (("Added", True), ("Replaced", False)):
        yield from _methods(verb, [each.name for each in edited.methods if each.created is created])
    yield from _named("Removed", edited.removed)
    if edited.unchanged:
        yield f"Unchanged: {edited.unchanged:,}."


def _preview(edited: EditedCode) -> Iterator[str]:
    yield "Preview: nothing was changed."
    parts = (*edited.classes, *edited.methods)
    # Of a new part, the caller has the text.
    yield from _differences(
        [
            (each.name, each.before, each.after or "") if each.before else (f"{each.name} (new)", "", "")
            for each in parts
        ]
    )
    yield from _named("Would remove", edited.removed)


def _methods(verb: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the names of methods, or how many of each class if they are many."""
    if len(names) <= MOST_METHODS:
        yield from _named(verb, names)
        return
    counts = Counter(name.partition(">>")[0] for name in names)
    yield f"{verb} {len(names):,} methods: {', '.join(f'{of} in {name}' for name, of in counts.items())}."


def _named(verb: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield f"{verb} {listed(names, MOST_NAMES)}."


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
        noun = count(loss.total, *NOUNS.get(loss.kind, (loss.kind, loss.kind)))
        yield f"    {noun}: {listed(loss.names, total=loss.total)}{_beside(loss)}"


def _beside(loss: Loss) -> str:
    if loss.instances is not None:
        return f" (values in {count(loss.instances, 'instance')})"
    return "" if loss.methods is None else f" (with {count(loss.methods, 'method')})"


class Kind(NamedTuple):
    """A kind of refactoring: its endpoint, and the arguments besides `preview` and `confirm`."""

    endpoint: Endpoint[Refactoring]
    needed: tuple[str, ...]
    optional: tuple[str, ...] = ()


def _by_engine(*needed: str, optional: tuple[str, ...] = ()) -> Kind:
    """Return a kind that only the refactoring engine of the image can do."""
    return Kind(endpoints.REFACTOR, ("class_name", *needed), ("side", *optional))


KINDS = {
    "rename_class": Kind(endpoints.RENAME_CLASS, ("class_name", "new_name")),
    "rename_method": Kind(endpoints.RENAME_METHOD, ("class_name", "selector", "new_name"), ("side", "only")),
    "move_method": Kind(endpoints.MOVE_METHOD, ("class_name", "selector", "to_class"), ("side",)),
    "rewrite": Kind(endpoints.REWRITE, ("pattern", "replacement", "only")),
    "migrate": Kind(endpoints.REWRITE, ("to", "only")),
    "repair": Kind(endpoints.REPAIR, ("only",)),
    "extract_method": _by_engine("selector", "code", "new_name"),
    "inline_method": _by_engine("selector", "code"),
    "extract_temporary": _by_engine("selector", "code", "new_name"),
    "inline_temporary": _by_engine("selector", "variable"),
    "rename_temporary": _by_engine("selector", "variable", "new_name"),
    "rename_variable": _by_engine("variable", "new_name"),
    "pull_up": _by_engine(optional=("selector", "variable", "to_class")),
    "push_down": _by_engine(optional=("selector", "variable")),
    "add_parameter": _by_engine("selector", "new_name", "code", optional=("variable", "only")),
    "remove_parameter": _by_engine("selector", "variable", optional=("only",)),
    "split_class": _by_engine("variable", "new_name"),
}
RENAMED_OR_MOVED = ("rename_class", "rename_method", "move_method")
PREVIEWED = {name for kind in KINDS.values() for name in (*kind.needed, *kind.optional)}
"""The arguments that say what to do, which a preview keeps."""
APPLIED = Kind(endpoints.APPLY, ("apply",), ("items",))
"""Any kind, when its preview is applied."""


@tool(
    "change",
    schema_of_arguments(
        ("kind",),
        kind=choice("What to do.", *KINDS),
        class_name=CLASS_NAME,
        selector=SELECTOR,
        side=SIDE,
        new_name=string("New name, or new selector, of what is renamed or made."),
        to_class=string("Class to move to or to pull up to; senders stay as they are."),
        code=string("Part of the method's source; for add_parameter, what senders pass."),
        variable=string("Variable or argument; for split_class those to move, separated by spaces."),
        pattern=string("For rewrite: code to find, such as '``@x isNil ifTrue: ``@block'."),
        replacement=string("For rewrite: code in its place, such as '``@x ifNil: ``@block'."),
        only=names(
            "Packages, classes or methods (`ShOrder>>total`) to change; for migrate, packages. Default for "
            "rename_method: the hierarchy of the class, and senders whose receiver is likely of it; for "
            "parameters: the packages named after that of the class."
        ),
        to=integer("For migrate: version of Pharo that the code moves to.", minimum=OLDEST, maximum=NEWEST),
        preview=PREVIEW,
        apply=integer("Number of the preview to carry out as shown, with items or confirm.", minimum=1),
        items={
            "type": "array",
            "items": {"type": "integer", "minimum": 1},
            "description": "For repair: numbers of the repairs to apply; omit for all.",
        },
        confirm=CONFIRM,
    ),
    DESTROYS,
    core=True,
)
def refactor(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Rename, move, extract, inline, split; rewrite code by patterns in Pharo's syntax; repair what the
    quality rules and deprecations know how to; or migrate packages: list what they use that Pharo 13 or 14
    lacks or deprecates, and rewrite what is certain.
    If other code is affected, what would change is shown first, for a method with all else that has its
    name; call again with apply, or with preview: false, perhaps with only some of the methods.
    """
    options = dict(arguments)
    kind = options.pop("kind")
    if "apply" in options:  # the arguments of the preview may be repeated
        options = {name: each for name, each in options.items() if name not in PREVIEWED}
    endpoint, needed, optional = APPLIED if "apply" in options else KINDS[kind]
    if missing := [each for each in needed if not options.get(each)]:
        raise ToolError(f"{kind} needs {' and '.join(missing)}. Nothing was changed.", "badRequest")
    known = {"preview", "confirm", *needed, *optional}
    if surplus := [each for each in options if each not in known]:
        raise ToolError(
            f"{kind} does not take {' and '.join(surplus)}. Nothing was changed. Leave that out and call "
            "again.",
            "badRequest",
        )
    if "to" in options:
        return _migrated(image, options, arguments)
    return refactoring_lines(image.ask(endpoint, **_as_asked(kind, options)), arguments)


def _migrated(image: ImageClient, options: dict[str, Any], arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield what packages use that a newer version lacks, and how what is certain is rewritten."""
    found = find_lost_names(image, options.pop("only"), options.pop("to"))
    yield from migration_lines(found)
    if not found.rewritten:
        return
    yield ""
    try:
        rewrite = {"rules": found.rewrites, "only": found.rewritten}
        refactoring = image.ask(endpoints.REWRITE, **rewrite, **options)
    except (SmalltalkError, RequestRefused) as error:  # no rewriter, no match: the list is all there is
        if error.kind not in {"unavailable", "refused"}:
            raise
        yield error.message
    else:
        yield from refactoring_lines(refactoring, arguments)


def _as_asked(kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments by the names that the endpoint has for them."""
    match options:
        case {"apply": number, **others}:
            return {"number": number, **others}
        case {"pattern": pattern, "replacement": replacement, **others}:
            return {"rules": [[pattern, replacement]], **others}
        case {"new_name": selector, **others} if kind == "rename_method":
            return {"new_selector": selector, **others}
    return {"kind": kind, **options} if KINDS[kind].endpoint is endpoints.REFACTOR else options


def refactoring_lines(refactoring: Refactoring, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield what was done or would be, how far it reaches, the methods, and what to do next.

    What was done by the number of a preview is what that showed, so its methods are not repeated.
    """
    impact = refactoring.impact
    places = "" if impact.places is None else f"{count(impact.places, 'place')} in "
    affected = f"{places}{count(impact.sends, 'method')} in {count(impact.classes, 'class', 'classes')}"
    done = "Preview; nothing was changed" if refactoring.preview else _refactored(arguments)
    yield f"{done}. Affected: {affected}."
    yield from changes_made(refactoring.changes)
    if refactoring.preview or "apply" not in arguments:
        yield from (*_differences(refactoring.parts), "") if refactoring.parts else indented(impact.items)
        if impact.remarks:
            yield f"Without a change of their own ({impact.remark_count:,}):"
            yield from indented(impact.remarks)
    yield from warned(refactoring.warnings)
    if refactoring.preview and impact.places != 0:
        kind = arguments["kind"]
        yield f"To make this change, call refactor with kind: {kind}, apply: {refactoring.number}."


def _differences(parts: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the names of parts with what changes in their sources, if they have any, as many as fit."""
    texts = []
    for name, before, after in parts:
        heading = f"{name}:" if before else f"{name} (new)" if after else name
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
        texts.append("\n".join(("", heading, *indented([*lines][2:]))))
    fitting = how_many_fit(texts)
    yield from texts[:fitting]
    if rest := len(texts) - fitting:
        yield from ("", f"{count(rest, 'more part')} would change; preview fewer at once.")


def _refactored(arguments: Mapping[str, Any]) -> str:
    kind = arguments["kind"]
    if "apply" in arguments:
        return f"Made the change of preview {arguments['apply']}"
    if kind not in RENAMED_OR_MOVED:
        return "Changed the code"
    class_name = arguments["class_name"]
    if kind == "rename_class":
        return f"Renamed {class_name} to {arguments['new_name']}"
    method = method_name(class_name, arguments.get("side"), arguments["selector"])
    if kind == "rename_method":
        return f"Renamed {method} to {arguments['new_name']}"
    return f"Moved {method} to {arguments['to_class']}"


MADE_BY = {
    **{kind.endpoint.path: "refactor" for kind in KINDS.values()},
    endpoints.EDIT.path: "edit_code",
    endpoints.EVALUATE.path: "evaluate",
    endpoints.IMPORT.path: "import_package",
    endpoints.LOAD.path: "load_project",
    endpoints.PROFILE.path: "profile",
    endpoints.TESTS.path: "run_tests",
    endpoints.UNDO.path: "undo_change",
}
"""The tool that makes each kind of request; the log of the image names the request."""
CHANGES = "pharo://changes (the newest changes)"
"""The resource that has whole sources, and which changes it lists."""
NOTHING_IN_EFFECT = "Nothing is in effect: the code is as it was when the session began."


@tool(
    "change",
    schema_of_arguments(
        details=flag("Name each method, with its source before and after.", default=False),
        cursor=CURSOR,
        limit=integer(
            "Maximum number of changed methods and classes per page; default: 50 with details, else 500."
        ),
    ),
    READS,
    core=True,
)
def list_changes(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """List the code changes made through these tools, evaluate included, newest first."""
    offset, details = offset_in(arguments), arguments["details"]
    limit = arguments.get("limit") or (50 if details else 500)
    log = image.ask(endpoints.CHANGES, offset=offset, limit=limit, details=details)
    return _log_lines(log, offset)


def _log_lines(log: ChangeLog, offset: int) -> Iterator[str]:
    if not log.total:
        yield "These tools have changed no code in this image."
        return
    yield "Changes, newest first:"
    if log.in_effect == 0:
        yield "None of them is in effect: they are undone." if log.dropped else NOTHING_IN_EFFECT
    shown = log.changes[: max(1, how_many_fit(_texts(log.changes)))]
    is_older = False
    for number, together in groupby(shown, key=lambda change: change.change):
        if log.opened_after and number <= log.opened_after and not is_older:
            is_older = True
            yield f"Made before the image was opened, and saved with it{usable(UNDONE_TOO)}:"
        yield from _entry(list(together))
    if len(shown) < len(log.changes):
        yield "This page ends early because its sources are long."
    if rest := rest_after(offset, len(shown), log.total):
        yield rest
    if log.dropped:
        yield f"Older changes that are no longer kept: {log.dropped:,}."


def _texts(changes: Sequence[Change]) -> Iterator[str]:
    """Yield what each part adds to the page: with sources its own, without them the first that of all."""
    for _, together in groupby(changes, key=lambda change: change.change):
        parts = list(together)
        if _have_sources(parts):
            yield from ("".join(_entry([part])) for part in parts)
        else:
            yield from ("".join(_entry(parts)), *("" for _ in parts[1:]))


def _have_sources(changes: Sequence[Change]) -> bool:
    return any(change.before is not None or change.after is not None for change in changes)


def _entry(changes: Sequence[Change]) -> Iterator[str]:
    """Yield an entry of the log: a change, or those that were made, and are undone, as one."""
    first, *others = changes
    tool = MADE_BY.get(first.tool, first.tool)
    made = f"by {tool} at {first.at[:19]}{' (undone)' if first.is_taken_back else ''}"
    if not others:
        yield f"    {first.change}: {first.action} {first.subject}, {made}"
        yield from _sources(first)
        return
    yield f"    {first.change}: {count(len(changes), 'part')}, {made}"
    if _have_sources(changes):
        for part in changes:
            yield f"        {part.action} {part.subject}"
            yield from _sources(part)
        return
    subjects: dict[str, list[str]] = {}
    for part in changes:
        subjects.setdefault(part.action, []).append(part.subject)
    for action, of_action in subjects.items():
        lines = _methods(action, of_action) if action.endswith("Method") else _named(action, of_action)
        yield from indented(indented(lines))


def _sources(change: Change) -> Iterator[str]:
    for when, protocol, source in (
        ("before", change.protocol_before, change.before),
        ("after", change.protocol_after, change.after),
    ):
        if source is not None:
            yield f"        {when}{f', in protocol {protocol}' if protocol else ''}:"
            yield from indented(indented(indented(bounded(source, CHANGES).splitlines())))


@tool(
    "change",
    schema_of_arguments(
        change=integer("Number of the change to undo."),
        to=integer("Undo every change after this number; 0 for all."),
        confirm=CONFIRM,
    ),
    DESTROYS,
    core=True,
)
def undo_change(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Undo a change or an undo, or all changes after a number. With a conflict, nothing is undone."""
    if len(arguments.keys() & {"change", "to"}) != 1:
        raise ToolError("undo_change needs either change or to. Nothing was undone.", "badRequest")
    return result_of(image, partial(image.run, endpoints.UNDO, following(image, call), **arguments))


UNDONE_TOO = "; undo_change can undo these, too"
BEING_SAVED = "The image is being saved; connections close meanwhile. get_status shows when it is back."
SAVED = "The image is saved. Breakpoints and the stacks of errors are gone; connections were opened again."


@tool("image", schema_of_arguments(confirm=flag("Must be true to save.", default=False)), DESTROYS)
def save_image(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Save the live image with all that the user has open; only when the user asks."""
    saving = image.ask(endpoints.SAVE, **arguments)
    last = None if saving.number is None else image.result_of_save(saving.number)
    if last and not last.saved:
        return ToolResult.from_error(last.reason or "The image could not be saved.")
    return ToolResult.from_text(SAVED if last else usable(BEING_SAVED))
