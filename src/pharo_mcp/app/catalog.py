"""The catalog: the built-in tools, resources and prompts, and those that the image in use registers."""

import logging
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import TypeVar
from urllib.parse import unquote

from pharo_mcp.handlers import confirming, translate_errors
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection import all_within
from pharo_mcp.image.errors import ImageError, RequestRefused
from pharo_mcp.image.hints import without
from pharo_mcp.image.replies.image import Events
from pharo_mcp.image.replies.registrations import RegisteredItems
from pharo_mcp.image.watch import ImageUpdate
from pharo_mcp.prompts import PROMPTS, registered_prompt
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import (
    Catalog,
    Complete,
    Completion,
    Prompt,
    Resource,
    ServerEvent,
    Skill,
    Tool,
)
from pharo_mcp.protocol.revisions import NEWEST_LEGACY
from pharo_mcp.resources import (
    HANDED_OVER,
    RESOURCES,
    TEMPLATES,
    built_in_skills,
    registered_resource,
    registered_skill,
)
from pharo_mcp.tools.all import FORMER_NAMES, NAMES, TOOLS, chosen_tools, registered_tool
from pharo_mcp.tools.outcomes import long_work

REGISTRATIONS_SECONDS = 10.0
"""The wait for the registrations of an image before a name counts as unknown."""

COMPLETED = {"className": "class", "selector": "selector", "packageName": "package"}
"""The kind of name that the image completes, by the name of the parameter."""
WORDS = {"side": ("class", "instance")}
"""The values of the parameters that have fixed values."""


def complete_from(image: ImageClient) -> Complete:
    """Return a function that completes parameters with names in an image."""

    def complete(name: str, begun: str, filled: Mapping[str, str], call: Call) -> Completion:
        if name in WORDS:
            words = tuple(word for word in WORDS[name] if word.startswith(begun))
            return Completion(words, len(words))
        if name not in COMPLETED:
            return Completion()
        kind = COMPLETED[name]
        class_name = filled.get("className") if kind == "selector" else None
        try:
            found = image.ask(endpoints.COMPLETE, kind=kind, prefix=begun, class_name=class_name)
        except RequestRefused as refused:
            if refused.kind != "unknownClass":  # its name is perhaps not complete yet
                raise
            return Completion()
        return Completion(found.values, found.total)

    return complete


NOT_CHOSEN = """\
{tool} is not among the tools of this session. Nothing ran. If it is needed, ask the user to start pharo-mcp \
with it among --tools (PHARO_MCP_TOOLS)."""


def reason_left_out(tool: str) -> str:
    """Return why a tool is not available in a read-only session."""
    return (
        f"{tool} can change the image, and this session is read-only. Nothing ran. "
        "If it is needed, ask the user to start pharo-mcp without --read-only (PHARO_MCP_READ_ONLY)."
    )


def catalog_for(
    image: ImageClient, *, read_only: bool = False, tools: str = "all", confirm: bool = False
) -> Catalog:
    """Make the tools, resources and prompts for an image.

    Args:
        image: The image that they use.
        read_only: Whether to leave out what could change the image, such as the prompt that runs tests.
        tools: Which tools to list: `all`, `core`, or the names of the only ones that there are.
        confirm: Whether tools that destroy something ask the person first.
    """
    work = long_work(image)
    chosen = chosen_tools(tools)
    there = [declared for declared in chosen.tools if declared.reads_only or not read_only]
    absent = NAMES - {declared.name for declared in there}
    made = [
        declared.make(image)._replace(
            listed=declared.name in chosen.listed,
            long_work=work if declared.takes_long else None,
            description=without(absent, declared.description) or declared.description,
        )
        for declared in there
    ]
    left_out = {name: f"There is no {name}: use {now}. Nothing ran." for name, now in FORMER_NAMES.items()}
    left_out |= {each.name: NOT_CHOSEN.format(tool=each.name) for each in TOOLS if each not in chosen.tools}
    left_out |= {each.name: reason_left_out(each.name) for each in chosen.tools if each not in there}
    skills = built_in_skills()
    resources = [resource.make(image) for resource in RESOURCES] + [skill.resource for skill in skills]
    templates = [template.make(image) for template in TEMPLATES]
    prompts = [prompt.make(image) for prompt in PROMPTS if not (read_only and prompt.runs_code)]
    catalog = Catalog(
        tuple(made),
        tuple(resources),
        tuple(templates),
        tuple(prompts),
        complete_from(image),
        left_out=left_out,
        skills=skills,
    )
    return translate_errors(confirming(catalog) if confirm else catalog, image, absent)


LOG = logging.getLogger(__name__)

Entry = TypeVar("Entry")
Made = TypeVar("Made", Tool, Resource, Prompt, Skill)
Listed = Tool | Resource | Prompt | Skill


