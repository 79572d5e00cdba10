"""The screen of `pharo-mcp watch`, made with textual."""

import os
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import DescendantFocus
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import DataTable, Footer, RichLog, Static

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import ImageError, to_the_user
from pharo_mcp.image.replies.code import Change, Undone
from pharo_mcp.image.replies.image import AnsweredCall, EndedEvaluation
from pharo_mcp.times import STOP_WORK_SECONDS

from .watcher import (
    AllRunning,
    Ended,
    Lost,
    Observation,
    Progressed,
    UndoState,
    Watched,
    Watcher,
    difference,
    first_line,
    lines_of,
    request_name,
    result_of,
    time_of_day,
    what_of,
)

SCREEN_SECONDS = 0.1
"""The interval at which its screen is brought up to date."""

STANDARD_INPUT = 0
HUNG_UP = 129
"""The exit status of a program whose terminal is gone (128 + SIGHUP)."""
LINES = 2000
"""Lines that the log keeps."""
ROWS = 500
"""Rows that a table keeps."""
WIDTH = 40
"""Characters of a cell, at most."""
COLOURS = {"-": "red", "+": "green", " ": "dim"}


class Table(DataTable[Text]):
    """Rows by key, each with a text of its details. The cursor stays on the last row if it is there."""

    def __init__(self, name: str, title: str, *columns: str) -> None:
        super().__init__(id=name, cursor_type="row", zebra_stripes=True)
        self.border_title = title
        self._headings = columns
        self._details: dict[str, Text] = {}

    def on_mount(self) -> None:
        """Add the columns, which textual measures."""
        self.add_columns(*self._headings)

    @property
    def selected(self) -> str | None:
        """The key of the row under the cursor; None if there are no rows."""
        keys = [key.value for key in self.rows]
        return keys[self.cursor_row] if 0 <= self.cursor_row < len(keys) else None

    @property
    def details(self) -> Text:
        """The text of the row under the cursor."""
        return self._details.get(self.selected or "", Text())

    def put(self, key: str, cells: tuple[Text, ...], details: Text, *, follow: bool = True) -> None:
        """Add a row, or replace the one with that key."""
        self._details[key] = details
        if key in self.rows:
            for column, cell in zip(self.columns, cells, strict=True):
                self.update_cell(key, column, cell, update_width=True)
            return
        was_last = self.cursor_row >= self.row_count - 1
        self.add_row(*cells, key=key)
        if self.row_count > ROWS:
            self.drop(next(iter(self._details)))
        if was_last and follow:
            self.move_cursor(row=self.row_count - 1)

    def drop(self, key: str) -> None:
        """Remove a row."""
        del self._details[key]
        self.remove_row(key)

    def keep(self, keys: set[str]) -> None:
        """Remove all other rows."""
        for key in self._details.keys() - keys:
            self.drop(key)


def cell(text: str, style: str = "") -> Text:
    """Return a cell with the beginning of a text."""
    line = first_line(text)
    return Text(line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}...", style)


def change_row(change: Change) -> tuple[Text, ...]:
    """Return the cells of a change."""
    is_undone = change.is_taken_back
    return (
        cell(str(change.change), "dim"),
        cell(time_of_day(change.at), "dim"),
        cell(change.subject, "strike" if is_undone else "bold"),
        cell(f"{what_of(change)}, undone" if is_undone else what_of(change)),
        cell(request_name(change.tool)),
    )


def change_details(change: Change) -> Text:
    """Return what a change has changed, in colours."""
    text = Text(f"Change {change.change}: {what_of(change)} {change.subject}\n", "bold")
    for line in difference(change):
        text.append(f"{line[:2]}{line[2:].expandtabs(4)}\n", COLOURS[line[0]])
    return text


