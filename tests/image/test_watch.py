"""Hearing what happens in the image in use."""

import json
import queue
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from image.servers import TOKEN, Answer, Companion, Happenings, Remembering, Reply, companion, failure, value
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import Caller, ImageClient
from pharo_mcp.image.errors import AnswerLost
from pharo_mcp.image.images import FoundImages, at
from pharo_mcp.image.replies.evaluations import Running
from pharo_mcp.image.replies.image import Events, ImageEvent
from pharo_mcp.image.replies.registrations import RegisteredItems, RegisteredTool
from programs import PATIENCE

TOOL = {"name": "total", "description": "Adds.", "inputSchema": {"type": "object"}, "readOnly": True}
NOTHING: dict[str, object] = {
    "tools": [],
    "resources": [],
    "resourceTemplates": [],
    "prompts": [],
}
ONE_TOOL = {**NOTHING, "tools": [TOOL]}
TOTAL = RegisteredTool("total", "Adds.", {"type": "object"}, read_only=True)


class Updates:
    """Keeps the updates from an image until a test asks for them."""

    def __init__(self) -> None:
        self._updates: queue.Queue[Any] = queue.Queue()
        self.put = self._updates.put

    def next(self) -> Any:
        """The next update."""
        return self._updates.get(timeout=PATIENCE)

    def next_tools(self) -> list[str]:
        """The registered tools, which are the update after a new connection."""
        assert self.next().lost
        return tools(self.next())


@contextmanager
def watching(image: Companion) -> Iterator[tuple[ImageClient, Updates]]:
    client, updates = ImageClient(at(image.address)), Updates()
    client.watch(updates.put)
    yield client, updates
    client.close()


def answering(*replies: Mapping[str, object]) -> Remembering:
    return Remembering(*map(always, replies))


def always(reply: Mapping[str, object]) -> Answer:
    return lambda _: value(reply)


def tools(update: Any) -> list[str]:
    assert isinstance(update, RegisteredItems)
    return [tool.name for tool in update.tools]


def test_registrations_are_reported_when_an_image_is_found_and_when_they_change() -> None:
    happenings = Happenings()
    with (
        companion(events=happenings, registrations=answering(NOTHING, ONE_TOOL)) as image,
        watching(image) as (_, updates),
    ):
        assert updates.next() == Events(0, lost=True)
        assert tools(updates.next()) == []
        happenings.happen(1, "registrations")
        assert updates.next() == Events(1, (ImageEvent(1, "registrations"),))
        assert updates.next().tools == (TOTAL,)
        happenings.happen(2, "class")
        assert updates.next().events[0].kind == "class"
        asked = [happenings.asked.get(timeout=PATIENCE) for _ in range(4)]
    assert [body["since"] for body in asked] == [None, 0, 1, 2]
    assert len({body["listener"] for body in asked}) == 1


def test_a_class_that_changed_is_named_when_the_image_then_does_not_answer() -> None:
    def lost(_: Any) -> Reply:
        raise ConnectionResetError

    happenings = Happenings()
    with (
        companion(events=happenings, registrations=answering(NOTHING), version=lost) as image,
        watching(image) as (client, updates),
    ):
        updates.next()
        updates.next()
        changed = {"event": 1, "kind": "class", "className": "BlockClosure", "packageName": "Kernel"}
        happenings.answer(value({"next": 1, "events": [changed]}))
        updates.next()
        with pytest.raises(AnswerLost, match="last change of code in the image was of BlockClosure"):
            client.ask(endpoints.VERSION)


def test_events_of_the_first_request_are_reported_to_a_later_watcher() -> None:
    happenings, updates = Happenings(), Updates()
    with companion(events=happenings, registrations=answering(NOTHING)) as image:
        client = ImageClient(at(image.address))
        client.prepare_to_watch(updates.put)
        client.status()
        assert image.asked == ["/status", "/events", "/status"]
        client.start_to_watch()
        happenings.happen(1, "log")
        assert updates.next_tools() == []
        assert updates.next().events[0].kind == "log"
        asked = [happenings.asked.get(timeout=PATIENCE)["since"] for _ in range(2)]
        client.close()
    assert asked == [None, 0]


