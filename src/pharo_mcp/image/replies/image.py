"""What is replied about the image as a whole: its state, what happens in it, and its projects."""

from typing import NamedTuple


class Screenshot(NamedTuple):
    """A picture of the world, or of the window with that title: PNG, in base64; and the windows there are.

    `note` explains what it shows, such as a red box.
    """

    png: str
    width: int
    height: int
    title: str | None = None
    windows: tuple[str, ...] = ()
    note: str | None = None
    warnings: tuple[str, ...] = ()


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


class Saving(NamedTuple):
    """The image saves itself now. The result is in its status then, with this number."""

    saving: bool
    number: int | None = None


class Workspace(NamedTuple):
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
    workspaces: tuple[Workspace, ...] = ()
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


class Loaded(NamedTuple):
    """The packages that a load brought."""

    loaded: tuple[str, ...]
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()


class Exported(NamedTuple):
    """A package that was written, the folder it was written to, and the files."""

    package_name: str
    folder: str
    files: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Imported(NamedTuple):
    """The packages that were read from a folder."""

    folder: str
    packages: tuple[str, ...]
    changes: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


class RepositoryChange(NamedTuple):
    """A class, trait, method or file that was `added`, `changed` or `removed` since the last commit."""

    action: str
    name: str
    package: str | None = None


class RepositoryChanges(NamedTuple):
    """How many changes, and the first of them."""

    total: int
    items: tuple[RepositoryChange, ...]


class Repository(NamedTuple):
    """A repository of Iceberg: where it is, on which branch, whether anything in it is not committed.

    `obstacle` is the reason why nothing can be committed, if there is one.
    """

    name: str
    branch: str | None = None
    modified: bool = False
    packages: tuple[str, ...] = ()
    location: str | None = None
    obstacle: str | None = None
    changes: RepositoryChanges | None = None


class Repositories(NamedTuple):
    """The repositories that an image knows."""

    repositories: tuple[Repository, ...]
    warnings: tuple[str, ...] = ()


class Committed(NamedTuple):
    """What was committed on a branch, or without a `commit` what would be.

    `staged` are the files that are staged besides, and not committed.
    """

    repository: str
    branch: str
    changes: RepositoryChanges
    location: str | None = None
    commit: str | None = None
    staged: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