class Board:
    """Three tables and the line above them, which says what is watched."""

    def __init__(self) -> None:
        self.image = Static("Looking for the image", id="image", markup=False)
        self.running = Table("running", "Running evaluations", "Elapsed", "Evaluation", "Progress")
        self.calls = Table("calls", "Calls", "Time", "Call", "About", "Seconds", "Result")
        self.changes = Table("changes", "Changes", "No.", "Time", "Code", "Change", "By")
        self._changes: dict[str, Change] = {}
        self._progress: dict[str, str] = {}
        self._session: str | None = None

    def show(self, observation: Observation) -> None:
        """Bring the tables up to date."""
        match observation:
            case Watched():
                self._show_image(observation)
            case Lost(reason):
                self.running.keep(set())
                self._show_state(f"Lost: {reason}", "bold red")
            case AnsweredCall(number, at, path, subject):
                self._put_call(f"call {number}", time_of_day(at), request_name(path), subject, observation)
            case Ended(ended, expression):
                self._put_call(ended.evaluation, time_of_day(), "ended", expression, ended)
            case AllRunning():
                self._show_running(observation)
            case Progressed(evaluation, progress, total, message):
                of_total = f" of {total:g}" if total else ""
                self._progress[evaluation] = f"{progress:g}{of_total} {message or ''}"
            case Change():
                self._put_change(observation)
            case UndoState(number, undone):
                for change in [each for each in self._changes.values() if each.change == number]:
                    self._put_change(change._replace(undone=undone))

    def _show_image(self, watched: Watched) -> None:
        if watched.session != self._session:  # its changes and evaluations have numbers of their own
            self._session = watched.session
            self._changes.clear()
            for table in (self.running, self.calls, self.changes):
                table.keep(set())
        read_only = "read-only" if watched.read_only else None
        words = filter(None, (watched.name, watched.system, watched.image, read_only))
        self._show_state("  ".join(words), "bold green")

    def _show_state(self, text: str, style: str) -> None:
        self.image.update(Text(f"● {text}", style, overflow="ellipsis", no_wrap=True))

    def _show_running(self, running: AllRunning) -> None:
        ids = {each.evaluation for each in running.evaluations}
        self._progress = {key: text for key, text in self._progress.items() if key in ids}
        self.running.keep(ids)
        for each in running.evaluations:
            elapsed = cell(f"{each.elapsed:.1f} s", "bold yellow")
            row = (elapsed, Text(each.expression), cell(self._progress.get(each.evaluation, "")))
            self.running.put(each.evaluation, row, Text(f"{each.evaluation}\n{each.expression}"))

    def _put_call(
        self, key: str, at: str, name: str, about: str, ended: AnsweredCall | EndedEvaluation
    ) -> None:
        result, colour = result_of(ended), "red" if ended.error else "green"
        elapsed = cell(f"{ended.elapsed:.2f} s")
        row = (cell(at, "dim"), cell(name, "bold"), cell(about), elapsed, cell(result, colour))
        self.calls.put(key, row, Text(f"{name} {about}\n", "bold").append(result, colour))

    def _put_change(self, change: Change) -> None:
        """Show a change. The cursor does not follow undos, or the next undo would undo that."""
        key = f"{change.change} {change.action} {change.subject}"
        self._changes[key] = change
        follow = change.tool != "/undo"
        self.changes.put(key, change_row(change), change_details(change), follow=follow)


class Notice(NamedTuple):
    """What came of a key, for the person who pressed it."""

    text: str
    failed: bool = False


