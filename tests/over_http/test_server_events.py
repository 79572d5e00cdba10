import pytest

from over_http.serving import ConnectionFactory, Web
from pharo_mcp.http import application
from pharo_mcp.protocol.catalog import ServerEvent
from server.conversation import request

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
TOOLS, PROMPTS = ServerEvent("tools"), ServerEvent("prompts")


def test_a_get_receives_server_events(session: Web, factory: ConnectionFactory) -> None:
    with session.begin("GET") as listening:
        factory.event_bus.publish(TOOLS)
        assert listening.next_event()["method"] == "notifications/tools/list_changed"


def test_a_get_receives_earlier_server_events(session: Web, factory: ConnectionFactory) -> None:
    factory.event_bus.publish(TOOLS)
    assert session.post(request(1, "ping")).json["result"] == {}
    with session.begin("GET") as listening:
        assert listening.next_event()["method"] == "notifications/tools/list_changed"


def test_a_modern_client_receives_the_events_it_subscribed_to(web: Web, factory: ConnectionFactory) -> None:
    listen = request("here", "subscriptions/listen", notifications={"toolsListChanged": True})
    with web.begin_modern(listen) as listening:
        acknowledged = listening.next_event()
        factory.event_bus.publish(PROMPTS)
        factory.event_bus.publish(TOOLS)
        changed = listening.next_event()
    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert changed["method"] == "notifications/tools/list_changed"
    assert acknowledged["params"]["_meta"] == changed["params"]["_meta"] == {SUBSCRIPTION: "here"}


def test_a_quiet_stream_sends_comments(session: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "STREAM_KEEP_ALIVE_SECONDS", 0.05)
    with session.begin("GET") as listening:
        assert listening.raw.readline() == b": keep-alive\n"
