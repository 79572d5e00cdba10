"""What an image registers beside what is built in, and what clients hear of it."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from image.servers import TOKEN, Companion, Gate, Remembering, Reply, asking, companion, exchange
from pharo_mcp.app.catalog import LiveCatalog, catalog_for
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import FoundImages
from pharo_mcp.image.replies.image import Events, ImageEvent
from pharo_mcp.image.replies.registrations import (
    RegisteredArgument,
    RegisteredItems,
    RegisteredPrompt,
    RegisteredResource,
    RegisteredSkill,
    RegisteredTool,
)
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import (
    Catalog,
    Resource,
    ResourceContents,
    ServerEvent,
    TextContent,
    Tool,
    ToolError,
    ToolResult,
)
from pharo_mcp.protocol.schema import Schema

ORDERS: dict[str, object] = {
    "type": "object",
    "properties": {"order": {"type": "integer"}},
    "required": ["order"],
}
TOTAL = RegisteredTool("order_total", "Total of an order.", ORDERS)
READER = RegisteredTool("order_list", "All orders.", {"type": "object"}, read_only=True)
OPEN = RegisteredResource("Open orders", "All of them.", "shop://orders/open")
ORDER = RegisteredResource("An order", "One of them.", None, "shop://order/{number}", "application/pdf")
REVIEW = RegisteredPrompt(
    "review_order", "Review.", (RegisteredArgument("order", "Its number", required=True),)
)
ALL = RegisteredItems((TOTAL, READER), (OPEN,), (ORDER,), (REVIEW,))


def say_seven(arguments: object, call: Call) -> ToolResult:
    return ToolResult.from_text("7")


BUILT_IN = Catalog(
    tools=(Tool("evaluate", "Evaluates.", Schema({"type": "object"}), say_seven),),
    resources=(Resource("pharo://changes", "Changes", "All.", lambda parameters, call: "none"),),
)


class Current:
    """A live catalog, and the events that it published."""

    def __init__(self, image: ImageClient, built_in: Catalog = BUILT_IN, *, read_only: bool = False) -> None:
        self.published: list[ServerEvent] = []
        self._catalog = LiveCatalog(image, built_in, self.published.append, read_only=read_only)
        self.update = self._catalog.update
        self.refresh = self._catalog.refresh
        self.built_in = BUILT_IN._replace(updated=self.refresh)

    @property
    def now(self) -> Catalog:
        return self._catalog.current()

    def topics(self) -> list[str]:
        """The topics published since the last call."""
        topics = [event.topic for event in self.published]
        self.published.clear()
        return topics


def names(catalog: Catalog) -> list[list[str]]:
    return [
        [tool.name for tool in catalog.tools],
        [resource.uri for resource in catalog.resources],
        [template.uri for template in catalog.templates],
        [prompt.name for prompt in catalog.prompts],
    ]


def read(catalog: Catalog, uri: str) -> tuple[ResourceContents, ...]:
    reader = catalog.find_reader(uri)
    assert reader is not None
    return reader(Call())


def test_registrations_follow_the_built_in_entries_until_the_image_ends() -> None:
    with asking() as image:
        current = Current(image)
        assert current.now == current.built_in
        current.update(ALL)
        assert names(current.now) == [
            ["evaluate", "order_total", "order_list"],
            ["pharo://changes", "shop://orders/open"],
            ["shop://order/{number}"],
            ["review_order"],
        ]
        assert current.topics() == ["tools", "resources", "prompts"]
        current.update(RegisteredItems())
        assert current.now == current.built_in
        assert current.topics() == ["tools", "resources", "prompts"]


def test_the_skills_of_an_image_are_also_resources_and_a_changed_text_is_news() -> None:
    rules = RegisteredSkill("shop-rules", "How we work.", "# Rules")
    with asking() as image:
        current = Current(image)
        current.update(RegisteredItems(skills=(rules,)))
        [skill] = current.now.skills
        [contents] = read(current.now, "skill://shop-rules/SKILL.md")
        assert (contents.mime_type, contents.text) == ("text/markdown", skill.text)
        assert current.topics() == ["resources"]
        current.update(RegisteredItems(skills=(rules._replace(text="# New rules"),)))
        assert current.topics() == ["resources"]


def test_only_lists_that_are_others_are_news() -> None:
    with asking() as image:
        current = Current(image)
        current.update(ALL)
        current.topics()
        current.update(ALL)
        assert current.topics() == []
        current.update(ALL._replace(resource_templates=()))
        assert current.topics() == ["resources"]
        current.update(
            ALL._replace(resource_templates=(), tools=(TOTAL._replace(description="Adds."), READER))
        )
        assert current.topics() == ["tools"]


def test_an_image_that_is_asked_what_it_offers_is_news_once() -> None:
    with asking(registrations=exchange("registrations")) as image:
        current = Current(image)
        assert current.refresh().find_tool("order_total")
        assert current.topics() == ["tools", "resources", "prompts"]
        current.update(image.ask(endpoints.REGISTRATIONS))
        current.refresh()
        assert current.topics() == []


def test_an_image_that_cannot_list_its_registrations_changes_nothing() -> None:
    with asking() as image:
        current = Current(image)
        current.update(ALL)
        assert current.refresh() == current.now
        assert names(current.now)[0] == ["evaluate", "order_total", "order_list"]


def test_the_wait_for_registrations_is_bounded() -> None:
    gate = Gate()
    with asking(registrations=gate) as image:
        image.status()
        current = Current(image)
        assert current.refresh(seconds=0.05) == current.built_in
        gate.open.set()


def test_a_read_only_catalog_has_only_registered_tools_that_read() -> None:
    with asking() as image:
        current = Current(image, read_only=True)
        current.update(ALL)
        assert names(current.now)[0] == ["evaluate", "order_list"]


@pytest.mark.parametrize(
    "bad",
    [
        TOTAL._replace(name="evaluate"),
        TOTAL._replace(input_schema={"type": "object", "properties": {"name": {"pattern": "("}}}),
    ],
)
def test_a_tool_that_cannot_be_used_is_omitted_and_the_reason_is_logged(
    bad: RegisteredTool, caplog: pytest.LogCaptureFixture
) -> None:
    with asking() as image, caplog.at_level(logging.WARNING):
        current = Current(image)
        current.update(RegisteredItems(tools=(bad, READER)))
    assert names(current.now)[0] == ["evaluate", "order_list"]
    assert bad.name in caplog.text


def test_omitted_registrations_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    bad = READER._replace(name="evaluate")
    with asking() as image, caplog.at_level(logging.WARNING):
        current = Current(image)
        for tools in ((bad,), (bad, READER)):
            current.update(RegisteredItems(tools, warnings=("Shop class>>#broken is omitted: ZeroDivide",)))
    assert [record.message for record in caplog.records] == [
        "Shop class>>#broken is omitted: ZeroDivide",
        "evaluate, which the image registers, is omitted: the name is built in",
    ]


def called(image: ImageClient, name: str, **arguments: object) -> ToolResult:
    current = Current(image)
    current.update(ALL)
    tool = current.now.find_tool(name)
    assert tool is not None
    return tool.call(arguments, Call())


def test_a_tool_is_called_with_checked_arguments() -> None:
    there = Remembering(exchange("registration_call_tool"))
    with asking(**{"registrations/call": there}) as image:
        assert called(image, "order_total", order=7).contents == (TextContent("42"),)
        assert "`order` must be an integer" in str(called(image, "order_total", order="x").contents)
    [asked] = there.asked
    assert asked.pop("evaluation").startswith("e-")
    assert asked == {
        "kind": "tool",
        "name": "order_total",
        "arguments": {"order": 7},
        "timeoutSeconds": 20,
    }


def test_all_kinds_of_contents_come_through() -> None:
    with asking(**{"registrations/call": exchange("registration_call_several_contents")}) as image:
        contents = [content.encode() for content in called(image, "order_total", order=7).contents]
    pdf = {"uri": "shop://order/7.pdf", "mimeType": "application/pdf", "blob": "AQID"}
    assert contents == [
        {"type": "text", "text": "Order 7"},
        {"type": "image", "data": "AQID", "mimeType": "image/png"},
        {"type": "audio", "data": "AQID", "mimeType": "audio/wav"},
        {
            "type": "resource",
            "resource": {"uri": "shop://order/7", "mimeType": "text/plain", "text": "Two books"},
        },
        {"type": "resource", "resource": pdf},
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("registration_call_error", "There is no order 7."),
        ("registration_call_exception", "ZeroDivide"),
        ("registration_call_timeout", "The evaluation was terminated after 0.05 seconds."),
        ("registration_call_unknown", "There is no registered tool named order_totals in this image."),
    ],
)
def test_failures_are_error_results(name: str, text: str) -> None:
    with asking(**{"registrations/call": exchange(name)}) as image:
        result = called(image, "order_total", order=7)
    assert result.is_error
    assert str(result.contents[0].encode()["text"]).startswith(text)


def test_a_long_call_is_answered_with_its_evaluation_id() -> None:
    with asking(**{"registrations/call": exchange("registration_call_running")}) as image:
        [content] = called(image, "order_total", order=7).contents
    assert "evaluation_id: exchange-tool-running" in str(content.encode()["text"])
    assert "tests" not in str(content.encode()["text"])


def test_resources_and_prompts_of_the_image_are_read() -> None:
    asked = []

    def call(body: Any) -> Reply:
        asked.append(body)
        return exchange(
            "registration_call_prompt" if body["kind"] == "prompt" else "registration_call_resource"
        )(body)

    with asking(**{"registrations/call": call}) as image:
        current = Current(image)
        current.update(ALL)
        [contents] = read(current.now, "shop://orders/open")
        read(current.now, "shop://order/at%3A%2F7")
        prompt = current.now.find_prompt("review_order")
        assert prompt is not None
        [message] = prompt.get({"order": "7"}, Call()).messages
    assert contents.encode()["text"] == "order 7"
    assert message.content == TextContent("Review order 7")
    template = {name: asked[1][name] for name in ("kind", "uriTemplate", "uri", "arguments")}
    assert template == {
        "kind": "resourceTemplate",
        "uriTemplate": "shop://order/{number}",
        "uri": "shop://order/at%3A%2F7",
        "arguments": {"number": "at:/7"},
    }


def test_the_error_of_a_slow_resource_explains_how_to_wait_for_it() -> None:
    with asking(**{"registrations/call": exchange("registration_call_running")}) as image:
        current = Current(image, catalog_for(image))
        current.update(ALL)
        with pytest.raises(ToolError, match="get_evaluation with evaluation_id e-"):
            read(current.now, "shop://orders/open")


def test_a_failure_of_a_resource_or_a_prompt_is_an_error_in_its_words() -> None:
    with asking(**{"registrations/call": exchange("registration_call_error")}) as image:
        current = Current(image)
        current.update(ALL)
        prompt = current.now.find_prompt("review_order")
        assert prompt is not None
        for ask in (
            lambda: read(current.now, "shop://orders/open"),
            lambda: prompt.get({"order": "7"}, Call()),
        ):
            with pytest.raises(ToolError, match=r"^There is no order 7\.$") as raised:
                ask()
            assert raised.value.kind == "registrationFailed"


def concerned(current: Current, events: Events) -> list[str]:
    """The URIs, of some, that a client hears of."""
    current.update(events)
    uris = [
        "pharo://class/Account",
        "pharo://class/Account/method/at:put:",
        "pharo://class/Account/class/method/new",
        "pharo://class/Shop%20Account",
        "pharo://package/Shop",
        "pharo://changes",
        "pharo://system/status",
        "shop://orders/open",
    ]
    return [uri for uri in uris if any(news.concerns(uri) for news in current.published)]


def test_a_class_that_changed_concerns_itself_its_methods_its_package_and_the_changes() -> None:
    with asking() as image:
        happened = Events(1, (ImageEvent(1, "class", class_name="Account", package_name="Shop"),))
        assert concerned(Current(image), happened) == [
            "pharo://class/Account",
            "pharo://class/Account/method/at:put:",
            "pharo://class/Account/class/method/new",
            "pharo://package/Shop",
            "pharo://changes",
        ]


def test_a_handover_concerns_its_resource() -> None:
    with asking() as image:
        current = Current(image)
        current.update(Events(1, (ImageEvent(1, "handover"),)))
        [event] = current.published
        assert event.concerns("pharo://handed-over")
        assert not event.concerns("pharo://system/status")


def test_other_events_concern_no_resource_and_a_gap_concerns_all() -> None:
    with asking() as image:
        assert (
            concerned(Current(image), Events(1, (ImageEvent(1, "registrations"), ImageEvent(2, "progress"))))
            == []
        )
        assert len(concerned(Current(image), Events(1, lost=True))) == 8


def test_a_log_event_is_a_log_message() -> None:
    with asking() as image:
        current = Current(image)
        current.update(Events(1, (ImageEvent(1, "log", level="warning", logger="shop", data={"order": 7}),)))
    [news] = current.published
    assert (news.topic, news.params) == (
        "message",
        {"level": "warning", "logger": "shop", "data": {"order": 7}},
    )


def test_the_tool_that_chooses_an_image_is_listed_while_several_are_live(tmp_path: Path) -> None:
    chooser = BUILT_IN.tools[0]._replace(name="select_image")
    built_in = BUILT_IN._replace(tools=(*BUILT_IN.tools, chooser))
    published: list[ServerEvent] = []
    image = ImageClient(FoundImages(str(tmp_path)))
    catalog = LiveCatalog(image, built_in, published.append, read_only=False)

    def announce(there: Companion) -> None:
        told = {"url": there.address.url, "token": TOKEN, "name": "Zoo", "system": "Pharo", "image": "/x"}
        (tmp_path / f"{there.address.port}.json").write_text(json.dumps(told), "utf-8")
        image.live_images()

    def listed() -> list[str]:
        return [tool.name for tool in catalog.current().tools if tool.listed]

    with companion() as one:
        announce(one)
        assert listed() == ["evaluate"]
        assert catalog.current().find_tool("select_image"), "it can be called all the same"
        with companion() as other:
            announce(other)
            assert listed() == ["evaluate", "select_image"]
            assert [event.topic for event in published] == ["tools"]
        image.live_images()
        assert listed() == ["evaluate"]
        assert [event.topic for event in published] == ["tools", "tools"]


def test_a_tool_of_the_image_that_a_read_only_session_leaves_out_has_a_reason() -> None:
    with asking() as image:
        current = Current(image, read_only=True)
        current.update(ALL)
        assert current.now.find_tool("order_total") is None
        assert current.now.left_out["order_total"].startswith("order_total can change the image")