class LogScreen(ModalScreen[None]):
    """All that was observed, as lines."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,l,q", "dismiss", "Close")]

    def __init__(self, lines: Iterable[str]) -> None:
        super().__init__()
        self.text = RichLog(id="log", wrap=True)
        for line in lines:
            self.add(line)

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        yield self.text
        yield Footer()

    def add(self, line: str) -> None:
        """Show another line."""
        self.text.write(Text(line))


class WatchApplication(App[None]):
    """Shows what happens in the image of a client, and lets the person stop evaluations and undo changes."""

    TITLE = "pharo-mcp watch"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #image { background: $panel; height: 1; padding: 0 1; }
    Table { border: round $primary; }
    Table:focus { border: round $accent; }
    #running { height: auto; min-height: 4; max-height: 8; }
    #calls { height: 4fr; }
    #changes { height: 3fr; }
    #details { border: round $primary; height: 4fr; padding: 0 1; }
    #log { border: round $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "stop", "Stop evaluation"),
        Binding("S", "stop_all", "Stop all"),
        Binding("u", "undo", "Undo change"),
        Binding("U", "undo(True)", "Undo, confirmed", show=False),
        Binding("l", "log", "Log"),
        Binding("tab", "app.focus_next", "Next table"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, client: ImageClient) -> None:
        super().__init__()
        self.image_client = client
        self.watcher = Watcher(client)
        self.watching = Thread(target=self.watch_image, daemon=True)
        self.board = Board()
        self.details = Static(id="text", markup=False)
        self.lines: deque[str] = deque(maxlen=LINES)
        self.inbox: SimpleQueue[Observation | Notice] = SimpleQueue()

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        yield self.board.image
        yield self.board.running
        yield self.board.calls
        yield self.board.changes
        with VerticalScroll(id="details", can_focus=False):
            yield self.details
        yield Footer()

    def on_mount(self) -> None:
        """Begin to watch."""
        self.board.calls.focus()
        self.watching.start()
        self.set_interval(SCREEN_SECONDS, self.show_arrived)
        if not self.is_headless:
            Thread(target=end_without_terminal, daemon=True).start()

    def on_unmount(self) -> None:
        """End the watching, before the client is closed."""
        self.watcher.stop()
        self.watching.join(STOP_WORK_SECONDS)

    def action_stop(self) -> None:
        """Stop the selected evaluation."""
        if evaluation := self.board.running.selected:
            self.in_background(lambda: stop(self.image_client, evaluation))
        else:
            self.show(Notice("Nothing is running."))

    def action_stop_all(self) -> None:
        """Stop all evaluations."""
        self.in_background(lambda: stop(self.image_client, None))

    def action_undo(self, confirm: bool = False) -> None:
        """Undo the selected change; `confirm` also undoes changes of what the image depends on."""
        if selected := self.board.changes.selected:
            change = int(selected.partition(" ")[0])
            self.in_background(lambda: undo(self.image_client, change, confirm=confirm or None))
        else:
            self.show(Notice("There is no change to undo."))

    def action_log(self) -> None:
        """Open the log."""
        self.push_screen(LogScreen(self.lines))

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Show the details of another row under the cursor."""
        if event.data_table.has_focus:
            self.show_details(event.data_table)

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Show the details of the row under the cursor of another table."""
        self.show_details(event.widget)

    def in_background(self, work: Callable[[], Notice]) -> None:
        """Do what may have to wait for the image, and show what came of it."""
        Thread(target=lambda: self.inbox.put(work()), daemon=True).start()

    def watch_image(self) -> None:
        """Put what is observed into the inbox until the application ends."""
        try:
            for observation in self.watcher.observations():
                self.inbox.put(observation)
        except ImageError as error:
            self.inbox.put(Lost(to_the_user(error.message)))

    def show_arrived(self) -> None:
        """Show what has arrived in the inbox."""
        with suppress(Empty):
            while True:
                self.show(self.inbox.get_nowait())

    def show(self, arrived: Observation | Notice) -> None:
        """Show an observation or a notice."""
        if isinstance(arrived, Notice):
            self.notify(arrived.text, severity="error" if arrived.failed else "information", markup=False)
            return
        self.board.show(arrived)
        lines = list(lines_of(arrived))
        self.lines.extend(lines)
        for screen in self.screen_stack:
            if isinstance(screen, LogScreen):
                for line in lines:
                    screen.add(line)

    def show_details(self, table: Widget) -> None:
        """Show the text of the row under the cursor of a table."""
        if isinstance(table, Table):
            self.details.update(table.details)


def end_without_terminal() -> None:
    """End this process at once when the terminal is gone.

    Textual cannot: it waits for the thread that writes to the terminal, which has failed, or for the one that
    reads the end of input from it again and again.
    """
    while os.isatty(STANDARD_INPUT):
        sleep(SCREEN_SECONDS)
    os._exit(HUNG_UP)


def stop(client: ImageClient, evaluation: str | None) -> Notice:
    """Stop an evaluation, or all of them."""
    try:
        stopped = client.stop(evaluation)
    except ImageError as error:
        return Notice(to_the_user(error.message), failed=True)
    if stopped.frozen:
        return Notice(
            f"Stopped for good, since they could not be terminated: {', '.join(stopped.frozen)}", failed=True
        )
    return Notice(f"Stopped evaluations: {len(stopped.stopped)}")


def undo(client: ImageClient, change: int, *, confirm: bool | None) -> Notice:
    """Undo a change."""
    try:
        undone = client.run(endpoints.UNDO, change=change, confirm=confirm)
    except ImageError as error:
        hint = "\nTo undo it anyway, press U." if error.kind == "confirmation" else ""
        return Notice(f"{to_the_user(error.message)}{hint}", failed=True)
    if isinstance(undone, Undone) and undone.undone_by is not None:
        return Notice(f"Change {change} is already undone, by change {undone.undone_by}.")
    return Notice(f"Change {change} is undone.")
