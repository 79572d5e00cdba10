"""Hearing what happens in the image in use."""

import json
import queue
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from image.servers import (
    PATIENCE,
    TOKEN,
    Answer,
    Companion,
    Happenings,
    Remembering,
    Reply,
    companion,
    failure,
    value,
)
from pharo_mcp.image import (
    AnswerLost,
    Events,
    FoundImages,
    ImageClient,
    ImageEvent,
    RegisteredItems,
    RegisteredTool,
    Running,
    at,
)

TOOL = {"name": "total", "description": "Adds.", "inputSchema": {"type": "object"}, "readOnly": True}
NOTHING: dict[str, object] = {
    "revision": "0",
    "tools": [],
    "resources": [],
    "resourceTemplates": [],
    "prompts": [],
}
ONE_TOOL = {**NOTHING, "revision": "1", "tools": [TOOL]}
TOTAL = RegisteredTool("total", "Adds.", {"type": "object"}, read_only=True)


class Ears:
    """Keeps what is heard, until a test asks for it."""

    def __init__(self) -> None:
        self._heard: queue.Queue[Any] = queue.Queue()
        self.hear = self._heard.put

    def next(self) -> Any:
        """What is heard next."""
        return self._heard.get(timeout=PATIENCE)

    def next_offers(self) -> list[str]:
        """The tools that an image offers, which is heard after the word that it was met anew."""
        assert self.next().lost
        return tools(self.next())


@contextmanager
def watching(image: Companion) -> Iterator[tuple[ImageClient, Ears]]:
    client, ears = ImageClient(at(image.address)), Ears()
    client.watch(ears.hear)
    yield client, ears
    client.close()


def offering(*replies: Mapping[str, object]) -> Remembering:
    return Remembering(*map(always, replies))


def always(reply: Mapping[str, object]) -> Answer:
    return lambda _: value(reply)


def tools(heard: Any) -> list[str]:
    assert isinstance(heard, RegisteredItems)
    return [tool.name for tool in heard.tools]


def test_what_an_image_offers_is_heard_when_it_is_met_and_when_that_changes() -> None:
    happenings = Happenings()
    with (
        companion(events=happenings, offers=offering(NOTHING, ONE_TOOL)) as image,
        watching(image) as (_, ears),
    ):
        assert ears.next() == Events(0, lost=True)
        assert tools(ears.next()) == []
        happenings.happen(1, "offers")
        assert ears.next() == Events(1, (ImageEvent(1, "offers"),))
        assert ears.next().tools == (TOTAL,)
        happenings.happen(2, "class")
        assert ears.next().events[0].kind == "class"
        asked = [happenings.asked.get(timeout=PATIENCE) for _ in range(4)]
    assert [body["since"] for body in asked] == [None, 0, 1, 2]
    assert len({body["listener"] for body in asked}) == 1


def test_a_class_that_changed_is_named_when_the_image_then_does_not_answer() -> None:
    def lost(_: Any) -> Reply:
        raise ConnectionResetError

    happenings = Happenings()
    with (
        companion(events=happenings, offers=offering(NOTHING), version=lost) as image,
        watching(image) as (client, ears),
    ):
        ears.next()
        ears.next()
        changed = {"event": 1, "kind": "class", "className": "BlockClosure", "packageName": "Kernel"}
        happenings.answer(value({"next": 1, "events": [changed]}))
        ears.next()
        with pytest.raises(AnswerLost, match="last change of code in the image was of BlockClosure"):
            client.version()


def test_what_the_first_request_makes_happen_is_heard_by_whoever_watches_later() -> None:
    happenings, ears = Happenings(), Ears()
    with companion(events=happenings, offers=offering(NOTHING)) as image:
        client = ImageClient(at(image.address))
        client.prepare_to_watch(ears.hear)
        client.status()
        assert image.asked == ["/status", "/events", "/status"]
        client.start_to_watch()
        happenings.happen(1, "log")
        assert ears.next_offers() == []
        assert ears.next().events[0].kind == "log"
        asked = [happenings.asked.get(timeout=PATIENCE)["since"] for _ in range(2)]
        client.close()
    assert asked == [None, 0]


