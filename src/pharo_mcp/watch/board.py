"""The tables of the screen, filled with observations."""

from rich.text import Text
from textual.widgets import DataTable, Static

from pharo_mcp.image.replies.changes import Change
from pharo_mcp.image.replies.status import AnsweredCall, EndedEvaluation

from .lines import (
    Called,
    Changed,
    Ended,
    Lost,
    Observation,
    Progressed,
    Running,
    UndoState,
    Watched,
    difference,
    first_line,
    request_name,
    result_of,
    time_of_day,
    what_of,
)

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
    is_undone = change.undone and change.tool != "/undo"
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
            case Called(call):
                self._put_call(
                    f"call {call.call}", time_of_day(call.at), request_name(call.path), call.subject, call
                )
            case Ended(ended, expression):
                self._put_call(ended.evaluation, time_of_day(), "ended", expression, ended)
            case Running():
                self._show_running(observation)
            case Progressed(evaluation, progress, total, message):
                of_total = f" of {total:g}" if total else ""
                self._progress[evaluation] = f"{progress:g}{of_total} {message or ''}"
            case Changed(change):
                self._put_change(change)
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

    def _show_running(self, running: Running) -> None:
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
