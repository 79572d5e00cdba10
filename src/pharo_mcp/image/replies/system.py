"""What an image replies about itself: its state, what clients do in it, its objects, its registrations."""

from typing import NamedTuple


class RunningEvaluation(NamedTuple):
    """A running evaluation: its id, its seconds so far, its first line, whether it is paused or asks."""

    evaluation: str
    elapsed: float
    expression: str
    paused: bool = False
    asks: bool = False


class Window(NamedTuple):
    """An open window: `kind` is `browser`, `debugger`, `inspector`, `playground`, or `window` for others."""

    object_id: str
    kind: str
    title: str
    active: bool = False


class UserInterface(NamedTuple):
    """Whether there is one and its process answers, and the open windows, debuggers and dialogs by title."""

    present: bool = True
    answers: bool = True
    debuggers: tuple[str, ...] = ()
    dialogs: tuple[str, ...] = ()
    windows: tuple[Window, ...] | None = None


class Handover(NamedTuple):
    """What the person handed over last: a window as it was then, kept under the id of an object."""

    object_id: str
    kind: str
    title: str
    at: str


class Busy(NamedTuple):
    """The process that keeps evaluations from running: for how long, and the top of its stack.

    `work` is the evaluation for which it works, if it is one's.
    """

    process: str
    priority: int
    seconds: float
    work: str | None = None
    stack: tuple[str, ...] = ()


class UnhandledError(NamedTuple):
    """An error outside of evaluations that ended its process, but not the image, which has no windows."""

    at: str
    process: str
    message_text: str
    stack: tuple[str, ...] = ()


class LastSave(NamedTuple):
    """The last save that a client requested: when, and whether it succeeded, or why not."""

    at: str
    saved: bool
    number: int | None = None
    reason: str | None = None


class WorkspaceVariables(NamedTuple):
    """A workspace and the names of its variables; of more than a hundred the first, and their number."""

    workspace: str
    variables: tuple[str, ...]
    variable_count: int | None = None


class Status(NamedTuple):
    """The identity and the state of an image.

    `session` changes with each start of the companion, `image_session` when the image is opened.
    `stuck` are the evaluations that have ended, but whose code still runs in the user interface's process.
    `workspaces` are those that have variables; `workspace_count` is given if some are left out.
    """

    product: str
    version: str
    session: str
    name: str
    image_session: str | None = None
    system: str | None = None
    image: str | None = None
    started_at: str | None = None
    uptime_seconds: float | None = None
    memory_bytes: int | None = None
    read_only: bool = False
    running: tuple[RunningEvaluation, ...] = ()
    stuck: tuple[str, ...] = ()
    breakpoints: int = 0
    user_interface: UserInterface | None = None
    busy: Busy | None = None
    errors: tuple[UnhandledError, ...] = ()
    last_save: LastSave | None = None
    handover: Handover | None = None
    workspaces: tuple[WorkspaceVariables, ...] = ()
    workspace_count: int | None = None


class Version(NamedTuple):
    """The versions: `system` is for example `Pharo 13.0`, `image` a path."""

    system: str
    companion: str
    image: str
    vm: str


class CallError(NamedTuple):
    """Why a call has no value: the kind of the failure, its text, and the class of an exception."""

    kind: str
    message_text: str = ""
    class_: str | None = None


class AnsweredCall(NamedTuple):
    """A request that the image has answered, with its number: when, where, about what, and for how long.

    It has the beginning of a value (`print_string`) or an `error`; `running` if its evaluation goes on.
    """

    call: int
    at: str
    path: str
    subject: str
    status: int
    elapsed: float
    evaluation: str | None = None
    running: bool | None = None
    print_string: str | None = None
    error: CallError | None = None


class EndedEvaluation(NamedTuple):
    """An evaluation that has finished, after `elapsed` seconds, with its value's beginning or an error."""

    evaluation: str
    elapsed: float
    print_string: str | None = None
    error: CallError | None = None


class Activity(NamedTuple):
    """The calls since the last request, the running evaluations, and those asked about that have ended.

    `last_change` is the number of the newest change of code.
    """

    next: int
    calls: tuple[AnsweredCall, ...] = ()
    running: tuple[RunningEvaluation, ...] = ()
    ended: tuple[EndedEvaluation, ...] = ()
    last_change: int = 0


