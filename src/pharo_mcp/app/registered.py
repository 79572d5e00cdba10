"""What is offered now: what is built in, and beside it what the image in use registers."""

import logging
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from threading import Lock
from typing import TypeVar
from urllib.parse import unquote

from pharo_mcp.image import Events, Heard, ImageClient, ImageError, Registered, all_within
from pharo_mcp.prompts import registered_prompt
from pharo_mcp.protocol import NEWEST_LEGACY, News, Offers, Prompt, Resource, ResourceTemplate, Tool
from pharo_mcp.resources import registered_resource, registered_template
from pharo_mcp.tools import registered_tool

from .guarding import guarded

LOG = logging.getLogger(__name__)

MOMENT = 3.0
"""Seconds that an image gets to say what it offers, before a name is taken for unknown."""

Entry = TypeVar("Entry")
Made = TypeVar("Made", Tool, Resource, ResourceTemplate, Prompt)


class CurrentOffers:
    """Keeps what is offered up to date with what is heard of an image, and tells the news."""

    def __init__(
        self, image: ImageClient, built_in: Offers, tell: Callable[[News], None], *, read_only: bool
    ) -> None:
        self._image = image
        self._built_in = built_in
        self._tell = tell
        self._read_only = read_only
        self._left_out: frozenset[str] = frozenset()
        self._hearing = Lock()  # so that one change is news once, whoever hears of it
        self.now = built_in

    def hear(self, heard: Heard) -> None:
        """Take what an image offers now, or what happened in it."""
        if isinstance(heard, Registered):
            with self._hearing:
                self._take(heard)
            return
        for news in _news(heard):
            self._tell(news)

    def ask(self, seconds: float = MOMENT) -> Offers:
        """What is offered by the word of the image itself; what is known, if there is none in time."""
        with suppress(ImageError), all_within(seconds):
            self.hear(self._image.offering.registered(wait=seconds / 2))
        return self.now

    def _take(self, registered: Registered) -> None:
        left_out = list(registered.warnings)
        before, self.now = self.now, self._beside_built_in(registered, left_out.append)
        self._log(left_out)
        for topic in _topics(before, self.now):
            self._tell(News(topic))

    def _log(self, left_out: Iterable[str]) -> None:
        """Say once what is not offered, and why."""
        known, self._left_out = self._left_out, frozenset(left_out)
        for reason in sorted(self._left_out - known):
            LOG.warning("%s", reason)

    def _beside_built_in(self, registered: Registered, leave_out: Callable[[str], None]) -> Offers:
        mine, image = self._built_in, self._image
        uris = [*(each.uri for each in mine.resources), *(each.uri_template for each in mine.templates)]
        tools = [each.name for each in mine.tools]
        prompts = [each.name for each in mine.prompts]
        usable = [each for each in registered.tools if each.read_only or not self._read_only]
        theirs = Offers(
            _made(usable, "name", registered_tool, image, tools, leave_out),
            _made(registered.resources, "uri", registered_resource, image, uris, leave_out),
            _made(registered.resource_templates, "uri_template", registered_template, image, uris, leave_out),
            _made(registered.prompts, "name", registered_prompt, image, prompts, leave_out),
        )
        theirs = guarded(theirs, image)
        return mine._replace(
            tools=mine.tools + theirs.tools,
            resources=mine.resources + theirs.resources,
            templates=mine.templates + theirs.templates,
            prompts=mine.prompts + theirs.prompts,
        )


def _made(
    entries: Iterable[Entry],
    key: str,
    make: Callable[[ImageClient, Entry], Made],
    image: ImageClient,
    taken: Sequence[str],
    leave_out: Callable[[str], None],
) -> tuple[Made, ...]:
    """What clients can use of the entries; the others are left out, which is told with the reason."""

    def make_all() -> Iterator[Made]:
        for entry in entries:
            name = getattr(entry, key)
            if name in taken:
                leave_out(f"{name}, which the image registers, is left out: it is built in")
                continue
            try:
                yield make(image, entry)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one, the others are offered
                leave_out(f"{name}, which the image registers, is left out: {error}")

    return tuple(make_all())


def _topics(before: Offers, after: Offers) -> list[str]:
    """The lists that are not what they were."""
    lists = {
        "tools": (before.tools, after.tools),
        "resources": (before.resources + before.templates, after.resources + after.templates),
        "prompts": (before.prompts, after.prompts),
    }
    return [topic for topic, (old, new) in lists.items() if _shown(old) != _shown(new)]


def _shown(offered: Sequence[Tool | Resource | ResourceTemplate | Prompt]) -> list[dict[str, object]]:
    return [each.encode(NEWEST_LEGACY) for each in offered]


def _news(events: Events) -> Iterator[News]:
    """What clients may want to hear of it."""
    for event in events.events:
        if event.kind == "log":
            said = {"level": event.level, "logger": event.logger, "data": event.data}
            yield News("message", {name: word for name, word in said.items() if word is not None})
    if events.lost:
        yield News("contents", concerns=lambda uri: True)
        return
    classes = {event.class_name for event in events.events if event.kind == "class"}
    packages = {event.package_name for event in events.events if event.package_name}
    if classes or packages:
        yield News("contents", concerns=lambda uri: _is_about(uri, classes, packages))


def _is_about(uri: str, classes: Container[object], packages: Container[object]) -> bool:
    """Whether what can be read under a URI tells of one of these classes or packages."""
    match uri.removeprefix("pharo://").split("/"):
        case ["changes"]:
            return True
        case ["class", name, *_]:
            return unquote(name) in classes
        case ["package", name]:
            return unquote(name) in packages
    return False