class LiveCatalog:
    """Keeps the catalog up to date with the registrations of an image, and publishes its changes."""

    def __init__(
        self,
        image: ImageClient,
        built_in: Catalog,
        publish: Callable[[ServerEvent], None],
        *,
        read_only: bool,
        confirm: bool = False,
    ) -> None:
        built_in = built_in._replace(updated=self.refresh)
        self._image = image
        self._built_in = built_in
        self._publish = publish
        self._read_only = read_only
        self._confirm = confirm
        self._omitted: frozenset[str] = frozenset()
        self._updating = Lock()  # so that each change is published once
        self._entries = built_in
        self._without_choice = _without_choice(built_in)  # the same while there is nothing to choose
        self._has_alternatives: bool | None = None  # None until the catalog is asked for

    def current(self) -> Catalog:
        """Return the catalog as it is now; `select_image` is listed while there are several images."""
        has_alternatives = self._image.has_alternatives()
        before, self._has_alternatives = self._has_alternatives, has_alternatives
        if before not in (None, has_alternatives):
            self._publish(ServerEvent("tools"))
        return self._entries if has_alternatives else self._without_choice

    def update(self, update: ImageUpdate) -> None:
        """Accept the registrations of an image, or what happened in it."""
        if isinstance(update, RegisteredItems):
            with self._updating:
                self._replace(update)
            return
        for event in _server_events(update):
            self._publish(event)

    def refresh(self, seconds: float = REGISTRATIONS_SECONDS) -> Catalog:
        """Ask the image for its registrations; the catalog then, unchanged if it does not answer in time."""
        with suppress(ImageError), all_within(seconds):
            self.update(self._image.ask(endpoints.REGISTRATIONS._replace(seconds=seconds / 2)))
        return self.current()

    def _replace(self, registered: RegisteredItems) -> None:
        omitted = list(registered.warnings)
        before, self._entries = self._entries, self._beside_built_in(registered, omitted.append)
        self._without_choice = _without_choice(self._entries)
        self._log(omitted)
        for topic in _topics(before, self._entries):
            self._publish(ServerEvent(topic))

    def _log(self, omitted: Iterable[str]) -> None:
        """Log each reason for an omitted entry once."""
        known, self._omitted = self._omitted, frozenset(omitted)
        for reason in sorted(self._omitted - known):
            LOG.warning("%s", reason)

    def _beside_built_in(self, registered: RegisteredItems, omit: Callable[[str], None]) -> Catalog:
        built_in, image = self._built_in, self._image
        uris = [each.uri for each in (*built_in.resources, *built_in.templates)]
        tools = [each.name for each in built_in.tools]
        prompts = [each.name for each in built_in.prompts]
        usable = [each for each in registered.tools if each.read_only or not self._read_only]
        left_out = {each.name: reason_left_out(each.name) for each in registered.tools if each not in usable}
        names = [each.name for each in built_in.skills]
        skills = _made(registered.skills, "name", lambda _, each: registered_skill(each), image, names, omit)
        theirs = Catalog(
            _made(usable, "name", registered_tool, image, tools, omit),
            _made(registered.resources, "uri", registered_resource, image, uris, omit)
            + tuple(skill.resource for skill in skills),
            _made(registered.resource_templates, "uri_template", registered_resource, image, uris, omit),
            _made(registered.prompts, "name", registered_prompt, image, prompts, omit),
        )
        theirs = translate_errors(
            confirming(theirs, built_in=False) if self._confirm else theirs, image, NAMES - set(tools)
        )
        return built_in._replace(
            tools=built_in.tools + theirs.tools,
            resources=built_in.resources + theirs.resources,
            templates=built_in.templates + theirs.templates,
            prompts=built_in.prompts + theirs.prompts,
            skills=built_in.skills + skills,
            left_out={**left_out, **built_in.left_out},
        )


def _made(
    entries: Iterable[Entry],
    key: str,
    make: Callable[[ImageClient, Entry], Made],
    image: ImageClient,
    taken: Sequence[str],
    omit: Callable[[str], None],
) -> tuple[Made, ...]:
    """Return the entries that clients can use; the others are reported with the reason."""

    def make_all() -> Iterator[Made]:
        for entry in entries:
            name = getattr(entry, key)
            if name in taken:
                omit(f"{name}, which the image registers, is omitted: the name is built in")
                continue
            try:
                yield make(image, entry)
            except Exception as error:  # noqa: BLE001 - one faulty entry must not hide the others
                omit(f"{name}, which the image registers, is omitted: {error}")

    return tuple(make_all())


def _without_choice(entries: Catalog) -> Catalog:
    """Return a catalog that does not list the tool that chooses an image; it can still be called."""
    return entries._replace(
        tools=tuple(
            tool._replace(listed=False) if tool.name == "select_image" else tool for tool in entries.tools
        )
    )


def _topics(before: Catalog, after: Catalog) -> list[str]:
    """Return the lists that have changed."""
    lists: dict[str, tuple[Sequence[Listed], Sequence[Listed]]] = {
        "tools": (before.tools, after.tools),
        "resources": (
            before.resources + before.templates + before.skills,
            after.resources + after.templates + after.skills,
        ),
        "prompts": (before.prompts, after.prompts),
    }
    return [topic for topic, (old, new) in lists.items() if _shown(old) != _shown(new)]


def _shown(entries: Sequence[Listed]) -> list[dict[str, object]]:
    return [each.encode(NEWEST_LEGACY) for each in entries]


def _server_events(events: Events) -> Iterator[ServerEvent]:
    """Yield the server events for what happened in an image."""
    for event in events.events:
        if event.kind == "log":
            members = {"level": event.level, "logger": event.logger, "data": event.data}
            yield ServerEvent("message", {name: word for name, word in members.items() if word is not None})
    if events.lost:
        yield ServerEvent("contents", concerns=lambda uri: True)
        return
    classes = {event.class_name for event in events.events if event.kind == "class"}
    packages = {event.package_name for event in events.events if event.package_name}
    if any(event.kind == "handover" for event in events.events):
        yield ServerEvent("contents", concerns=lambda uri: uri == HANDED_OVER)
    if classes or packages:
        yield ServerEvent("contents", concerns=lambda uri: _is_about(uri, classes, packages))


def _is_about(uri: str, classes: Container[object], packages: Container[object]) -> bool:
    """Return whether the resource at a URI describes one of these classes or packages."""
    match uri.removeprefix("pharo://").split("/"):
        case ["changes"]:
            return True
        case ["class", name, *_]:
            return unquote(name) in classes
        case ["package", name]:
            return unquote(name) in packages
    return False
