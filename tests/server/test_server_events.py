"""What a client is told without asking each time: lists that change, resources, messages."""

from typing import Any

import pytest

from pharo_mcp.protocol.catalog import ServerEvent
from server.conversation import MODERN, Conversation

TOLD = "io.modelcontextprotocol/subscriptionId"
LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
NEW_TOOLS = ServerEvent("tools")
ACCOUNT = "pharo://class/Account"
ACCOUNT_CHANGED = ServerEvent("contents", concerns=lambda uri: "Account" in uri)


def message(level: str) -> ServerEvent:
    return ServerEvent("message", {"level": level, "logger": "shop", "data": f"a word at {level}"})


def told(conversation: Conversation) -> list[Any]:
    """What was told up to now."""
    conversation.request("now", "tools/list", _meta=MODERN)
    notifications = []
    while (received := conversation.receive()).get("id") != "now":
        notifications.append(received)
    return notifications


def notification(method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def listen(conversation: Conversation, request_id: object, **wishes: object) -> Any:
    """Listen as a modern client; what acknowledges that."""
    conversation.request(request_id, "subscriptions/listen", notifications=wishes, _meta=MODERN)
    return conversation.receive()


@pytest.mark.parametrize("topic", ["tools", "resources", "prompts"])
@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25"])
def test_a_changed_list_is_reported(opened: Conversation, revision: str, topic: str) -> None:
    opened.shake_hands(revision)
    opened.event_bus.publish(ServerEvent(topic))
    assert told(opened) == [notification(f"notifications/{topic}/list_changed")]


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26"])
def test_early_clients_get_no_notifications_and_cannot_subscribe(opened: Conversation, revision: str) -> None:
    opened.shake_hands(revision)
    for event in (NEW_TOOLS, ACCOUNT_CHANGED, message("emergency")):
        opened.event_bus.publish(event)
    assert told(opened) == []
    for method in ("resources/subscribe", "resources/unsubscribe", "logging/setLevel"):
        assert opened.ask(method, uri=ACCOUNT, level="debug")["error"]["code"] == -32601


def test_no_notifications_before_the_handshake_nor_to_modern_clients_without_subscriptions(
    opened: Conversation,
) -> None:
    opened.ask("server/discover", _meta=MODERN)
    opened.event_bus.publish(NEW_TOOLS)
    assert told(opened) == []


def test_no_notifications_are_sent_after_the_end(talk: Conversation) -> None:
    assert talk.rest() == []
    talk.event_bus.publish(NEW_TOOLS)
    assert talk.lost is None


def test_a_subscriber_is_notified_until_it_unsubscribes(talk: Conversation) -> None:
    assert talk.ask("resources/subscribe", uri=ACCOUNT)["result"] == {}
    assert talk.ask("resources/subscribe", uri="pharo://class/Shop")["result"] == {}
    talk.event_bus.publish(ACCOUNT_CHANGED)
    assert told(talk) == [notification("notifications/resources/updated", uri=ACCOUNT)]
    assert talk.ask("resources/unsubscribe", uri=ACCOUNT)["result"] == {}
    talk.event_bus.publish(ACCOUNT_CHANGED)
    assert told(talk) == []


def test_unsubscribing_without_a_subscription_has_no_effect(talk: Conversation) -> None:
    assert talk.ask("resources/unsubscribe", uri=ACCOUNT)["result"] == {}
    assert talk.ask("resources/subscribe")["error"]["code"] == -32602


@pytest.mark.parametrize("level", LEVELS)
def test_log_messages_are_sent_from_the_chosen_level_on(talk: Conversation, level: str) -> None:
    assert talk.ask("logging/setLevel", level=level)["result"] == {}
    for each in LEVELS:
        talk.event_bus.publish(message(each))
    assert [each["params"]["level"] for each in told(talk)] == LEVELS[LEVELS.index(level) :]


def test_log_messages_are_sent_from_info_on_by_default(talk: Conversation) -> None:
    talk.event_bus.publish(message("debug"))
    talk.event_bus.publish(message("info"))
    assert told(talk) == [
        notification("notifications/message", level="info", logger="shop", data="a word at info")
    ]


def test_unknown_levels_are_refused(talk: Conversation) -> None:
    assert talk.ask("logging/setLevel", level="loud")["error"]["code"] == -32602


def test_a_subscription_is_acknowledged_with_its_notifications(opened: Conversation) -> None:
    uris = [ACCOUNT, "pharo://changes", ACCOUNT]
    assert listen(
        opened, 7, toolsListChanged=True, promptsListChanged=False, resourceSubscriptions=uris, other=True
    ) == notification(
        "notifications/subscriptions/acknowledged",
        _meta={TOLD: 7},
        notifications={"toolsListChanged": True, "resourceSubscriptions": [ACCOUNT, "pharo://changes"]},
    )


def test_each_subscription_gets_its_notifications_with_its_own_id(opened: Conversation) -> None:
    listen(opened, "lists", toolsListChanged=True, resourcesListChanged=True)
    listen(opened, "account", resourceSubscriptions=[ACCOUNT])
    for event in (NEW_TOOLS, ServerEvent("prompts"), ACCOUNT_CHANGED, message("emergency")):
        opened.event_bus.publish(event)
    assert told(opened) == [
        notification("notifications/tools/list_changed", _meta={TOLD: "lists"}),
        notification("notifications/resources/updated", _meta={TOLD: "account"}, uri=ACCOUNT),
    ]


def test_a_cancelled_subscription_gets_no_notifications_and_no_answer(opened: Conversation) -> None:
    listen(opened, 1, toolsListChanged=True)
    opened.send(notification("notifications/cancelled", requestId=1))
    assert told(opened) == []
    opened.event_bus.publish(NEW_TOOLS)
    assert told(opened) == []
    assert listen(opened, 1, toolsListChanged=True)["params"]["_meta"] == {TOLD: 1}


def test_the_id_of_a_listener_is_in_use(opened: Conversation) -> None:
    listen(opened, 1)
    assert listen(opened, 1)["error"]["code"] == -32600


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"notifications": ["tools"]},
        {"notifications": {"resourceSubscriptions": ACCOUNT}},
        {"notifications": {"resourceSubscriptions": [7]}},
    ],
)
def test_wishes_that_cannot_be_understood_are_refused(
    opened: Conversation, params: dict[str, object]
) -> None:
    assert opened.ask("subscriptions/listen", **params, _meta=MODERN)["error"]["code"] == -32602
    assert "acknowledged" in listen(opened, "admitted")["method"]


def test_only_modern_clients_listen_and_only_others_subscribe(talk: Conversation) -> None:
    assert talk.ask("subscriptions/listen", notifications={})["error"]["code"] == -32601
    for method in ("resources/subscribe", "resources/unsubscribe", "logging/setLevel"):
        assert talk.ask(method, uri=ACCOUNT, level="info", _meta=MODERN)["error"]["code"] == -32601


def test_listening_does_not_hold_up_the_end_and_is_answered_then(opened: Conversation) -> None:
    listen(opened, 1, toolsListChanged=True)
    assert opened.rest() == [
        {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "_meta": {TOLD: 1}}}
    ]
