"""The tables of the screen, filled with observations."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from rich.text import Text
from textual.widgets import Static

from pharo_mcp.image.replies.changes import Change

from .lines import time_of_day, tool_name
from .observations import Called, Changed, Ended, Lost, Observation, Progressed, Running, UndoState, Watched
from .tables import Table, call_details, call_row, change_details, change_row, result_details, running_row


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
        self._showers: Mapping[type, Callable[[Any], None]] = {
            Watched: self._show_image,
            Lost: self._show_loss,
            Called: self._show_call,
            Running: self._show_running,
            Progressed: self._show_progress,
            Ended: self._show_end,
            Changed: self._show_change,
            UndoState: self._show_undo_state,
        }

    def show(self, observation: Observation) -> None:
        """Bring the tables up to date."""
        if show := self._showers.get(type(observation)):
            show(observation)

    def _show_image(self, watched: Watched) -> None:
        if watched.session != self._session:  # its changes and evaluations have numbers of their own
            self._session = watched.session
            self._changes.clear()
            for table in (self.running, self.calls, self.changes):
                table.keep(set())
        read_only = "read-only" if watched.read_only else None
        words = filter(None, (watched.name, watched.system, watched.image, read_only))
        self.image.update(Text(f"● {'  '.join(words)}", "bold green", overflow="ellipsis", no_wrap=True))

    def _show_loss(self, lost: Lost) -> None:
        self.running.keep(set())
        self.image.update(Text(f"● Lost: {lost.reason}", "bold red", overflow="ellipsis", no_wrap=True))

    def _show_call(self, called: Called) -> None:
        call = called.call
        row = call_row(
            time_of_day(call.at),
            tool_name(call.path),
            call.subject,
            call.elapsed,
            call.print_string,
            call.error,
        )
        self.calls.put(f"call {call.call}", row, call_details(call))

    def _show_end(self, observed: Ended) -> None:
        ended = observed.ended
        row = call_row(
            f"{datetime.now():%H:%M:%S}",
            "ended",
            observed.expression,
            ended.elapsed,
            ended.print_string,
            ended.error,
        )
        details = Text(f"{observed.expression}\n", "bold")
        details.append_text(result_details(ended.print_string, ended.error))
        self.calls.put(ended.evaluation, row, details)

    def _show_running(self, running: Running) -> None:
        ids = {each.evaluation for each in running.evaluations}
        self._progress = {key: text for key, text in self._progress.items() if key in ids}
        self.running.keep(ids)
        for each in running.evaluations:
            row = running_row(each, self._progress.get(each.evaluation, ""))
            self.running.put(each.evaluation, row, Text(f"{each.evaluation}\n{each.expression}"))

    def _show_progress(self, progress: Progressed) -> None:
        total = f" of {progress.total:g}" if progress.total else ""
        self._progress[progress.evaluation] = f"{progress.progress:g}{total} {progress.message or ''}"

    def _show_change(self, changed: Changed) -> None:
        self._put(changed.change)

    def _show_undo_state(self, state: UndoState) -> None:
        for change in [each for each in self._changes.values() if each.change == state.change]:
            self._put(change._replace(undone=state.undone))

    def _put(self, change: Change) -> None:
        """Show a change. The cursor does not follow undos, or the next undo would undo that."""
        key = f"{change.change} {change.action} {change.subject}"
        self._changes[key] = change
        follow = change.tool != "/undo"
        self.changes.put(key, change_row(change), change_details(change), follow=follow)