def test_after_a_gap_the_registrations_are_requested_again() -> None:
    happenings = Happenings()
    with (
        companion(events=happenings, registrations=answering(NOTHING, ONE_TOOL)) as image,
        watching(image) as (_, updates),
    ):
        updates.next_tools()
        happenings.happen(9, lost=True)
        assert updates.next() == Events(9, lost=True)
        assert tools(updates.next()) == ["total"]


def test_events_of_an_image_that_cannot_list_its_registrations_are_reported() -> None:
    def broken(_: object) -> Any:
        return failure(500, "internal", "It broke.")

    happenings = Happenings()
    with (
        companion(events=happenings, registrations=Remembering(broken, always(ONE_TOOL))) as image,
        watching(image) as (_, updates),
    ):
        assert updates.next() == Events(0, lost=True)
        happenings.happen(1, "class")
        assert updates.next() == Events(1, (ImageEvent(1, "class"),))
        assert tools(updates.next()) == ["total"]


def test_an_image_whose_connection_was_lost_is_watched_again() -> None:
    happenings = Happenings()
    with (
        companion(events=happenings, registrations=answering(NOTHING, ONE_TOOL)) as image,
        watching(image) as (_, updates),
    ):
        updates.next_tools()
        happenings.answer(failure(500, "internal", "It broke."))
        assert updates.next_tools() == ["total"]


def test_an_image_that_ended_has_no_registrations() -> None:
    happenings = Happenings()
    with companion(events=happenings, registrations=answering(ONE_TOOL)) as image:
        client, updates = ImageClient(at(image.address)), Updates()
        client.watch(updates.put)
        assert updates.next_tools() == ["total"]
    happenings.answer(failure(500, "internal", "It ended."))
    assert updates.next() == RegisteredItems()
    client.close()


def test_a_chosen_image_is_watched_at_once(tmp_path: Path) -> None:
    with (
        companion(events=Happenings(), registrations=answering(NOTHING)) as zoo,
        companion(events=Happenings(), registrations=answering(ONE_TOOL)) as ark,
    ):
        for name, image in (("Zoo", zoo), ("Ark", ark)):
            reported = {
                "url": image.address.url,
                "token": TOKEN,
                "name": name,
                "system": "Pharo",
                "image": name,
            }
            (tmp_path / f"{name}.json").write_text(json.dumps(reported), "utf-8")
        client, updates = ImageClient(FoundImages(str(tmp_path))), Updates()
        client.choose("Zoo")
        client.watch(updates.put)
        assert updates.next_tools() == []
        client.choose("Ark")
        assert updates.next_tools() == ["total"]
        client.close()


def test_an_image_without_events_has_no_registrations_until_the_next_request() -> None:
    with companion(status_and_more=lambda _: value({})) as image, watching(image) as (client, updates):
        assert updates.next() == RegisteredItems()
        image.answers |= {"/events": Happenings(), "/registrations": answering(ONE_TOOL)}
        client.status()
        while (update := updates.next()) == RegisteredItems():
            continue
        assert update.lost


def progress(event: int, progress: float) -> dict[str, object]:
    reported = {"progress": progress, "total": 2, "message": f"at {progress}"}
    return {"event": event, "kind": "progress", "evaluation": "e-7", **reported}


def test_progress_of_an_evaluation_is_reported_before_its_answer() -> None:
    happenings = Happenings()

    def call(body: Any) -> Any:
        for event in (1, 2):
            happenings.answer(value({"next": event, "events": [progress(event, event)]}))
        return value({"contents": [{"type": "text", "text": "done"}], "event": 2})

    answers: dict[str, Answer] = {
        "registrations/call": call,
        "events": happenings,
        "registrations": answering(NOTHING),
    }
    with companion(**answers) as image, watching(image) as (client, updates):
        updates.next_tools()
        reported: list[Running] = []
        client.call_registered("tool", {}, Caller("e-7", reported.append), name="total")
    assert [(each.progress, each.total, each.message) for each in reported] == [
        (1, 2, "at 1"),
        (2, 2, "at 2"),
    ]


def test_an_answer_does_not_wait_for_events_that_never_come() -> None:
    def call(body: Any) -> Any:
        return value({"contents": [], "event": 1_000})

    answers: dict[str, Answer] = {
        "registrations/call": call,
        "events": Happenings(),
        "registrations": answering(NOTHING),
    }
    with companion(**answers) as image, watching(image) as (client, updates):
        updates.next_tools()
        assert client.read_registered("tool", {}, Caller("e-7"), name="total").event == 1_000