def test_after_a_gap_the_offers_are_asked_for_again() -> None:
    happenings = Happenings()
    with (
        companion(events=happenings, offers=offering(NOTHING, ONE_TOOL)) as image,
        watching(image) as (_, ears),
    ):
        ears.next_offers()
        happenings.happen(9, lost=True)
        assert ears.next() == Events(9, lost=True)
        assert tools(ears.next()) == ["total"]


def test_an_image_that_cannot_list_its_offers_is_heard_all_the_same() -> None:
    def broken(_: object) -> Any:
        return failure(500, "internal", "It broke.")

    happenings = Happenings()
    with (
        companion(events=happenings, offers=Remembering(broken, always(ONE_TOOL))) as image,
        watching(image) as (_, ears),
    ):
        assert ears.next() == Events(0, lost=True)
        happenings.happen(1, "class")
        assert ears.next() == Events(1, (ImageEvent(1, "class"),))
        assert tools(ears.next()) == ["total"]


def test_an_image_that_was_lost_is_followed_anew() -> None:
    happenings = Happenings()
    with (
        companion(events=happenings, offers=offering(NOTHING, ONE_TOOL)) as image,
        watching(image) as (_, ears),
    ):
        ears.next_offers()
        happenings.answer(failure(500, "internal", "It broke."))
        assert ears.next_offers() == ["total"]


def test_of_an_image_that_is_gone_nothing_is_offered() -> None:
    happenings = Happenings()
    with companion(events=happenings, offers=offering(ONE_TOOL)) as image:
        client, ears = ImageClient(at(image.address)), Ears()
        client.watch(ears.hear)
        assert ears.next_offers() == ["total"]
    happenings.answer(failure(500, "internal", "It ended."))
    assert ears.next() == RegisteredItems()
    client.close()


def test_the_image_that_is_chosen_is_followed_at_once(tmp_path: Path) -> None:
    with (
        companion(events=Happenings(), offers=offering(NOTHING)) as zoo,
        companion(events=Happenings(), offers=offering(ONE_TOOL)) as ark,
    ):
        for name, image in (("Zoo", zoo), ("Ark", ark)):
            told = {"url": image.address.url, "token": TOKEN, "name": name, "system": "Pharo", "image": name}
            (tmp_path / f"{name}.json").write_text(json.dumps(told), "utf-8")
        client, ears = ImageClient(FoundImages(str(tmp_path))), Ears()
        client.choose("Zoo")
        client.watch(ears.hear)
        assert ears.next_offers() == []
        client.choose("Ark")
        assert ears.next_offers() == ["total"]
        client.close()


def test_an_image_without_events_offers_nothing_and_is_asked_again_when_somebody_meets_it() -> None:
    with companion(status_and_more=lambda _: value({})) as image, watching(image) as (client, ears):
        assert ears.next() == RegisteredItems()
        image.answers |= {"/events": Happenings(), "/offers": offering(ONE_TOOL)}
        client.status()
        while (heard := ears.next()) == RegisteredItems():
            continue
        assert heard.lost


def progress(event: int, progress: float) -> dict[str, object]:
    told = {"progress": progress, "total": 2, "message": f"at {progress}"}
    return {"event": event, "kind": "progress", "evaluation": "e-7", **told}


def test_progress_that_an_evaluation_tells_reaches_whoever_waits_for_it_before_its_answer() -> None:
    happenings = Happenings()

    def call(body: Any) -> Any:
        for event in (1, 2):
            happenings.answer(value({"next": event, "events": [progress(event, event)]}))
        return value({"contents": [{"type": "text", "text": "done"}], "event": 2})

    answers: dict[str, Answer] = {"offers/call": call, "events": happenings, "offers": offering(NOTHING)}
    with companion(**answers) as image, watching(image) as (client, ears):
        ears.next_offers()
        told: list[Running] = []
        client.registrations.call("tool", {}, name="total", evaluation_id="e-7", on_progress=told.append)
    assert [(each.progress, each.total, each.message) for each in told] == [(1, 2, "at 1"), (2, 2, "at 2")]


def test_an_answer_does_not_wait_for_events_that_never_come() -> None:
    def call(body: Any) -> Any:
        return value({"contents": [], "event": 1_000})

    answers: dict[str, Answer] = {"offers/call": call, "events": Happenings(), "offers": offering(NOTHING)}
    with companion(**answers) as image, watching(image) as (client, ears):
        ears.next_offers()
        assert client.registrations.answer("tool", {}, name="total", evaluation_id="e-7").event == 1_000
