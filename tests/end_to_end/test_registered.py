"""What an image registers: tools, resources and prompts that come and go while a client is connected."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from end_to_end.answers import eventually, failure, found, texts, value
from programs import Client, LiveImage, environment, start_practice_image
from smalltalk_text import method_text

TOOL = """PharoMcp addTool: (PmcTool
    name: '{name}'
    description: 'Total of an order'
    inputSchema: (PmcSchema
        object: {{ 'order' -> (PmcSchema integer: 'Its number') }}
        required: #( 'order' ))
    handler: [ :arguments :call | {body} ])"""
RESOURCE = """PharoMcp addResource: (PmcResource
    uri: 'shop://orders'
    name: 'Orders'
    description: 'All'
    mimeType: 'text/plain'
    handler: [ 'order 7' ])"""
PROMPT = """PharoMcp addPrompt: (PmcPrompt
    name: 'review_order'
    description: 'Review'
    arguments: { PmcPromptArgument name: 'order' description: 'Its number' required: true }
    handler: [ :arguments | 'Review ' , (arguments at: 'order') ])"""
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
def talk(image: LiveImage) -> Iterator[Client]:
    """A conversation whose image is as it was in the end."""
    with Client(env=image.env()) as client:
        client.shake_hands()
        yield client
        removed = "#( 'order_total' 'order_list' ) do: [ :each | PharoMcp removeTool: each ]. "
        removed += "PharoMcp removeResource: 'shop://orders'. "
        removed += "PharoMcp removeResourceTemplate: 'shop://order/{number}'. "
        client.call("evaluate", expression=removed + "PharoMcp removePrompt: 'review_order'")


def add_tool(client: Client, body: str, name: str = "order_total") -> None:
    value(client, TOOL.format(name=name, body=body))
    client.wait_for("notifications/tools/list_changed")


def listed(client: Client, **params: Any) -> dict[str, Any]:
    return {tool["name"]: tool for tool in client.request("tools/list", **params)["result"]["tools"]}


def test_a_tool_appears_is_called_and_goes(talk: Client) -> None:
    assert "order_total" not in listed(talk)
    add_tool(talk, "(arguments at: 'order') * 2")
    assert listed(talk)["order_total"]["inputSchema"]["required"] == ["order"]
    assert texts(talk.call("order_total", order=21)) == ["42"]
    value(talk, "PharoMcp removeTool: 'order_total'")
    talk.wait_for("notifications/tools/list_changed")
    assert "order_total" not in listed(talk)
    gone = talk.request("tools/call", name="order_total", arguments={"order": 21})
    assert gone["error"]["code"] == -32602


def test_a_new_registration_can_be_used_at_once_and_is_reported_once(talk: Client) -> None:
    for name in ("order_total", "order_list"):
        value(talk, TOOL.format(name=name, body="(arguments at: 'order') * 2"))
        assert texts(talk.call(name, order=21)) == ["42"]
    value(talk, RESOURCE)
    [orders] = talk.request("resources/read", uri="shop://orders")["result"]["contents"]
    assert orders["text"] == "order 7"
    value(talk, PROMPT)
    assert "result" in talk.request("prompts/get", name="review_order", arguments={"order": "7"})
    value(talk, "PharoMcp notifyClients: 'that was all' level: 'error' logger: 'shop'")
    talk.wait_for("notifications/message")
    assert [told["method"] for told in talk.told] == [
        "notifications/tools/list_changed",
        "notifications/tools/list_changed",
        "notifications/resources/list_changed",
        "notifications/prompts/list_changed",
    ]


def test_a_name_that_the_image_does_not_know_either_is_refused_as_ever(talk: Client) -> None:
    assert talk.request("tools/call", name="order_totals")["error"] == {
        "code": -32602,
        "message": "Invalid params: no tool is named order_totals",
        "data": {"details": "no tool is named order_totals"},
    }


def test_arguments_are_checked_before_the_image_is_asked(talk: Client) -> None:
    add_tool(talk, "arguments at: 'order'")
    assert "`order` must be an integer" in failure(talk.call("order_total", order="x"))
    assert "`order` is missing" in failure(talk.call("order_total"))


def test_an_exception_of_a_tool_is_an_error_with_class_and_stack(talk: Client) -> None:
    add_tool(talk, "(arguments at: 'order') / 0")
    said = failure(talk.call("order_total", order=1))
    assert said.startswith("ZeroDivide")
    assert "Stack:" in said


def test_output_of_a_tool_to_the_transcript_is_returned(talk: Client) -> None:
    add_tool(talk, "Transcript show: 'adding'. 7")
    assert texts(talk.call("order_total", order=1)) == ["7", "Transcript:\nadding"]


def test_a_long_answer_of_a_tool_is_cut_and_read_on(talk: Client) -> None:
    add_tool(talk, "String new: 12000 withAll: $x")
    first, note = texts(talk.call("order_total", order=1))
    assert len(first) == 9_000
    evaluation = note.partition("evaluation_id ")[2].split()[0]
    rest = texts(talk.call("get_evaluation", evaluation_id=evaluation, offset=9_000))
    assert rest == ["x" * 3_000, "Characters 9,001 to 12,000 of 12,000."]


def test_a_tool_is_cancelled_as_an_evaluation_is(talk: Client) -> None:
    add_tool(talk, "Semaphore new wait")
    talk.begin("slow", "order_total", order=1)
    talk.cancel("slow")
    add_tool(talk, "8", name="order_list")
    assert texts(talk.call("order_list", order=1)) == ["8"]


def test_a_tool_reports_its_own_progress(talk: Client) -> None:
    add_tool(
        talk,
        "1 to: 3 do: [ :each | call progress: each of: 3 message: 'book ' , each printString. "
        "(Delay forMilliseconds: 300) wait ]. 9",
    )
    talk.begin("told", "order_total", token="p", order=1)
    told = [talk.wait_for("notifications/progress") for _ in range(3)]
    assert told == [
        {"progressToken": "p", "progress": each, "total": 3, "message": f"book {each}"} for each in (1, 2, 3)
    ]
    assert texts(talk.receive()["result"]) == ["9"]


def test_resources_and_prompts_come_and_are_read(talk: Client) -> None:
    value(talk, RESOURCE)
    talk.wait_for("notifications/resources/list_changed")
    value(
        talk,
        "PharoMcp addResourceTemplate: (PmcResourceTemplate uriTemplate: 'shop://order/{number}' "
        "name: 'Order' description: 'One' mimeType: 'application/pdf' handler: [ :arguments | "
        "PmcContent resource: 'shop://order/7' bytes: #[ 1 2 3 ] mimeType: 'application/pdf' ])",
    )
    talk.wait_for("notifications/resources/list_changed")
    value(talk, PROMPT)
    talk.wait_for("notifications/prompts/list_changed")
    [orders] = talk.request("resources/read", uri="shop://orders")["result"]["contents"]
    assert (orders["uri"], orders["mimeType"], orders["text"]) == ("shop://orders", "text/plain", "order 7")
    [order] = talk.request("resources/read", uri="shop://order/7")["result"]["contents"]
    assert order == {"uri": "shop://order/7", "mimeType": "application/pdf", "blob": "AQID"}
    [message] = talk.request("prompts/get", name="review_order", arguments={"order": "7"})["result"][
        "messages"
    ]
    assert message == {"role": "user", "content": {"type": "text", "text": "Review 7"}}


def test_a_failure_of_a_resource_is_an_error_in_its_words(talk: Client) -> None:
    value(talk, RESOURCE.replace("'order 7'", "PmcToolResult withError: 'The shop is closed.'"))
    assert talk.request("resources/read", uri="shop://orders")["error"] == {
        "code": -32603,
        "message": "The shop is closed.",
        "data": {"kind": "registrationFailed"},
    }


def test_earlier_registrations_are_listed_for_a_new_client(talk: Client, image: LiveImage) -> None:
    add_tool(talk, "10")
    with Client(env=image.env()) as late:
        late.shake_hands()
        late.wait_for("notifications/tools/list_changed")
        assert "order_total" in listed(late)


def test_registrations_end_with_their_image_and_come_with_the_next(home: Path) -> None:
    with Client(env=environment(home)) as client:
        client.shake_hands()
        for _ in range(2):
            image = start_practice_image(home)
            with image.program:
                add_tool(client, "14")
                assert texts(client.call("order_total", order=1))[0] == "14"
            client.wait_for("notifications/tools/list_changed")
            assert "order_total" not in listed(client)


def test_a_read_only_session_lists_only_tools_that_read(talk: Client, image: LiveImage) -> None:
    add_tool(talk, "10")
    reading = TOOL.format(name="order_list", body="11").removesuffix(")")
    value(talk, f"{reading}) beReadOnly)".replace("(PmcTool", "((PmcTool", 1))
    with Client("--read-only", env=image.env()) as reader:
        reader.shake_hands()
        reader.wait_for("notifications/tools/list_changed")
        tools = listed(reader)
        assert "order_total" not in tools
        assert tools["order_list"]["annotations"]["readOnlyHint"] is True
        assert texts(reader.call("order_list", order=1)) == ["11"]


def test_early_clients_get_no_notifications_but_the_registrations(talk: Client, image: LiveImage) -> None:
    with Client(env=image.env()) as early:
        early.shake_hands("2025-03-26")
        assert "order_total" not in listed(early)
        add_tool(talk, "12")
        eventually(lambda: "order_total" in listed(early))
        assert early.told == []


def test_a_modern_client_listens(talk: Client, image: LiveImage) -> None:
    with Client(env=image.env()) as modern:
        params = {"notifications": {"toolsListChanged": True}, "_meta": MODERN}
        modern.send({"jsonrpc": "2.0", "id": "ears", "method": "subscriptions/listen", "params": params})
        acknowledged = modern.wait_for("notifications/subscriptions/acknowledged")
        assert acknowledged["notifications"] == {"toolsListChanged": True}
        add_tool(talk, "13")
        told = modern.wait_for("notifications/tools/list_changed")
        assert told == {"_meta": {"io.modelcontextprotocol/subscriptionId": "ears"}}
        assert "order_total" in listed(modern, _meta=MODERN)


def test_a_subscriber_is_notified_of_a_class_that_another_client_changed(
    talk: Client, image: LiveImage
) -> None:
    uris = ("pharo://class/PmcExampleCircle", "pharo://package/PharoMcp-Core-Tests", "pharo://class/Object")
    for uri in uris:
        talk.request("resources/subscribe", uri=uri)
    value(talk, "1")
    with Client(env=image.env()) as other:
        other.shake_hands()
        changed = other.call("edit_code", text=method_text("PmcExampleCircle", "isRound\n\t^ true"))
        told = {talk.wait_for("notifications/resources/updated")["uri"] for _ in range(2)}
        other.call("undo_change", change=int(found(r"\d+", changed)))
    assert told == set(uris[:2])


def test_a_message_of_an_image_is_a_log_message(talk: Client) -> None:
    add_tool(talk, "7")  # whoever has heard of it listens by now
    value(talk, "PharoMcp notifyClients: 'Order 7 was shipped' level: 'warning' logger: 'shop'")
    assert talk.wait_for("notifications/message") == {
        "level": "warning",
        "logger": "shop",
        "data": "Order 7 was shipped",
    }


def test_a_message_of_the_first_call_is_sent(image: LiveImage) -> None:
    for _ in range(5):
        with Client(env=image.env()) as client:
            client.shake_hands()
            value(client, "PharoMcp notifyClients: 'at once'")
            assert client.wait_for("notifications/message")["data"] == "at once"


def test_names_are_completed_in_blanks(talk: Client) -> None:
    ref = {"type": "ref/prompt", "name": "explain-class"}
    argument = {"name": "className", "value": "OrderedColl"}
    completion = talk.request("completion/complete", ref=ref, argument=argument)["result"]["completion"]
    assert completion["values"][0] == "OrderedCollection"
    assert len(completion["values"]) <= 100
