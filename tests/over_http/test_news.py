import pytest

from over_http.serving import Bench, Web
from pharo_mcp.http import application
from pharo_mcp.protocol import News
from server.conversation import request

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
TOOLS, PROMPTS = News("tools"), News("prompts")


def test_a_session_hears_by_its_get_what_belongs_to_no_request(talk: Web, bench: Bench) -> None:
    with talk.begin("GET") as listening:
        bench.feed.tell(TOOLS)
        assert listening.next_event()["method"] == "notifications/tools/list_changed"


def test_a_session_hears_what_happened_before_it_listened(talk: Web, bench: Bench) -> None:
    bench.feed.tell(TOOLS)
    assert talk.post(request(1, "ping")).said["result"] == {}
    with talk.begin("GET") as listening:
        assert listening.next_event()["method"] == "notifications/tools/list_changed"


def test_a_modern_client_hears_what_it_listens_to_by_its_post(web: Web, bench: Bench) -> None:
    listen = request("here", "subscriptions/listen", notifications={"toolsListChanged": True})
    with web.begin_modern(listen) as listening:
        acknowledged = listening.next_event()
        bench.feed.tell(PROMPTS)
        bench.feed.tell(TOOLS)
        changed = listening.next_event()
    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert changed["method"] == "notifications/tools/list_changed"
    assert acknowledged["params"]["_meta"] == changed["params"]["_meta"] == {SUBSCRIPTION: "here"}


def test_a_stream_is_quiet_for_a_while_at_most(talk: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "QUIET_SECONDS", 0.05)
    with talk.begin("GET") as listening:
        assert listening.response.readline() == b": still here\n"