class FoundObject(NamedTuple):
    """An object; `by` is how the object before it, or the one asked for, and it are connected.

    It has an `object_id` if its print string does not show it completely. A `weak` reference keeps nothing
    alive.
    """

    class_name: str
    print_string: str
    object_id: str | None = None
    by: str | None = None
    weak: bool | None = None
    bytes: int | None = None


class ClassMemory(NamedTuple):
    """How many instances a class has, and how many bytes these take; the changes are those since a mark."""

    class_name: str
    count_: int
    bytes: int
    count_change: int | None = None
    bytes_change: int | None = None


class FoundObjects(NamedTuple):
    """What was found in the whole image.

    `relation` says what for: instances or subinstances of a class (`count_`, `bytes`, the first `items`, and
    for subinstances the `classes` with most bytes), the holders of the `subject` (`items`, and in `own` the
    tables of pharo-mcp that hold it, too), the path to it from the `root` (`items`; with `is_ours` only
    pharo-mcp holds it, in `own`), or what `grew` and `shrank` since a `mark`: None if it was set only now.
    `notes` say what was not looked at.
    """

    relation: str
    subject: FoundObject | None = None
    count_: int | None = None
    bytes: int | None = None
    items: tuple[FoundObject, ...] = ()
    classes: tuple[ClassMemory, ...] = ()
    own: tuple[str, ...] = ()
    root: str | None = None
    is_ours: bool | None = None
    visited: int | None = None
    mark: str | None = None
    count_change: int | None = None
    bytes_change: int | None = None
    grew: tuple[ClassMemory, ...] | None = None
    shrank: tuple[ClassMemory, ...] | None = None
    notes: tuple[str, ...] = ()


class RegisteredTool(NamedTuple):
    """A tool, with the JSON Schema of its arguments; `needs_task` if its calls take too long to wait for."""

    name: str
    description: str
    input_schema: dict[str, object]
    title: str | None = None
    read_only: bool = False
    needs_task: bool | None = None


class RegisteredResource(NamedTuple):
    """A resource with a fixed URI."""

    uri: str
    name: str
    description: str
    mime_type: str = "text/plain"
    title: str | None = None


class RegisteredTemplate(NamedTuple):
    """A resource template: `{name}` in its URI stands for one value."""

    uri_template: str
    name: str
    description: str
    mime_type: str = "text/plain"
    title: str | None = None


class RegisteredArgument(NamedTuple):
    """One argument of a prompt."""

    name: str
    description: str = ""
    required: bool = False


class RegisteredPrompt(NamedTuple):
    """A prompt with its arguments."""

    name: str
    description: str
    arguments: tuple[RegisteredArgument, ...] = ()
    title: str | None = None


class RegisteredItems(NamedTuple):
    """All registrations of an image; `revision` changes whenever they do."""

    tools: tuple[RegisteredTool, ...] = ()
    resources: tuple[RegisteredResource, ...] = ()
    resource_templates: tuple[RegisteredTemplate, ...] = ()
    prompts: tuple[RegisteredPrompt, ...] = ()
    revision: str = ""
    warnings: tuple[str, ...] = ()


class Block(NamedTuple):
    """A part of a result: of type `text`, `image`, `audio` (`data` in base64) or `resource`."""

    type: str
    text: str | None = None
    data: str | None = None
    mime_type: str | None = None
    uri: str | None = None
    blob: str | None = None


class PromptMessage(NamedTuple):
    """A message of a prompt; the role is `user` or `assistant`."""

    role: str
    content: Block


class Called(NamedTuple):
    """The result of a tool or a resource (`contents`), or of a prompt (`messages`).

    `event` is the number of the last event before the result.
    """

    contents: tuple[Block, ...] = ()
    messages: tuple[PromptMessage, ...] = ()
    is_error: bool = False
    event: int | None = None
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()


class ImageEvent(NamedTuple):
    """An event in an image, by its kind.

    `registrations`: they have changed; `class`, `package`: one was changed; `log`: a log message for clients;
    `progress`: the progress that an evaluation reports.
    """

    event: int
    kind: str
    class_name: str | None = None
    package_name: str | None = None
    level: str | None = None
    logger: str | None = None
    data: object = None
    evaluation: str | None = None
    progress: float | None = None
    total: float | None = None
    message: str | None = None


class Events(NamedTuple):
    """The events since the last request; `lost` if there were more than the image keeps."""

    next: int
    events: tuple[ImageEvent, ...] = ()
    lost: bool = False
