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
from pharo_mcp.image.replies.changes import Undone
from pharo_mcp.times import STOP_WORK_SECONDS

from .board import Board, Table
from .lines import Lost, Observation, lines_of
from .watcher import Watcher

SCREEN_SECONDS = 0.1
"""The interval at which its screen is brought up to date."""

STANDARD_INPUT = 0
HUNG_UP = 129
"""The exit status of a program whose terminal is gone (128 + SIGHUP)."""
LINES = 2000
"""Lines that the log keeps."""


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
            self.in_background(lambda: self.inbox.put(stop(self.image_client, evaluation)))
        else:
            self.show(Notice("Nothing is running."))

    def action_stop_all(self) -> None:
        """Stop all evaluations."""
        self.in_background(lambda: self.inbox.put(stop(self.image_client, None)))

    def action_undo(self, confirm: bool = False) -> None:
        """Undo the selected change; `confirm` also undoes changes of what the image depends on."""
        if selected := self.board.changes.selected:
            change = int(selected.partition(" ")[0])
            self.in_background(
                lambda: self.inbox.put(undo(self.image_client, change, confirm=confirm or None))
            )
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

    def in_background(self, work: Callable[[], None]) -> None:
        """Do what may have to wait for the image."""
        Thread(target=work, daemon=True).start()

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
